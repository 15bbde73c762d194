import {
  divIcon,
  geoJSON,
  type LatLng,
  type Map as LeafletMap,
  latLng,
  marker,
  map as openMap,
  type PathOptions,
  tileLayer,
} from 'leaflet';
import type { Coordinates } from '../ports/position.ts';
import type { ServerFacts } from '../ports/server.ts';
import { tidy } from './coordinates.ts';
import { writeLabels } from './labels.ts';
import { pin, pinSize } from './pin.ts';
import { loadTowns } from './towns.ts';
import { type Country, countryNames, loadCountries } from './world.ts';
import 'leaflet/dist/leaflet.css';

export type Tiles = NonNullable<ServerFacts['mapTiles']>;

/** How near the map that comes with the app can be seen: its coasts are drawn for less. */
const ownMaxZoom = 10;
/** As most makers of tiles have it. */
const tilesMaxZoom = 19;
/** How near a place is shown at first. */
const nearZoom = { own: 6, tiles: 15 };
/** The whole earth, where no place is known. */
const everywhere = { latitude: 20, longitude: 10, zoom: 1 };
/** Web Mercator ends here, in degrees. */
const edge = 85;
/** Countries this near to the date line are drawn on its other side, too, in degrees of longitude. */
const besideDateLine = 110;

export type DrawnMap = {
  /** Where the middle of the map is. */
  middle(): Coordinates;
  /** Brings a place into the middle; nearer, where it was seen from afar. */
  show(at: Coordinates): void;
  zoom(steps: 1 | -1): void;
  close(): void;
};

const stillness = matchMedia('(prefers-reduced-motion: reduce)');
/** Looks are the style sheet's. */
const land: PathOptions = { className: 'earth-land', interactive: false, stroke: true, fill: true };

/**
 * Draws a map: the operator's tiles where there are any, else the countries and towns that come with the app.
 * @param onMoved told where the middle is when its owner moved it there; without it, a pin marks `at` and stays there
 * @param onFailed told when the app's own map does not come
 */
export function drawMap(
  element: HTMLElement,
  options: {
    readonly at: Coordinates | null;
    readonly tiles: Tiles | null;
    readonly language: string;
    readonly onMoved?: (middle: Coordinates) => void;
    onFailed(error: unknown): void;
  },
): DrawnMap {
  const { at, tiles, language, onMoved, onFailed } = options;
  const near = tiles ? nearZoom.tiles : nearZoom.own;
  const map = openMap(element, {
    center: at ? [at.latitude, at.longitude] : [everywhere.latitude, everywhere.longitude],
    zoom: at ? near : everywhere.zoom,
    minZoom: 1,
    maxZoom: tiles ? tilesMaxZoom : ownMaxZoom,
    maxBounds: [
      [-edge, -540],
      [edge, 540],
    ],
    maxBoundsViscosity: 1,
    worldCopyJump: true,
    // The page has buttons of its own, and names the makers of the map itself.
    zoomControl: false,
    attributionControl: false,
    zoomAnimation: !stillness.matches,
    fadeAnimation: !stillness.matches,
    inertia: !stillness.matches,
  });
  let closed = false;
  const middle = () => {
    const { lat, lng } = map.getCenter();
    return tidy({ latitude: lat, longitude: lng });
  };
  /** Shows a place exactly; what is not its owner's doing is not told. */
  let quiet = false;
  const look = (center: LatLng, zoom: number) => {
    quiet = true;
    map.invalidateSize({ pan: false });
    map.setView(center, zoom, { animate: false });
    quiet = false;
  };
  map.on('moveend', () => {
    if (!quiet) onMoved?.(middle());
  });
  if (onMoved) map.on('click', ({ latlng }) => map.panTo(latlng));
  else if (at) markPlace(map, at);
  const room = new ResizeObserver(() => look(map.getCenter(), map.getZoom()));
  room.observe(element);

  if (tiles) tileLayer(tiles.url, { maxZoom: tilesMaxZoom }).addTo(map);
  else {
    Promise.all([loadCountries(), loadTowns()]).then(([countries, towns]) => {
      if (closed) return;
      drawCountries(map, countries);
      writeLabels(map, countryNames(countries, language), towns);
      element.dataset.drawn = 'true';
    }, onFailed);
  }

  return {
    middle,
    show: ({ latitude, longitude }) =>
      look(latLng(latitude, longitude), Math.max(map.getZoom(), near)),
    zoom: (steps) => map.setZoom(map.getZoom() + steps),
    close() {
      closed = true;
      room.disconnect();
      map.remove();
    },
  };
}

/** Puts a pin on a place, where it stays however the map is moved. */
function markPlace(map: LeafletMap, { latitude, longitude }: Coordinates): void {
  const { width, height } = pinSize;
  const { cx, cy, r } = pin.hole;
  const icon = divIcon({
    className: 'earth-pin-kept',
    html: `<svg viewBox="${pin.viewBox}" width="${width}" height="${height}"><path d="${pin.body}"/><circle cx="${cx}" cy="${cy}" r="${r}"/></svg>`,
    iconSize: [width, height],
    iconAnchor: [width / 2, height],
  });
  marker([latitude, longitude], { icon, interactive: false, keyboard: false }).addTo(map);
}

/** All countries once, and those by the date line again on its other side. */
function drawCountries(map: LeafletMap, countries: readonly Country[]): void {
  const some = (test: (longitude: number) => boolean) =>
    countries.filter(({ geometry }) => {
      const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
      return polygons.some(([ring = []]) => ring.some(([longitude = 0]) => test(longitude)));
    });
  const draw = (shown: readonly Country[], turn: number) =>
    geoJSON([...shown], {
      style: land,
      coordsToLatLng: ([longitude = 0, latitude = 0]) => latLng(latitude, longitude + turn),
    }).addTo(map);
  draw(countries, 0);
  draw(
    some((longitude) => longitude < -besideDateLine),
    360,
  );
  draw(
    some((longitude) => longitude > besideDateLine),
    -360,
  );
}

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
import type { ServerInfo } from '../ports/server.ts';
import { normalizeCoordinates } from './coordinates.ts';
import { drawLabels } from './labels.ts';
import { pin, pinSize } from './pin.ts';
import { loadTowns } from './towns.ts';
import { type Country, countryNames, loadCountries } from './world.ts';
import 'leaflet/dist/leaflet.css';

export type Tiles = NonNullable<ServerInfo['mapTiles']>;

/** Maximum zoom of the bundled map, whose coastlines have limited detail. */
const bundledMaxZoom = 10;
/** Maximum zoom of most tile providers. */
const tilesMaxZoom = 19;
/** Initial zoom of a map that shows a place. */
const nearZoom = { own: 6, tiles: 15 };
/** The whole earth, shown when no place is given. */
const everywhere = { latitude: 20, longitude: 10, zoom: 1 };
/** Web Mercator's latitude limit in degrees. */
const maxLatitude = 85;
/** Distance from the date line, in degrees of longitude, within which countries are drawn on both sides of it. */
const nearDateLine = 110;

export type DrawnMap = {
  /** Returns the map's center. */
  center(): Coordinates;
  /** Centers the map on a place, at the initial zoom or closer. */
  show(at: Coordinates): void;
  zoom(steps: 1 | -1): void;
  close(): void;
};

const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
/** The style sheet sets the colors. */
const land: PathOptions = { className: 'earth-land', interactive: false, stroke: true, fill: true };

/**
 * Draws a map with the operator's tiles if configured, or else with the bundled countries and towns.
 * @param onMoved called with the center when the user moves the map; without it, a pin marks `at`
 * @param onFailed called when the bundled map fails to load
 */
export function drawMap(
  element: HTMLElement,
  options: {
    readonly at: Coordinates | null;
    readonly tiles: Tiles | null;
    readonly language: string;
    readonly onMoved?: (center: Coordinates) => void;
    onFailed(error: unknown): void;
  },
): DrawnMap {
  const { at: place, tiles, language, onMoved, onFailed } = options;
  const placeZoom = tiles ? nearZoom.tiles : nearZoom.own;
  const map = openMap(element, {
    center: place ? [place.latitude, place.longitude] : [everywhere.latitude, everywhere.longitude],
    zoom: place ? placeZoom : everywhere.zoom,
    minZoom: 1,
    maxZoom: tiles ? tilesMaxZoom : bundledMaxZoom,
    maxBounds: [
      [-maxLatitude, -540],
      [maxLatitude, 540],
    ],
    maxBoundsViscosity: 1,
    worldCopyJump: true,
    // The page has its own buttons and attribution.
    zoomControl: false,
    attributionControl: false,
    zoomAnimation: !reducedMotion.matches,
    fadeAnimation: !reducedMotion.matches,
    inertia: !reducedMotion.matches,
  });
  let isClosed = false;
  const getCenter = () => {
    const { lat, lng } = map.getCenter();
    return normalizeCoordinates({ latitude: lat, longitude: lng });
  };
  /** Whether the current move is programmatic. Such moves don't call `onMoved`. */
  let isProgrammatic = false;
  const moveTo = (center: LatLng, zoom: number) => {
    isProgrammatic = true;
    map.invalidateSize({ pan: false });
    map.setView(center, zoom, { animate: false });
    isProgrammatic = false;
  };
  map.on('moveend', () => {
    if (!isProgrammatic) onMoved?.(getCenter());
  });
  if (onMoved) map.on('click', ({ latlng }) => map.panTo(latlng));
  else if (place) markPlace(map, place);
  const resizes = new ResizeObserver(() => moveTo(map.getCenter(), map.getZoom()));
  resizes.observe(element);

  if (tiles) tileLayer(tiles.url, { maxZoom: tilesMaxZoom }).addTo(map);
  else {
    Promise.all([loadCountries(), loadTowns()]).then(([countries, towns]) => {
      if (isClosed) return;
      drawCountries(map, countries);
      drawLabels(map, countryNames(countries, language), towns);
      element.dataset.drawn = 'true';
    }, onFailed);
  }

  return {
    center: getCenter,
    show: ({ latitude, longitude }) =>
      moveTo(latLng(latitude, longitude), Math.max(map.getZoom(), placeZoom)),
    zoom: (steps) => map.setZoom(map.getZoom() + steps),
    close() {
      isClosed = true;
      resizes.disconnect();
      map.remove();
    },
  };
}

/** Adds a pin at a place. */
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

/** Draws all countries, and draws those near the date line again on its other side. */
function drawCountries(map: LeafletMap, countries: readonly Country[]): void {
  const countriesWith = (test: (longitude: number) => boolean) =>
    countries.filter(({ geometry }) => {
      const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
      return polygons.some(([ring = []]) => ring.some(([longitude = 0]) => test(longitude)));
    });
  const draw = (shown: readonly Country[], offset: number) =>
    geoJSON([...shown], {
      style: land,
      coordsToLatLng: ([longitude = 0, latitude = 0]) => latLng(latitude, longitude + offset),
    }).addTo(map);
  draw(countries, 0);
  draw(
    countriesWith((longitude) => longitude < -nearDateLine),
    360,
  );
  draw(
    countriesWith((longitude) => longitude > nearDateLine),
    -360,
  );
}

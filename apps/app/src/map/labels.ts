import type { Map as LeafletMap } from 'leaflet';
import { divIcon, layerGroup, marker } from 'leaflet';
import type { Town } from './towns.ts';
import type { CountryName } from './world.ts';

/** Minimum population of the towns labeled at each zoom level, from the first level with towns. */
const townsFrom = 4;
const peopleAt: Readonly<Record<number, number>> = {
  4: 3_000_000,
  5: 1_000_000,
  6: 300_000,
  7: 100_000,
  8: 30_000,
};
/** The last zoom level with country names; beyond it there are only towns. */
const countriesUntil = 6;
/** Maximum number of labels, for legibility and speed. */
const most = 60;
/** Approximate width of a letter and height of a line, in pixels. */
const letter = 7;
const line = 18;

type Label = {
  readonly name: string;
  readonly at: readonly [number, number];
  readonly kind: string;
};
type Box = { readonly x: number; readonly y: number; readonly wide: number };

const overlaps = (one: Box, other: Box) =>
  Math.abs(one.x - other.x) < (one.wide + other.wide) / 2 && Math.abs(one.y - other.y) < line;

/**
 * Places the labels that fit into the visible area, most important first, and updates them when the map
 * moves.
 */
export function writeLabels(
  map: LeafletMap,
  countries: readonly CountryName[],
  towns: readonly Town[],
): void {
  const layer = layerGroup().addTo(map);
  const candidates = function* (zoom: number): Generator<Label> {
    if (zoom <= countriesUntil) {
      for (const { name, at, area } of countries) {
        // Approximate, in pixels. A country smaller than its name gets no label.
        const wide = Math.sqrt(area) * ((256 * 2 ** zoom) / 360);
        if (wide > name.length * letter * 0.7) yield { name, at, kind: 'country' };
      }
    }
    if (zoom < townsFrom) return;
    const least = peopleAt[Math.floor(zoom)] ?? 0;
    for (const { name, latitude, longitude, people } of towns) {
      if (people < least) return;
      yield { name, at: [latitude, longitude], kind: 'town' };
    }
  };
  const write = () => {
    layer.clearLayers();
    const bounds = map.getBounds();
    const taken: Box[] = [];
    for (const { name, at, kind } of candidates(map.getZoom())) {
      if (taken.length >= most) return;
      // Beyond the date line, a place appears at its longitude plus or minus 360°.
      for (const turn of [0, -360, 360]) {
        const [latitude, longitude] = [at[0], at[1] + turn];
        if (!bounds.contains([latitude, longitude])) continue;
        const { x, y } = map.latLngToContainerPoint([latitude, longitude]);
        const box = { x, y, wide: name.length * letter + letter };
        if (taken.some((other) => overlaps(box, other))) continue;
        taken.push(box);
        const words = document.createElement('bdi');
        words.textContent = name;
        const icon = divIcon({
          className: `earth-label earth-${kind}`,
          html: words,
          iconSize: [0, 0],
        });
        marker([latitude, longitude], { icon, interactive: false, keyboard: false }).addTo(layer);
      }
    }
  };
  map.on('moveend', write);
  write();
}

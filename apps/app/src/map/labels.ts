import type { Map as LeafletMap } from 'leaflet';
import { divIcon, layerGroup, marker } from 'leaflet';
import type { Town } from './towns.ts';
import type { CountryName } from './world.ts';

/** Minimum population for a town to be labeled at each zoom level, starting at the first level with towns. */
const minTownZoom = 4;
const minPopulation: Readonly<Record<number, number>> = {
  4: 3_000_000,
  5: 1_000_000,
  6: 300_000,
  7: 100_000,
  8: 30_000,
};
/** The last zoom level that shows country names. Higher levels show only towns. */
const maxCountryZoom = 6;
/** Maximum number of labels, for legibility and speed. */
const maxLabels = 60;
/** Approximate letter width and line height in pixels. */
const letterWidth = 7;
const lineHeight = 18;

type Label = {
  readonly name: string;
  readonly at: readonly [number, number];
  readonly kind: string;
};
type Box = { readonly x: number; readonly y: number; readonly width: number };

const overlaps = (one: Box, other: Box) =>
  Math.abs(one.x - other.x) < (one.width + other.width) / 2 &&
  Math.abs(one.y - other.y) < lineHeight;

/** Places as many labels as fit into the visible area, most important first, and updates them when the map moves. */
export function drawLabels(
  map: LeafletMap,
  countries: readonly CountryName[],
  towns: readonly Town[],
): void {
  const layer = layerGroup().addTo(map);
  const candidates = function* (zoom: number): Generator<Label> {
    if (zoom <= maxCountryZoom) {
      for (const { name, at, area } of countries) {
        // Approximate width in pixels. A country smaller than its name gets no label.
        const width = Math.sqrt(area) * ((256 * 2 ** zoom) / 360);
        if (width > name.length * letterWidth * 0.7) yield { name, at, kind: 'country' };
      }
    }
    if (zoom < minTownZoom) return;
    const minimum = minPopulation[Math.floor(zoom)] ?? 0;
    for (const { name, latitude, longitude, people } of towns) {
      if (people < minimum) return;
      yield { name, at: [latitude, longitude], kind: 'town' };
    }
  };
  const write = () => {
    layer.clearLayers();
    const bounds = map.getBounds();
    const placed: Box[] = [];
    for (const { name, at, kind } of candidates(map.getZoom())) {
      if (placed.length >= maxLabels) return;
      // Beyond the date line, a place appears at its longitude plus or minus 360°.
      for (const offset of [0, -360, 360]) {
        const latitude = at[0];
        const longitude = at[1] + offset;
        if (!bounds.contains([latitude, longitude])) continue;
        const { x, y } = map.latLngToContainerPoint([latitude, longitude]);
        const box = { x, y, width: name.length * letterWidth + letterWidth };
        if (placed.some((other) => overlaps(box, other))) continue;
        placed.push(box);
        const element = document.createElement('bdi');
        element.textContent = name;
        const icon = divIcon({
          className: `earth-label earth-${kind}`,
          html: element,
          iconSize: [0, 0],
        });
        marker([latitude, longitude], { icon, interactive: false, keyboard: false }).addTo(layer);
      }
    }
  };
  map.on('moveend', write);
  write();
}

import type { Map as LeafletMap } from 'leaflet';
import { divIcon, layerGroup, marker } from 'leaflet';
import type { Town } from './towns.ts';
import type { CountryName } from './world.ts';

/** Towns show from this scale on, with so many people at least; each scale after shows smaller ones. */
const townsFrom = 4;
const peopleAt: Readonly<Record<number, number>> = {
  4: 3_000_000,
  5: 1_000_000,
  6: 300_000,
  7: 100_000,
  8: 30_000,
};
/** Names of countries give way to those of towns. */
const countriesUntil = 6;
/** Names at a time: more cannot be read, and cost. */
const most = 60;
/** About how wide a letter and how high a line is, in pixels of the screen. */
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

/** Writes the names that fit what the map shows, the most important first, and again whenever it moved. */
export function writeLabels(
  map: LeafletMap,
  countries: readonly CountryName[],
  towns: readonly Town[],
): void {
  const layer = layerGroup().addTo(map);
  const wanted = function* (zoom: number): Generator<Label> {
    if (zoom <= countriesUntil) {
      for (const { name, at, area } of countries) {
        // In pixels, about: a country that is smaller than its name goes without.
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
    for (const { name, at, kind } of wanted(map.getZoom())) {
      if (taken.length >= most) return;
      // Beyond the date line a place is seen one turn farther.
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

import type { Coordinates } from '../ports/position.ts';

/** Number of decimals displayed and stored, which is accurate to about a meter. */
const decimals = 5;

/** Rounds coordinates to the stored precision and wraps the longitude to the range -180 to 180. */
export function normalizeCoordinates({ latitude, longitude }: Coordinates): Coordinates {
  const round = (value: number) => Number(value.toFixed(decimals));
  const wrapped = ((((longitude + 180) % 360) + 360) % 360) - 180;
  return { latitude: round(latitude), longitude: round(wrapped) };
}

/** Formats coordinates as `48.85661, 2.35222`, which map apps accept in any language. */
export function formatCoordinates({ latitude, longitude }: Coordinates): string {
  return `${latitude.toFixed(decimals)}, ${longitude.toFixed(decimals)}`;
}

/** Parses the format of {@link formatCoordinates} and similar formats. Returns null for anything else. */
export function parseCoordinates(text: string): Coordinates | null {
  const number = String.raw`([-+\u2212]?\d{1,3}(?:\.\d+)?)\s*°?`;
  const match = new RegExp(String.raw`^\s*${number}\s*[,;\s]\s*${number}\s*$`).exec(text);
  const [latitude, longitude] = [match?.[1], match?.[2]].map((part) =>
    part === undefined ? Number.NaN : Number(part.replace('\u2212', '-')),
  );
  if (latitude === undefined || longitude === undefined) return null;
  const isValid = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isValid ? normalizeCoordinates({ latitude, longitude }) : null;
}

/** Builds a URI (RFC 5870) that opens a place in the phone's maps app, with a label for Android. */
export function geoUri(at: Coordinates, name: string): string {
  const point = `${at.latitude.toFixed(decimals)},${at.longitude.toFixed(decimals)}`;
  const label = name === '' ? '' : `(${encodeURIComponent(name)})`;
  return `geo:${point}?q=${point}${label}`;
}

/** The earth's mean radius in kilometers (IUGG). */
const earthRadius = 6371;

/** Returns the great-circle distance between two places, in kilometers. */
export function distance(from: Coordinates, to: Coordinates): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const a = radians(from.latitude);
  const b = radians(to.latitude);
  const half =
    Math.sin((b - a) / 2) ** 2 +
    Math.cos(a) * Math.cos(b) * Math.sin(radians(to.longitude - from.longitude) / 2) ** 2;
  return 2 * earthRadius * Math.asin(Math.sqrt(half));
}

/** The metadata that an exported audio file contains. */
export type AudioTags = {
  readonly title: string;
  /** The speakers, or '' to omit the tag. */
  readonly artist: string;
  /** When the recording began. */
  readonly date: Date;
};

/** The program that wrote the file. */
export const SOFTWARE = 'Linnet';

/** Maximum length of a text in UTF-8 bytes. All tags then fit on one page of an Ogg stream (65,025 bytes). */
export const MAX_TEXT_BYTES = 10_000;

const encoder = new TextEncoder();

/**
 * Returns a text as UTF-8: without control characters, which separate values in some formats, and truncated to
 * {@link MAX_TEXT_BYTES} without splitting user-perceived characters.
 */
export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  const plain = text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  const bytes = encoder.encode(plain);
  if (bytes.length <= MAX_TEXT_BYTES) return bytes;
  let length = 0;
  for (const { segment } of new Intl.Segmenter().segment(plain)) {
    const next = length + encoder.encode(segment).length;
    if (next > MAX_TEXT_BYTES) break;
    length = next;
  }
  return bytes.slice(0, length);
}

/** Returns a text of one byte per character. */
export const ascii = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (letter) => letter.charCodeAt(0));

export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

/** Formats a time in UTC, to the second: `2026-11-27T10:15:30Z`. */
export const formatUtc = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`;

/** Formats a time in the time zone of this device, with its offset: `2026-11-27T11:15:30+01:00`. */
export function formatLocal(date: Date): string {
  const offset = -date.getTimezoneOffset();
  const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, 19);
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  return `${local}${offset < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(minutes)}`;
}

import { withUtcOffset } from '@linnet/base';

/** The metadata written to exported audio files. */
export type AudioTags = {
  readonly title: string;
  /** The speakers, or '' to omit the tag. */
  readonly artist: string;
  /** When the recording started. */
  readonly date: Date;
};

/** The new beginning of a file, and the number of bytes it replaces. */
export type TaggedBeginning = {
  readonly head: Uint8Array<ArrayBuffer>;
  readonly replacedBytes: number;
};

/** The program that wrote the file. */
export const SOFTWARE = 'Linnet';

/** Maximum length of a tag value in UTF-8 bytes. Ensures that all tags fit on one Ogg page (65,025 bytes). */
export const MAX_TEXT_BYTES = 10_000;

const encoder = new TextEncoder();

/**
 * Encodes a string as UTF-8. Removes control characters, which separate values in some formats, and truncates to
 * {@link MAX_TEXT_BYTES} without splitting user-perceived characters.
 */
export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  const plainText = text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  const bytes = encoder.encode(plainText);
  if (bytes.length <= MAX_TEXT_BYTES) return bytes;
  let length = 0;
  for (const { segment } of new Intl.Segmenter().segment(plainText)) {
    const next = length + encoder.encode(segment).length;
    if (next > MAX_TEXT_BYTES) break;
    length = next;
  }
  return bytes.slice(0, length);
}

/** Formats a time in UTC, to the second: `2026-11-27T10:15:30Z`. */
export const formatUtc = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`;

/** Formats a time in this device's time zone, to the second: `2026-11-27T11:15:30+01:00`. */
export const formatLocal = (date: Date): string => withUtcOffset(date).replace(/\.\d{3}/, '');

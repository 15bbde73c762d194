/**
 * Determines when a file was recorded. Doesn't rely on the modification time, which changes when a file is shared or
 * downloaded.
 */
import { findMovie, isMp4 } from './mp4.ts';
import { findLayout } from './samples/chunk-layout.ts';
import type { ReadAt } from './samples/read-at.ts';

/** Number of bytes to read from the start of a file. They contain the tags unless preceded by pictures. */
const HEAD_BYTES = 64 * 1024;

/** The earliest plausible date. A recorder whose clock was never set usually reports an earlier year. */
const EARLIEST_TIME = Date.UTC(1990, 0, 1);
/** Tolerance for dates in the future, in milliseconds: the maximum difference between time zones. */
const MAX_AHEAD_MS = 24 * 3600 * 1000;

/** The epoch of times in MP4 files (1904-01-01, ISO 14496-12, 8.2.2), in seconds before 1970. */
const MP4_EPOCH_SECONDS = 2_082_844_800;
/** Size of the `moov` box up to and including its creation time, in bytes. */
const MOVIE_BYTES = 36;
/** Maximum number of frames to inspect in an ID3 tag. */
const MAX_FRAMES = 100;

/**
 * Returns when a file was recorded, according to its WAV, MP4, ID3 or Ogg metadata, or else to its name, in the formats
 * that recorders and phones use. Dates without a time of day are ignored.
 * @param size the size of the file in bytes
 * @param now the current time; later dates are implausible
 * @returns the date, or null if no plausible date is found; times without a time zone are interpreted in this device's
 *   time zone
 */
export async function recordingDate(
  read: ReadAt,
  size: number,
  name: string,
  now: Date,
): Promise<Date | null> {
  const head = await read(0, Math.min(size, HEAD_BYTES));
  const stated = (await mp4Date(head, read, size)) ?? parseDate(taggedText(head));
  return [stated, parseName(name)].find((date) => date && isPlausible(date, now)) ?? null;
}

const isPlausible = (date: Date, now: Date) =>
  date.getTime() >= EARLIEST_TIME && date.getTime() <= now.getTime() + MAX_AHEAD_MS;

/** Returns the value of the date tag, or ''. */
function taggedText(head: Uint8Array): string {
  const text = latin1(head);
  if (findLayout(head)?.format.id === 'fmt ') return waveText(text);
  if (text.startsWith('ID3')) return id3Text(head, text);
  return text.startsWith('OggS') ? oggText(head, text) : '';
}

/** Returns the date in the comments of an Ogg stream. A comment is preceded by its length, whose last byte is 0. */
function oggText(head: Uint8Array, text: string): string {
  const match = /[\s\S]{3}\0(?=DATE=)/i.exec(text);
  if (!match) return '';
  const length = new DataView(head.buffer, head.byteOffset).getUint32(match.index, true);
  const start = match.index + match[0].length;
  return text.slice(start + 'DATE='.length, start + length);
}

/**
 * Returns the creation date from the tag list if it has a time zone, otherwise the date and time from a broadcast
 * extension (EBU Tech 3285), otherwise the creation date without a time zone.
 */
function waveText(text: string): string {
  const created = /ICRD[\s\S]{4}([\d:TZ .+-]{10,30})/.exec(text)?.[1] ?? '';
  if (/(?:Z|[+-]\d\d:\d\d)$/.test(created)) return created;
  const broadcast = text.indexOf('bext');
  // The date follows the chunk's header, a description (256 bytes), and the originator and its reference (32 each).
  const date = broadcast < 0 ? '' : text.slice(broadcast + 328, broadcast + 346);
  if (/^\d{4}\D\d\d\D\d\d\d\d\D\d\d\D\d\d$/.test(date)) {
    return `${date.slice(0, 10)} ${date.slice(10)}`;
  }
  return created;
}

/** Returns the date in an ID3 tag, version 2.3 or 2.4. */
function id3Text(head: Uint8Array, text: string): string {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const frames = new Map<string, string>();
  for (let offset = 10, n = 0; n < MAX_FRAMES && offset + 10 <= head.length; n += 1) {
    const id = text.slice(offset, offset + 4);
    if (!/^[A-Z][A-Z0-9]{3}$/.test(id)) break;
    const size = view.getUint32(offset + 4);
    // Version 2.4 uses only seven bits of each byte.
    const bytes = [24, 16, 8, 0].map((shift) => (size >>> shift) & 127);
    const length = head[3] === 4 ? bytes.reduce((sum, byte) => sum * 128 + byte, 0) : size;
    // Dates contain only ASCII characters, whatever the encoding.
    const content = text.slice(offset + 11, offset + 10 + length);
    if (/^T(?:DRC|YER|DAT|IME)$/.test(id)) frames.set(id, content.replace(/[^\x20-\x7e]/g, ''));
    offset += 10 + length;
  }
  const [day, time] = [frames.get('TDAT') ?? '', frames.get('TIME') ?? ''];
  const separate = `${frames.get('TYER')}-${day.slice(2)}-${day.slice(0, 2)} ${time.slice(0, 2)}:${time.slice(2)}`;
  return frames.get('TDRC') ?? separate;
}

/** Returns the creation time of an MP4 file, or null. */
async function mp4Date(head: Uint8Array, read: ReadAt, size: number): Promise<Date | null> {
  if (!isMp4(head)) return null;
  const offset = await findMovie(read, size);
  if (offset === null || offset + MOVIE_BYTES > size) return null;
  // The first box in `moov` is the movie header.
  const box = await read(offset, MOVIE_BYTES);
  if (latin1(box.subarray(12, 16)) !== 'mvhd') return null;
  const view = new DataView(box.buffer, box.byteOffset, box.byteLength);
  const seconds = box[16] === 1 ? Number(view.getBigUint64(20)) : view.getUint32(20);
  return new Date((seconds - MP4_EPOCH_SECONDS) * 1000);
}

/** Date formats in file names, least ambiguous first. */
const NAME_PATTERNS = [
  // 2026-11-27 10-15-30, 20261127_101530, 20261127101530
  /(?<!\d)((?:19|20)\d\d)[-_.]?(\d\d)[-_.]?(\d\d)(?:[-_ T.,]| at )*(\d\d)[-_.:h]?(\d\d)(?:[-_.:m]?(\d\d))?(?!\d)/,
  // 251127_1015, 251127_101530
  /(?<!\d)(\d\d)(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)?(?!\d)/,
];

function parseName(name: string): Date | null {
  for (const pattern of NAME_PATTERNS) {
    const date = toDate(pattern.exec(name));
    if (date) return date;
  }
  return null;
}

function parseDate(text: string): Date | null {
  const match =
    /^(\d{4})[-_:./](\d\d)[-_:./](\d\d)[T ](\d\d)[-_:.](\d\d)(?:[-_:.](\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/.exec(
      text.trim(),
    );
  return toDate(match, match?.[7]);
}

/**
 * Returns the date in the fields of a match, or null if they aren't a valid date.
 * @param zone `Z` or an offset such as `+01:00`; defaults to this device's time zone
 */
function toDate(match: RegExpExecArray | null, zone?: string): Date | null {
  if (!match) return null;
  const [first = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((field) => Number(field ?? 0));
  const year = first < 100 ? 2000 + first : first;
  const isValid =
    hour < 24 &&
    minute < 60 &&
    second < 60 &&
    new Date(Date.UTC(year, month - 1, day)).toISOString().slice(5, 10) ===
      `${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  if (!isValid) return null;
  if (zone === undefined) return new Date(year, month - 1, day, hour, minute, second);
  const [, sign = '', hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  const offset = Number(`${sign}1`) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
  return new Date(Date.UTC(year, month - 1, day, hour, minute - offset, second));
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}

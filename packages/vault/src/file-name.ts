import { addToFnv, FNV_OFFSET_BASIS } from '@linnet/base';

/**
 * Maximum length of a file name in UTF-8 bytes, including the extension. Most systems allow 255 bytes, but encrypted
 * folders on phones and network drives (eCryptfs) allow only 143.
 */
export const NAME_BYTES = 143;

/** Matches device names that Windows reserves, with any extension. */
const RESERVED_NAME = /^(con|prn|aux|nul|(com|lpt)[0-9¹²³])(?=\.|$)/i;

/** Matches characters that some file systems forbid, and invisible ones such as direction marks. */
const FORBIDDEN =
  /[<>:"/\\|?*\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;

const encoder = new TextEncoder();
export const byteLength = (text: string): number => encoder.encode(text).length;

/** Truncates a string to a number of bytes without splitting user-perceived characters. */
function truncate(text: string, maxBytes: number): string {
  if (byteLength(text) <= maxBytes) return text;
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let result = '';
  let length = 0;
  for (const { segment } of graphemes.segment(text)) {
    length += byteLength(segment);
    if (length > maxBytes) break;
    result += segment;
  }
  return result;
}

/** Makes a name valid on every file system. Returns '' if no character remains. */
export function sanitizeName(name: string, maxBytes: number): string {
  const plainName = name.normalize('NFC').replace(FORBIDDEN, ' ').replace(/\s+/g, ' ').trim();
  const unreserved = plainName.replace(RESERVED_NAME, '$1_');
  // Leading dots would hide the file, and Windows strips trailing dots and spaces.
  return truncate(unreserved.replace(/^[.\s]+/, ''), maxBytes).replace(/[.\s]+$/, '');
}

/** Returns a key that is equal for names that a file system may treat as the same. */
export const nameKey = (name: string): string => name.normalize('NFKC').toLocaleLowerCase('en');

/** Matches characters with a meaning inside a link such as `[[Name]]`. */
const UNLINKABLE_CHARACTERS = /[#^[\]]+/g;

/** Makes a name valid on every file system and in links between notes. Returns '' if no character remains. */
export const linkableName = (name: string, maxBytes = NAME_BYTES): string =>
  sanitizeName(name.replace(UNLINKABLE_CHARACTERS, ' '), maxBytes);

const noteExtension = '.md';
/** Bytes reserved in every note's name for the suffix ` (edited 2026-11-29 1012 99)`. */
const EDITED_BYTES = 29;

/**
 * Returns the file name of a recording's note, such as `2026-11-29 Choir committee (1k8f3zq).md`. The ID in parentheses
 * distinguishes recordings with the same name and day.
 * @param day the recording's local day, such as `2026-11-29`
 * @param number 1 for the first choice; higher if the previous names are taken
 */
export function noteFileName(
  { id, day, title }: { readonly id: string; readonly day: string; readonly title: string },
  number = 1,
): string {
  const ending = ` (${shortId(id)}${number === 1 ? '' : ` ${number}`})${noteExtension}`;
  const maxBytes = NAME_BYTES - EDITED_BYTES - byteLength(ending);
  return `${linkableName(`${day} ${linkableName(title)}`, maxBytes)}${ending}`;
}

/** Returns whether the name ends with the recording's short ID, even if the user has changed the rest. */
export function isNoteName(name: string, id: string): boolean {
  const ending = / \(([0-9a-z]{7})(?: \d{1,2})?\)\.md$/.exec(name);
  return ending?.[1] === shortId(id);
}

/**
 * Returns the name for the copy of a note that the user has edited, such as `… (edited 2026-11-29 1012).md`.
 * @param time local time in ISO 8601, at least to the minute
 * @param number 1 for the first choice; higher if the previous names are taken
 */
export function editedCopyName(name: string, time: string, number = 1): string {
  const stamp = `${time.slice(0, 10)} ${time.slice(11, 13)}${time.slice(14, 16)}`;
  const ending = ` (edited ${stamp}${number === 1 ? '' : ` ${number}`})${noteExtension}`;
  const base = name.endsWith(noteExtension) ? name.slice(0, -noteExtension.length) : name;
  return `${sanitizeName(base, NAME_BYTES - byteLength(ending))}${ending}`;
}

/** Returns a short form of an ID: seven characters of its FNV-1a hash. */
function shortId(id: string): string {
  const hash = encoder.encode(id).reduce(addToFnv, FNV_OFFSET_BASIS);
  return (hash >>> 0).toString(36).padStart(7, '0');
}

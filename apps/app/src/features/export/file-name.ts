/**
 * Maximum length of a file name in UTF-8 bytes, including the extension. Most systems allow 255 bytes, but encrypted
 * folders on phones and network drives (eCryptfs) allow only 143.
 */
const NAME_BYTES = 143;

/** Matches device names that Windows reserves, with any extension. */
const RESERVED = /^(con|prn|aux|nul|(com|lpt)[0-9¹²³])(?=\.|$)/i;

/** Matches characters that some systems forbid, and invisible ones such as direction marks. */
const FORBIDDEN =
  /[<>:"/\\|?*\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;

const encoder = new TextEncoder();
const byteLength = (text: string) => encoder.encode(text).length;

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

/** Makes a name valid on every system. Returns '' if nothing is left. */
function sanitize(name: string, maxBytes: number): string {
  const plain = name.normalize('NFC').replace(FORBIDDEN, ' ').replace(/\s+/g, ' ').trim();
  const unreserved = plain.replace(RESERVED, '$1_');
  // Leading dots would hide the file, and Windows strips trailing dots and spaces.
  return truncate(unreserved.replace(/^[.\s]+/, ''), maxBytes).replace(/[.\s]+$/, '');
}

/** Returns a valid file name with the given ending, shortening the base if necessary. */
export function withEnding(base: string, ending: string, maxBytes = NAME_BYTES): string {
  return `${sanitize(base, maxBytes - byteLength(ending))}${ending}`;
}

/** Formats a local calendar day as `2026-11-21`, so that file names sort by date. */
function formatDay(iso: string): string {
  const date = new Date(iso);
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

/**
 * Returns the base name for a recording's files, such as `2026-11-21 Choir committee`.
 * @param reservedBytes the number of bytes to leave for a suffix
 */
export function baseName(name: string, recordedAt: string, reservedBytes = 16): string {
  const day = formatDay(recordedAt);
  return sanitize(`${day} ${sanitize(name, NAME_BYTES)}`, NAME_BYTES - reservedBytes);
}

/**
 * Maximum length of a file's path in an archive, in UTF-8 bytes. Windows allows 260 characters for an unpacked file's
 * whole path.
 */
const PATH_BYTES = 200;

/** Returns the path of a file in the recording's folder in an archive, shortening the name if necessary. */
export function pathInFolder(folder: string, base: string, ending: string): string {
  return `${folder}/${withEnding(base, ending, PATH_BYTES - byteLength(`${folder}/`))}`;
}

/**
 * Returns the name for a single file, or 'Linnet' if the name has no valid characters.
 * @param ext without a dot
 */
export function fileName(name: string, ext: string): string {
  return `${sanitize(name, NAME_BYTES - byteLength(`.${ext}`)) || 'Linnet'}.${ext}`;
}

/** Creates a function that makes names unique, even on systems that ignore case or normalize characters. */
export function createUniqueNames(): (base: string, ending: string) => string {
  const usedKeys = new Set<string>();
  const toKey = (name: string) => name.normalize('NFKC').toLocaleLowerCase('en');
  return (base, ending) => {
    for (let number = 1; ; number += 1) {
      const suffix = number === 1 ? '' : ` (${number})`;
      const name = withEnding(base, suffix + ending);
      if (usedKeys.has(toKey(name))) continue;
      usedKeys.add(toKey(name));
      return name;
    }
  };
}

/**
 * Maximum length of a name in UTF-8 bytes, including the extension. Most systems allow 255; encrypted folders
 * (eCryptfs) on phones and network disks allow 143.
 */
const NAME_BYTES = 143;

/** Windows device names, which are reserved whatever their extension. */
const RESERVED = /^(con|prn|aux|nul|(com|lpt)[0-9¹²³])(?=\.|$)/i;

/** Characters forbidden on some systems, and invisible ones, such as direction marks. */
const FORBIDDEN =
  /[<>:"/\\|?*\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;

const encoder = new TextEncoder();
const bytesIn = (text: string) => encoder.encode(text).length;

/** Truncates a text to a number of bytes without splitting user-perceived characters. */
function truncate(text: string, bytes: number): string {
  if (bytesIn(text) <= bytes) return text;
  let result = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(
    text,
  )) {
    used += bytesIn(segment);
    if (used > bytes) break;
    result += segment;
  }
  return result;
}

/** Converts a name to one valid on every system, within a number of bytes; '' if nothing remains. */
function sanitize(name: string, bytes: number): string {
  const plain = name.normalize('NFC').replace(FORBIDDEN, ' ').replace(/\s+/g, ' ').trim();
  const device = plain.replace(RESERVED, '$1_');
  // Removes leading dots, which hide files, and endings that Windows strips.
  return truncate(device.replace(/^[.\s]+/, ''), bytes).replace(/[.\s]+$/, '');
}

/** The local calendar day of a moment, `2026-11-21`, so that names sort by date. */
function dayOf(iso: string): string {
  const date = new Date(iso);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/**
 * The name of a recording's files without extension: `2026-11-21 Choir committee`.
 * @param reserve bytes reserved for a suffix
 */
export function baseName(name: string, recordedAt: string, reserve = 16): string {
  const day = dayOf(recordedAt);
  return sanitize(`${day} ${sanitize(name, NAME_BYTES)}`, NAME_BYTES - reserve);
}

/** The name of a single file; 'Linnet' if nothing of the name remains. @param ext without a dot */
export function fileName(name: string, ext: string): string {
  return `${sanitize(name, NAME_BYTES - bytesIn(`.${ext}`)) || 'Linnet'}.${ext}`;
}

/** Returns a function that makes names unique, also on systems that ignore case or accents. */
export function uniqueNames(): (base: string, ending: string) => string {
  const used = new Set<string>();
  const key = (name: string) => name.normalize('NFKC').toLocaleLowerCase('en');
  return (base, ending) => {
    for (let number = 1; ; number += 1) {
      const suffix = number === 1 ? '' : ` (${number})`;
      const name = `${sanitize(base, NAME_BYTES - bytesIn(suffix + ending))}${suffix}${ending}`;
      if (used.has(key(name))) continue;
      used.add(key(name));
      return name;
    }
  };
}

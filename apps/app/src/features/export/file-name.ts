/**
 * Bytes of a name in UTF-8, ending included. Most systems take 255; encrypted folders (eCryptfs), which
 * phones and network disks use, take 143.
 */
const NAME_BYTES = 143;

/** What Windows keeps for devices, whatever comes after a dot. */
const RESERVED = /^(con|prn|aux|nul|(com|lpt)[0-9¹²³])(?=\.|$)/i;

/** Characters that some system does not allow, and those that nobody sees, which could turn a name around. */
const FORBIDDEN =
  /[<>:"/\\|?*\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;

const encoder = new TextEncoder();
const bytesIn = (text: string) => encoder.encode(text).length;

/** As much of the beginning as fits into so many bytes, cut between characters as people count them. */
function beginning(text: string, bytes: number): string {
  if (bytesIn(text) <= bytes) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(
    text,
  )) {
    used += bytesIn(segment);
    if (used > bytes) break;
    kept += segment;
  }
  return kept;
}

/** A name that every system takes, at most so many bytes long; '' where nothing is left of it. */
function safe(name: string, bytes: number): string {
  const plain = name.normalize('NFC').replace(FORBIDDEN, ' ').replace(/\s+/g, ' ').trim();
  const device = plain.replace(RESERVED, '$1_');
  // Neither hidden nor with an end that Windows drops.
  return beginning(device.replace(/^[.\s]+/, ''), bytes).replace(/[.\s]+$/, '');
}

/** The day of a moment by this phone's calendar, `2026-11-21`: names sort by it. */
function dayOf(iso: string): string {
  const date = new Date(iso);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/**
 * What the files of a recording are called, without an ending: `2026-11-21 Choir committee`.
 * @param reserve bytes to leave for what is put behind it
 */
export function baseName(name: string, recordedAt: string, reserve = 16): string {
  const day = dayOf(recordedAt);
  return safe(`${day} ${safe(name, NAME_BYTES)}`, NAME_BYTES - reserve);
}

/** What a single file is called, `ext` without its point; 'Linnet' where nothing of the name can be kept. */
export function fileName(name: string, ext: string): string {
  return `${safe(name, NAME_BYTES - bytesIn(`.${ext}`)) || 'Linnet'}.${ext}`;
}

/** Gives names of which no two are the same, also where capitals or accents are not told apart. */
export function uniqueNames(): (base: string, ending: string) => string {
  const taken = new Set<string>();
  const key = (name: string) => name.normalize('NFKC').toLocaleLowerCase('en');
  return (base, ending) => {
    for (let number = 1; ; number += 1) {
      const suffix = number === 1 ? '' : ` (${number})`;
      const name = `${safe(base, NAME_BYTES - bytesIn(suffix + ending))}${suffix}${ending}`;
      if (taken.has(key(name))) continue;
      taken.add(key(name));
      return name;
    }
  };
}

import { byteLength, NAME_BYTES, nameKey, sanitizeName } from '@linnet/vault/file-name';

/** Returns a valid file name with the given ending, shortening the base if necessary. */
export function withEnding(base: string, ending: string, maxBytes = NAME_BYTES): string {
  return `${sanitizeName(base, maxBytes - byteLength(ending))}${ending}`;
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
  return sanitizeName(`${day} ${sanitizeName(name, NAME_BYTES)}`, NAME_BYTES - reservedBytes);
}

/**
 * Maximum length of a file's path in an archive, in UTF-8 bytes. Windows allows 260 characters for an unpacked file's
 * whole path.
 */
const PATH_BYTES = 200;

/** Returns a file's path in the recording's folder in an archive, shortening the name if necessary. */
export function pathInFolder(folder: string, base: string, ending: string): string {
  return `${folder}/${withEnding(base, ending, PATH_BYTES - byteLength(`${folder}/`))}`;
}

/**
 * Returns the name for a single file, or 'Linnet' if the name has no valid characters.
 * @param ext without a dot
 */
export function fileName(name: string, ext: string): string {
  return `${sanitizeName(name, NAME_BYTES - byteLength(`.${ext}`)) || 'Linnet'}.${ext}`;
}

/** Creates a function that makes names unique, even on systems that ignore case or normalize characters. */
export function createUniqueNames(): (base: string, ending: string) => string {
  const usedKeys = new Set<string>();
  return (base, ending) => {
    for (let number = 1; ; number += 1) {
      const suffix = number === 1 ? '' : ` (${number})`;
      const name = withEnding(base, suffix + ending);
      if (usedKeys.has(nameKey(name))) continue;
      usedKeys.add(nameKey(name));
      return name;
    }
  };
}

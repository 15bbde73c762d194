/**
 * The 32-bit FNV-1a hash (draft-eastlake-fnv): short, fast, and not meant to resist attacks. A hash starts with the offset
 * basis.
 */
export const FNV_OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/** Returns the hash of a text's UTF-16 code units as an unsigned 32-bit integer. */
export function fnvOf(text: string): number {
  let hash = FNV_OFFSET_BASIS;
  for (let index = 0; index < text.length; index += 1)
    hash = addToFnv(hash, text.charCodeAt(index));
  return hash >>> 0;
}

/** Adds a byte or a character code to a hash. @returns a signed 32-bit integer */
export const addToFnv = (hash: number, code: number): number => Math.imul(hash ^ code, PRIME);

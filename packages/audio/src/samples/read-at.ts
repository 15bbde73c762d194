/**
 * Reads up to `length` bytes of a file from `start`, which must not be negative. Near the end of the file, returns
 * fewer.
 */
export type ReadAt = (start: number, length: number) => Promise<Uint8Array>;

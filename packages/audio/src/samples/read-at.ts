/** Reads up to `length` bytes of a file from `start`, which must not be negative. Returns fewer bytes at the end of the file. */
export type ReadAt = (start: number, length: number) => Promise<Uint8Array>;

import type { Readable } from 'node:stream';

/** Where objects lie: audio and avatars by key. Every adapter passes `contract-suite.ts`. */
export interface ObjectStore {
  /** Stable name, the value of STORAGE that selects it. */
  readonly id: 'local' | 's3' | 'cos';
  /**
   * Stores an object, whole or not at all, replacing an earlier one of the same key. When this
   * returns, it is on disk.
   * @throws StorageFailure too-large, full, invalid-key; and whatever `body` throws
   */
  put(
    key: string,
    body: AsyncIterable<Uint8Array>,
    options: { readonly maxBytes: number },
  ): Promise<StoredObject & { readonly sha256: string }>;
  /** What is stored under a key, or null. */
  stat(key: string): Promise<StoredObject | null>;
  /**
   * Opens an object, or the part from `start` to `end`, both included.
   * @throws StorageFailure not-found
   */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Removes an object; one that is not there is fine. */
  delete(key: string): Promise<void>;
  /**
   * Every object whose key begins with `prefix`, each once, in no promised order. One that is stored or
   * deleted meanwhile may or may not be among them.
   * @throws StorageFailure invalid-key
   */
  list(prefix: string): AsyncIterable<ListedObject>;
}

export interface ListedObject extends StoredObject {
  readonly key: string;
}

export interface StoredObject {
  /** Bytes. */
  readonly size: number;
  readonly storedAt: Date;
}

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export type StorageFailureCode =
  /** Longer than the caller allows; nothing was stored. */
  | 'too-large'
  /** No such object. */
  | 'not-found'
  /** No room left; retry after the operator made some. */
  | 'full'
  /** The key has a shape that no key of ours has. */
  | 'invalid-key';

export class StorageFailure extends Error {
  override readonly name = 'StorageFailure';
  readonly code: StorageFailureCode;
  constructor(code: StorageFailureCode, detail: string, cause?: unknown) {
    super(`${code}: ${detail}`, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** Keys are paths of plain names: no dots at the start of a name, no empty names. */
const keyShape = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/;

/** @throws StorageFailure invalid-key */
export function checkKey(key: string): void {
  if (key.length > 512 || !keyShape.test(key)) throw new StorageFailure('invalid-key', 'odd key');
}

/**
 * A prefix is the beginning of a key, which may end in a slash; the empty one begins every key.
 * @throws StorageFailure invalid-key
 */
export function checkPrefix(prefix: string): void {
  if (prefix !== '') checkKey(prefix.replace(/\/$/, ''));
}

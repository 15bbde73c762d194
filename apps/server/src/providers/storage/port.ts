import type { Readable } from 'node:stream';
import type { DataStore } from '@tus/server';

/** Where objects lie: audio and avatars by key. Every adapter passes `contract-suite.ts`. */
export interface ObjectStore {
  /** Stable name, the value of STORAGE that selects it. */
  readonly id: 'local' | 's3' | 'cos';
  /** Direct access for clients; null where only the server reaches the store, and serves the objects itself. */
  readonly gateway: StorageGateway | null;
  /**
   * Uploads that come in parts, as tus has them. The id of one is a key; the object appears under it,
   * whole, with the last byte, and from then on the upload is told by the object alone. Unfinished ones
   * are kept for `unfinishedHours`.
   */
  readonly uploads: DataStore;
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
  /** The object stored under a key, or null. */
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

/** How long an upload that comes in parts may take. */
export const unfinishedHours = 24;

/** Terms of one upload. */
export interface UploadTerms {
  readonly key: string;
  /** Bytes. */
  readonly maxSize: number;
  /** Media types the file may be declared as; the first is what it is. */
  readonly types: readonly [string, ...string[]];
  /** Unix seconds. */
  readonly start: number;
  /** Unix seconds. */
  readonly end: number;
}

/** Permission to post one object: keys to sign a form with (as in COS), or a signed form. */
export type Admission =
  | {
      readonly credentials: {
        readonly tmpSecretId: string;
        readonly tmpSecretKey: string;
        readonly sessionToken: string;
      };
    }
  | { readonly form: { readonly url: string; readonly fields: Record<string, string> } };

/**
 * The side of a store that clients talk to: forms are posted to it, and signed addresses read from it.
 * `origin` is the address of this server as the client reaches it; a store elsewhere has its own.
 */
export interface StorageGateway {
  readonly bucket: string;
  readonly region: string;
  /** Where forms are posted, without a trailing slash; an object's plain address is this and its key. */
  address(origin: string): string;
  /** @throws StorageFailure refused, unavailable: the provider gives no keys */
  admit(terms: UploadTerms): Promise<Admission>;
  /**
   * An address that reads one object as `mediaType`. A provider's addresses know no sessions and are good for ten to
   * fifteen minutes from `now`; ours six to seven hours, and no longer than the session lives.
   */
  sign(origin: string, key: string, mediaType: string, now: Date, sessionId?: string): string;
  /** The key of the object that an address made by `sign` reads now; null for any other address. */
  verify(origin: string, address: string, now: Date): string | null;
  /**
   * Posts a file as a client does, with the fields of a form.
   * @throws StorageFailure refused, when the form does not allow it; too-large
   */
  post(form: Readonly<Record<string, string>>, file: FileToPost, now: Date): Promise<void>;
}

export interface FileToPost {
  readonly path: string;
  readonly mediaType: string;
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
  | 'invalid-key'
  /** The store does not allow it: a form it does not accept, keys it does not give. */
  | 'refused'
  /** The store, or what gives keys to it, does not answer; try again later. */
  | 'unavailable';

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

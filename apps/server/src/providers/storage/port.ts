import type { Readable } from 'node:stream';
import type { DataStore } from '@tus/server';

/** An object store for audio and avatars, by key. Every adapter passes the tests in `contract-suite.ts`. */
export interface ObjectStore {
  /** Stable name, the value of STORAGE that selects it. */
  readonly id: 'local' | 's3' | 'cos';
  /** Clients' direct access to the store; null if only the server reaches the store and serves the objects itself. */
  readonly gateway: StorageGateway | null;
  /**
   * Resumable uploads, as in tus. An upload's ID is its object key. The object appears when the upload is complete, and
   * from then on is the only record of it. Unfinished uploads are kept for `unfinishedHours`.
   */
  readonly uploads: DataStore;
  /**
   * Stores an object atomically and durably, replacing any object with the same key.
   * @throws StorageFailure too-large, full, invalid-key; and errors from `body`
   */
  put(
    key: string,
    body: AsyncIterable<Uint8Array>,
    options: { readonly maxBytes: number },
  ): Promise<StoredObject & { readonly sha256: string }>;
  /** Returns the size and time of the object stored under a key, or null. */
  stat(key: string): Promise<StoredObject | null>;
  /**
   * Opens an object, or the range from `start` to `end`, both inclusive.
   * @throws StorageFailure not-found
   */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Deletes an object; no-op if it doesn't exist. */
  delete(key: string): Promise<void>;
  /**
   * Lists all objects whose key starts with `prefix`, each once, in unspecified order. Objects that
   * are stored or deleted during the iteration may or may not be included.
   * @throws StorageFailure invalid-key
   */
  list(prefix: string): AsyncIterable<ListedObject>;
}

/** How long an unfinished resumable upload is kept. */
export const unfinishedHours = 24;

/** The terms of one upload. */
export interface UploadTerms {
  readonly key: string;
  /** Size in bytes. */
  readonly maxSize: number;
  /** The media types that the file may be declared as. The first is the actual one. */
  readonly types: readonly [string, ...string[]];
  /** In Unix seconds. */
  readonly start: number;
  /** In Unix seconds. */
  readonly end: number;
}

/** A permission to post one object: keys to sign a form with (as in COS), or a signed form. */
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
 * The part of a store that clients access directly: they post forms to it and read from its signed URLs. `origin` is
 * the address at which the client reaches this server. A store at another provider ignores it and uses its own address.
 */
export interface StorageGateway {
  readonly bucket: string;
  readonly region: string;
  /**
   * Returns the address to which forms are posted, without a trailing slash. An object's plain address is this address
   * and its key.
   */
  address(origin: string): string;
  /**
   * Issues a permission to post one object.
   * @throws StorageFailure refused, unavailable: the provider issues no keys
   */
  admit(terms: UploadTerms): Promise<Admission>;
  /**
   * Returns a URL that serves one object as `mediaType`. A provider's URLs are independent of sessions and valid for
   * ten to fifteen minutes from `now`; this server's are valid for six to seven hours, but no longer than the session.
   */
  sign(origin: string, key: string, mediaType: string, now: Date, sessionId?: string): string;
  /** Returns the object key of a currently valid URL created by `sign`; null for any other URL. */
  verify(origin: string, address: string, now: Date): string | null;
  /**
   * Posts a file as a client does, with a form's fields.
   * @throws StorageFailure refused, if the form doesn't allow the file; too-large
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
  /** Size in bytes. */
  readonly size: number;
  readonly storedAt: Date;
}

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export type StorageFailureCode =
  /** Exceeds the caller's limit; nothing was stored. */
  | 'too-large'
  /** No such object. */
  | 'not-found'
  /** The disk is full; retry after the operator has freed space. */
  | 'full'
  /** The key is malformed. */
  | 'invalid-key'
  /** The store denies the request: an invalid form, or no permission to issue keys. */
  | 'refused'
  /** The store or its key service is unavailable; retry later. */
  | 'unavailable';

export class StorageFailure extends Error {
  override readonly name = 'StorageFailure';
  readonly code: StorageFailureCode;
  constructor(code: StorageFailureCode, detail: string, cause?: unknown) {
    super(`${code}: ${detail}`, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** Matches valid keys: paths of plain names, none of which is empty or starts with a dot. */
const keyShape = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/;

/**
 * Checks that a key is valid.
 * @throws StorageFailure invalid-key
 */
export function checkKey(key: string): void {
  if (key.length > 512 || !keyShape.test(key)) throw new StorageFailure('invalid-key', 'odd key');
}

/**
 * Checks that a prefix is valid: the beginning of a key, which may end in a slash. The empty prefix matches every key.
 * @throws StorageFailure invalid-key
 */
export function checkPrefix(prefix: string): void {
  if (prefix !== '') checkKey(prefix.replace(/\/$/, ''));
}

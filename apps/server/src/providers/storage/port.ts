import type { Readable } from 'node:stream';
import type { DataStore } from '@tus/server';

/** An object store for audio and avatars. Every adapter passes the tests in `contract-suite.ts`. */
export interface ObjectStore {
  /** Stable name: the value of STORAGE that selects the store. */
  readonly id: 'local' | 's3' | 'cos';
  /**
   * Direct access to the store for clients, or null if only the server can reach the store and serves the objects
   * itself.
   */
  readonly gateway: StorageGateway | null;
  /**
   * Resumable uploads, as defined by tus. An upload's ID is its object key. The object appears when the upload is
   * complete. From then on, it is the only record of the upload. Unfinished uploads are kept for `unfinishedHours`.
   */
  readonly uploads: DataStore;
  /**
   * Stores an object atomically and durably, replacing any object that has the same key.
   * @throws StorageFailure too-large, full, invalid-key; also any error from `body`
   */
  put(
    key: string,
    body: AsyncIterable<Uint8Array>,
    options: { readonly maxBytes: number },
  ): Promise<StoredObject & { readonly sha256: string }>;
  /** Returns an object's size and storage time, or null if it doesn't exist. */
  stat(key: string): Promise<StoredObject | null>;
  /**
   * Opens an object, or the range from `start` to `end`, both inclusive.
   * @throws StorageFailure not-found
   */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Deletes an object, if it exists. */
  delete(key: string): Promise<void>;
  /**
   * Lists all objects whose key starts with `prefix`, each once, in unspecified order. An object that is stored or
   * deleted during the iteration may or may not be listed.
   * @throws StorageFailure invalid-key
   */
  list(prefix: string): AsyncIterable<ListedObject>;
}

/** Lifetime of an unfinished resumable upload, in hours. */
export const unfinishedHours = 24;

/** The terms of one upload. */
export interface UploadTerms {
  readonly key: string;
  /** Size in bytes. */
  readonly maxSize: number;
  /** Media types that the file may be declared as, starting with its actual type. */
  readonly types: readonly [string, ...string[]];
  /** Start of validity, in Unix seconds. */
  readonly start: number;
  /** End of validity, in Unix seconds. */
  readonly end: number;
}

/** Permission to post one object: either keys for the client to sign a form with (as in COS), or a signed form. */
export type UploadPermission =
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
 * this server's origin as the client addresses it. A store at an external provider ignores it and uses its own address.
 */
export interface StorageGateway {
  readonly bucket: string;
  readonly region: string;
  /**
   * Returns the URL that forms are posted to, without a trailing slash. An object's plain URL is this URL followed by
   * its key.
   */
  address(origin: string): string;
  /**
   * Issues permission to post one object.
   * @throws StorageFailure refused, unavailable if the provider issues no keys
   */
  permitUpload(terms: UploadTerms): Promise<UploadPermission>;
  /**
   * Returns a URL that serves one object as `mediaType`. A provider's URLs are independent of sessions and valid for
   * ten to fifteen minutes from `now`; this server's URLs are valid for six to seven hours, but no longer than the
   * session.
   */
  sign(origin: string, key: string, mediaType: string, now: Date, sessionId?: string): string;
  /** Returns the object key in a currently valid URL that `sign` created, or null for any other URL. */
  verify(origin: string, address: string, now: Date): string | null;
  /**
   * Posts a file with a form's fields, as a client would.
   * @throws StorageFailure refused if the form doesn't allow the file, too-large
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
  /** The object exceeds the caller's limit. Nothing was stored. */
  | 'too-large'
  /** The object doesn't exist. */
  | 'not-found'
  /** The disk is full. Retry after the operator has freed up space. */
  | 'full'
  /** The key is malformed. */
  | 'invalid-key'
  /** The store denied the request: the form is invalid, or there is no permission to issue keys. */
  | 'refused'
  /** The store or its key service is unavailable. Retry later. */
  | 'unavailable';

export class StorageFailure extends Error {
  override readonly name = 'StorageFailure';
  readonly code: StorageFailureCode;
  constructor(code: StorageFailureCode, detail: string, cause?: unknown) {
    super(`${code}: ${detail}`, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** Matches valid keys: paths with plain names, none of them empty or starting with a dot. */
const keyShape = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/;

/**
 * Checks that a key is valid.
 * @throws StorageFailure invalid-key
 */
export function checkKey(key: string): void {
  if (key.length > 512 || !keyShape.test(key))
    throw new StorageFailure('invalid-key', 'malformed key');
}

/**
 * Checks that a prefix is valid. A prefix is the start of a key and may end with a slash. The empty prefix matches
 * every key.
 * @throws StorageFailure invalid-key
 */
export function checkPrefix(prefix: string): void {
  if (prefix !== '') checkKey(prefix.replace(/\/$/, ''));
}

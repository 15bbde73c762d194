import path from 'node:path';
import { Readable } from 'node:stream';
import { FileStore } from '@tus/file-store';
import type { DataStore } from '@tus/server';
import { ERRORS, Upload } from '@tus/server';
import type { StoredObject } from './port.ts';
import { checkKey, unfinishedHours } from './port.ts';

export interface LocalUploadsDependencies {
  /** Folder for unfinished uploads, on the same disk as the objects. */
  readonly folder: string;
  /** @throws StorageFailure full */
  readonly checkReserve: () => Promise<void>;
  readonly stat: (key: string) => Promise<StoredObject | null>;
  /** Moves a complete file to its final path. */
  readonly finish: (file: string, key: string) => Promise<void>;
}

/** Creates a store for resumable uploads. An upload is a file that becomes an object when it is complete. */
export function createLocalUploads(deps: LocalUploadsDependencies): DataStore {
  return new LocalUploads(deps);
}

/** Encodes a key as a single, unique file name. */
const flat = (key: string): string => key.replaceAll('/', '~');

/** Returns the same upload with another ID. */
const withId = (upload: Upload, id: string): Upload =>
  Object.assign(new Upload({ id, offset: upload.offset }), upload, { id });

class LocalUploads extends FileStore {
  readonly #deps: LocalUploadsDependencies;

  constructor(deps: LocalUploadsDependencies) {
    super({
      directory: deps.folder,
      expirationPeriodInMilliseconds: unfinishedHours * 3_600_000,
    });
    this.#deps = deps;
    this.extensions = ['creation', 'creation-with-upload', 'termination', 'expiration'];
  }

  override async create(upload: Upload): Promise<Upload> {
    checkKey(upload.id);
    await this.#deps.checkReserve();
    await super.create(withId(upload, flat(upload.id)));
    if (upload.size === 0) await this.write(Readable.from([]), upload.id, 0);
    return upload;
  }

  override async write(body: Readable, id: string, offset: number): Promise<number> {
    const info = await this.configstore.get(flat(id));
    if (!info) return offset;
    await this.#deps.checkReserve();
    const newOffset = await super.write(body, flat(id), offset);
    if (newOffset === info.size) {
      await this.#deps.finish(path.join(this.directory, flat(id)), id);
      await this.configstore.delete(flat(id));
    }
    return newOffset;
  }

  override async getUpload(id: string): Promise<Upload> {
    if (!(await this.configstore.get(flat(id)))) return this.#finished(id);
    try {
      const upload = await super.getUpload(flat(id));
      if (upload.offset !== upload.size) return withId(upload, id);
      // The process was killed between writing the last byte and moving the file.
      await this.#deps.finish(path.join(this.directory, flat(id)), id);
    } catch (error) {
      // The process was killed between moving the file and deleting the upload.
      if (error !== ERRORS.FILE_NO_LONGER_EXISTS) throw error;
    }
    await this.configstore.delete(flat(id));
    return this.#finished(id);
  }

  override async remove(id: string): Promise<void> {
    await super.remove(flat(id));
  }

  async #finished(id: string): Promise<Upload> {
    const object = await this.#deps.stat(id);
    if (!object) throw ERRORS.FILE_NOT_FOUND;
    const { size } = object;
    return new Upload({ id, size, offset: size, creation_date: object.storedAt.toISOString() });
  }
}

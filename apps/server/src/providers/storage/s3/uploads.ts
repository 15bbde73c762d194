/**
 * Resumable uploads to a bucket. Adapts the SDK's store so that any process can continue an upload, and a completed
 * upload leaves only the object behind.
 */
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import type { MetadataValue } from '@tus/s3-store';
import { S3Store } from '@tus/s3-store';
import type { DataStore } from '@tus/server';
import { ERRORS, Upload } from '@tus/server';
import { ensurePrivateDir } from '../../../data-dir.ts';
import { kinds } from '../../../modules/upload/kinds.ts';
import type { StoredObject } from '../port.ts';
import { checkKey, unfinishedHours } from '../port.ts';

/** Folder in the bucket for the metadata and incomplete parts of unfinished uploads. No object key starts with it. */
export const resumableFolder = '.resumable/';

/** This server's folders. Anything else in the bucket belongs to other applications. */
const ownFolders = [...Object.values(kinds).map(({ folder }) => folder), 'firmware'];

/**
 * Age in milliseconds at which a buffered part must belong to a killed process, because parts are written and sent
 * within minutes.
 */
const abandonedMs = 3_600_000;

/**
 * Opens the private folder in DATA_DIR where parts are buffered before they are sent to the bucket, and removes files
 * left behind by killed processes. TMPDIR must name this folder, because the SDK's store buffers in the system's
 * temporary folder.
 */
export async function openPartsFolder(dataDir: string): Promise<string> {
  const folder = await ensurePrivateDir(dataDir, path.join('scratch', 'parts'));
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    const stats = await stat(file).catch((error) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    // A newer file may belong to another running process.
    if (stats && Date.now() - stats.mtimeMs > abandonedMs) {
      await rm(file, { recursive: true, force: true });
    }
  }
  return folder;
}

export interface S3UploadsParts {
  readonly config: S3ClientConfig;
  readonly bucket: string;
  readonly stat: (key: string) => Promise<StoredObject | null>;
  /** Maximum duration of an upload in hours, by default `unfinishedHours`. */
  readonly hours?: number;
}

/** Implements resumable uploads as multipart uploads under the object's final key. */
export function createS3Uploads(parts: S3UploadsParts): DataStore {
  return new S3Uploads(parts);
}

/** A cache that stores nothing, because an upload's next request may arrive at another process. */
const disabledCache = {
  get: async () => undefined,
  set: async () => undefined,
  delete: async () => undefined,
};

class S3Uploads extends S3Store {
  readonly #stat: S3UploadsParts['stat'];

  constructor({ config, bucket, stat, hours = unfinishedHours }: S3UploadsParts) {
    super({
      s3ClientConfig: { ...config, bucket },
      cache: disabledCache,
      useTags: false,
      expirationPeriodInMilliseconds: hours * 3_600_000,
    });
    this.#stat = stat;
    this.extensions = ['creation', 'creation-with-upload', 'termination', 'expiration'];
  }

  protected override infoKey(id: string): string {
    return `${resumableFolder}${id}.info`;
  }

  protected override partKey(id: string, isIncomplete = false): string {
    return isIncomplete ? `${resumableFolder}${id}.part` : id;
  }

  override async create(upload: Upload): Promise<Upload> {
    checkKey(upload.id);
    // A client that didn't receive the response creates the upload again. Only the latest upload counts.
    await this.#abandon(upload.id);
    const created = await super.create(upload);
    if (upload.size === 0) await this.write(Readable.from([]), upload.id, 0);
    return created;
  }

  override async write(body: Readable, id: string, offset: number): Promise<number> {
    const { file } = (await this.#info(id)) ?? {};
    if (!file) return offset;
    const newOffset = await super.write(body, id, offset);
    if (newOffset === file.size) await this.#forget(id);
    return newOffset;
  }

  override async getUpload(id: string): Promise<Upload> {
    const info = await this.#info(id);
    if (!info) return this.#finished(id);
    const upload = await super.getUpload(id);
    if (upload.offset !== upload.size) return upload;
    // The process or the store failed between receiving the last byte and completing the upload.
    if (!(await this.#stat(id))) await this.#complete(info);
    await this.#forget(id);
    return this.#finished(id);
  }

  override async remove(id: string): Promise<void> {
    if (!(await this.#abandon(id))) throw ERRORS.FILE_NOT_FOUND;
  }

  override async deleteExpired(): Promise<number> {
    const expiredBefore = Date.now() - this.getExpiration();
    let deleted = 0;
    for (let KeyMarker: string | undefined, UploadIdMarker: string | undefined; ; ) {
      const page = await this.client.listMultipartUploads({
        Bucket: this.bucket,
        KeyMarker,
        UploadIdMarker,
      });
      for (const { Key = '', UploadId = '', Initiated } of page.Uploads ?? []) {
        if (!Initiated || Initiated.getTime() > expiredBefore || !isOurs(Key)) continue;
        const info = await this.#info(Key);
        if (info?.['upload-id'] === UploadId) await this.#abandon(Key);
        else await this.client.abortMultipartUpload({ Bucket: this.bucket, Key, UploadId });
        deleted += 1;
      }
      if (!page.IsTruncated) return deleted;
      KeyMarker = page.NextKeyMarker;
      UploadIdMarker = page.NextUploadIdMarker;
    }
  }

  /** Returns an unfinished upload's metadata, or null. */
  async #info(id: string): Promise<MetadataValue | null> {
    try {
      return await this.getMetadata(id);
    } catch (error) {
      if ((error as Error).name === 'NoSuchKey') return null;
      throw error;
    }
  }

  async #complete(info: MetadataValue): Promise<void> {
    try {
      await this.finishMultipartUpload(info, await this.retrieveParts(info.file.id));
    } catch (error) {
      if ((error as Error).name !== 'NoSuchUpload') throw error;
    }
  }

  /**
   * Aborts an unfinished upload. Returns false if it doesn't exist or is finished. The object of a finished upload is
   * kept.
   */
  async #abandon(id: string): Promise<boolean> {
    const info = await this.#info(id);
    if (!info) return false;
    try {
      await this.client.abortMultipartUpload({
        Bucket: this.bucket,
        Key: id,
        UploadId: info['upload-id'],
      });
    } catch (error) {
      if ((error as Error).name !== 'NoSuchUpload') throw error;
    }
    await this.#forget(id);
    return true;
  }

  async #forget(id: string): Promise<void> {
    for (const Key of [this.partKey(id, true), this.infoKey(id)]) {
      await this.client.deleteObject({ Bucket: this.bucket, Key });
    }
  }

  async #finished(id: string): Promise<Upload> {
    const object = await this.#stat(id);
    if (!object) throw ERRORS.FILE_NOT_FOUND;
    const { size } = object;
    return new Upload({ id, size, offset: size, creation_date: object.storedAt.toISOString() });
  }
}

function isOurs(key: string): boolean {
  return ownFolders.some((folder) => key.startsWith(`${folder}/`));
}

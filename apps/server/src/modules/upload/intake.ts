import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { CallInput } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import type { Database } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import type { FormFile } from '../../http/forms.ts';
import type { UploadPace } from '../../http/upload-pace.ts';
import type { ObjectStore } from '../../providers/storage/port.ts';
import { StorageFailure } from '../../providers/storage/port.ts';
import type { UploadGrants } from './grants.ts';
import { kinds } from './kinds.ts';
import type { FileMetadata } from './service.ts';

/** A file received through the API and stored, but not registered as a recording yet. */
export interface ReceivedFile {
  readonly key: string;
  /** File name given by the client, without the extension. */
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
}

/** Receives files through the API, for clients that don't upload to the store directly. */
export interface Intake {
  /**
   * Streams a voice file to the store. If the stream fails, nothing is left behind in the store.
   * @throws CallError typeNotAccepted, tooLarge; the body's own error if reading it fails
   */
  receive(accountId: string, file: FormFile): Promise<ReceivedFile>;
  /**
   * Fills in metadata that the client omitted, except for the hash: a hash from the client means that a phone has an
   * identical copy.
   */
  completeMetadata(received: ReceivedFile, fields: CallInput<'upload/radioFile'>): FileMetadata;
  /** Deletes a file that wasn't registered as a recording. */
  drop(received: { readonly key: string }): Promise<void>;
}

export function createIntake(parts: {
  readonly db: Database;
  readonly store: ObjectStore;
  readonly reserveKey: UploadGrants['reserveKey'];
  readonly pace: UploadPace;
}): Intake {
  const { db, store, reserveKey, pace } = parts;

  async function drop({ key }: { readonly key: string }): Promise<void> {
    await store.delete(key);
    await db.deleteFrom('upload_leaves').where('key', '=', key).execute();
  }

  return {
    drop,

    async receive(accountId, file) {
      const { key, maxSize } = await reserveKey(accountId, 'voice_file', findExtension(file));
      try {
        const { size } = await store.put(key, pace.throttle(path.dirname(key), file.body), {
          maxBytes: maxSize,
        });
        return { key, size, name: path.parse(file.name).name };
      } catch (error) {
        await drop({ key });
        const isTooLarge = error instanceof StorageFailure && error.code === 'too-large';
        throw isTooLarge ? new CallError('tooLarge', 'The file is too large.') : error;
      }
    },

    completeMetadata: (received, fields) => ({
      ...fields,
      name: fields.name || received.name.slice(0, limits.recording.nameMaxLength),
      client_flag: fields.client_flag || randomUUID(),
      file_size: received.size,
    }),
  };
}

/** Returns the file name's extension or, if it has none, the extension for the media type. */
function findExtension({ name, mediaType }: FormFile): string {
  const ext = path.extname(name);
  if (ext !== '') return ext;
  const byType = Object.entries(kinds.voice_file.types).find(([, types]) =>
    types.includes(mediaType),
  );
  return byType?.[0] ?? '';
}

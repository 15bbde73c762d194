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
import type { FileFacts } from './service.ts';

/** A file that was uploaded through the API and stored, but is not yet a recording. */
export interface Kept {
  readonly key: string;
  /** The sender's file name, without extension. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

/** Receives entire files for clients that do not access the store themselves. */
export interface Intake {
  /**
   * Stores a voice file while it is received, completely or not at all.
   * @throws CallError typeNotAccepted, tooLarge; any error of the body
   */
  keep(accountId: string, file: FormFile): Promise<Kept>;
  /**
   * The sender's metadata, completed from the file itself. The hash is not completed, because a hash from
   * the sender marks the recording as stored on a phone.
   */
  describe(kept: Kept, fields: CallInput<'upload/radioFile'>): FileFacts;
  /** Deletes a file that did not become a recording. */
  drop(kept: { readonly key: string }): Promise<void>;
}

export function createIntake(parts: {
  readonly db: Database;
  readonly store: ObjectStore;
  readonly take: UploadGrants['take'];
  readonly pace: UploadPace;
}): Intake {
  const { db, store, take, pace } = parts;

  async function drop({ key }: { readonly key: string }): Promise<void> {
    await store.delete(key);
    await db.deleteFrom('upload_leaves').where('key', '=', key).execute();
  }

  return {
    drop,

    async keep(accountId, file) {
      const { key, maxSize } = await take(accountId, 'voice_file', extOf(file));
      try {
        const { size } = await store.put(key, pace.slow(path.dirname(key), file.body), {
          maxBytes: maxSize,
        });
        return { key, size, name: path.parse(file.name).name };
      } catch (error) {
        await drop({ key });
        const tooLarge = error instanceof StorageFailure && error.code === 'too-large';
        throw tooLarge ? new CallError('tooLarge', 'The file is too large.') : error;
      }
    },

    describe: (kept, fields) => ({
      ...fields,
      name: fields.name || kept.name.slice(0, limits.recording.nameMaxLength),
      client_flag: fields.client_flag || randomUUID(),
      file_size: kept.size,
    }),
  };
}

/** The extension from the file's name, else from its type. */
function extOf({ name, mediaType }: FormFile): string {
  const ext = path.extname(name);
  if (ext !== '') return ext;
  const byType = Object.entries(kinds.voice_file.types).find(([, types]) =>
    types.includes(mediaType),
  );
  return byType?.[0] ?? '';
}

/** Imports one audio file from this server's disk into an account. */
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { recordingDate } from '@linnet/audio/recording-date';
import type { ReadAt } from '@linnet/audio/samples';
import { withUtcOffset } from '@linnet/base';
import { fileRecordingId, titleOfFile } from '@linnet/contract/file-identity';
import { limits } from '@linnet/contract/limits';
import { DecodeFailure } from '../../audio/decode-failure.ts';
import { digestAudio } from '../../audio/digest.ts';
import { decoderFor, type Ffmpeg, measureSeconds, needsFfmpeg } from '../../audio/ffmpeg.ts';
import { type AudioProbe, probeAudio } from '../../audio/probe.ts';
import type { Database } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import type { ObjectStore } from '../../providers/storage/port.ts';
import { StorageFailure } from '../../providers/storage/port.ts';
import { findRecordingByFlag } from '../recording/service.ts';
import { isDeleted } from '../sync/tombstones.ts';
import type { ReserveKey } from '../upload/grants.ts';
import type { UploadService } from '../upload/service.ts';
import type { FileOutcome, ImportFailureCode } from './outcome.ts';

export interface FileImportDependencies {
  readonly db: Database;
  readonly store: ObjectStore;
  /** Null if ffmpeg isn't installed. */
  readonly ffmpeg: Ffmpeg | null;
  readonly uploads: Pick<UploadService, 'register' | 'discard'>;
  readonly reserveKey: ReserveKey;
  readonly now: () => Date;
}

/**
 * Imports a file unchanged, unless the account already has a recording with the same content. The recording's date
 * comes from the file's content, its name, or its modification time.
 * @throws disk, store and database errors; a failed import leaves nothing behind
 */
export async function importFile(
  { db, store, ffmpeg, uploads, reserveKey, now }: FileImportDependencies,
  accountId: string,
  file: string,
  signal: AbortSignal,
): Promise<FileOutcome> {
  const { size, mtime } = await stat(file);
  const read: ReadAt = (start, length) => readAt(file, start, length);
  const probe = await probeAudio(read, size);
  const { kind } = probe;
  if (!kind || (needsFfmpeg(kind) && !decoderFor(ffmpeg, kind)))
    return failed('format_unsupported');
  if (probe.isIncomplete) return failed('unreadable');
  const { sha256 } = await digestAudio(createReadStream(file));
  const clientFlag = fileRecordingId(accountId, sha256);
  const existing = await findRecordingByFlag(db, accountId, clientFlag);
  if (existing?.object_key && existing.lost_at === null) return { status: 'known' };
  if (await isDeleted(db, accountId, clientFlag)) return { status: 'deleted' };
  const seconds = await readSeconds(file, probe, ffmpeg, signal);
  if (seconds === 0) return failed('unreadable');

  let key: string | null = null;
  try {
    const terms = await reserveKey(accountId, 'voice_file', kind.ext);
    key = terms.key;
    if (size > terms.maxSize) {
      await uploads.discard(accountId, key);
      return failed(size > limits.upload.voiceBytes ? 'too_large' : 'quota_exceeded');
    }
    await store.put(key, createReadStream(file), { maxBytes: terms.maxSize });
    const date = (await recordingDate(read, size, path.basename(file), now())) ?? mtime;
    const metadata = {
      name: titleOfFile(path.basename(file)),
      source: 0,
      scene: 'audio' as const,
      file_size: size,
      mime_type: kind.mediaTypes[0],
      total_time: seconds,
      peaks: '',
      sn: '',
      client_flag: clientFlag,
      recorded_at: withUtcOffset(date),
      sha256,
    };
    await uploads.register(accountId, key, metadata, () => '');
    return { status: 'imported' };
  } catch (error) {
    if (key !== null) await uploads.discard(accountId, key);
    const outcome = toOutcome(error);
    if (outcome) return outcome;
    throw error;
  }
}

const failed = (code: ImportFailureCode): FileOutcome => ({ status: 'failed', code });

/** Returns the outcome for an error caused by the file or the account, or null for any other error. */
function toOutcome(error: unknown): FileOutcome | null {
  if (error instanceof StorageFailure && error.code === 'too-large') return failed('too_large');
  if (!(error instanceof CallError)) return null;
  switch (error.reason) {
    case 'quotaExceeded':
      return failed('quota_exceeded');
    case 'tooLarge':
      return failed('too_large');
    case 'recordingDeleted':
      return { status: 'deleted' };
    default:
      return null;
  }
}

/**
 * Returns a file's duration in seconds, or 0 if it has no readable audio. If the file doesn't state its duration,
 * decodes the audio to measure it. (For uploads, the client does this.)
 */
async function readSeconds(
  file: string,
  { kind, declaredSeconds }: AudioProbe,
  ffmpeg: Ffmpeg | null,
  signal: AbortSignal,
): Promise<number> {
  const decoder = decoderFor(ffmpeg, kind);
  if (!decoder) return declaredSeconds ?? 0;
  try {
    return await measureSeconds(decoder, file, signal);
  } catch (error) {
    if (error instanceof DecodeFailure && error.code !== 'crashed') return 0;
    throw error;
  }
}

async function readAt(file: string, start: number, length: number): Promise<Uint8Array> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

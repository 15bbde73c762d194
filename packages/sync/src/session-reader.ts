/** Reads a session from a recorder to the phone. */
import { toHex } from '@linnet/base';
import { CHUNK_SIZE } from '@linnet/device/codec';
import {
  DeviceError,
  type RecorderSession,
  type SessionDigest,
  type SessionItem,
} from '@linnet/device/session';
import { type CopyState, sha256From } from './copies.ts';
import type { RecordStore, SessionAudio } from './ports.ts';
import type { ProgressBoard } from './progress.ts';
import type { ListedSession } from './recorder-copies.ts';

export type SessionReaderOptions = {
  readonly session: Pick<RecorderSession, 'readSession'>;
  readonly records: RecordStore;
  readonly audio: SessionAudio;
  readonly progress: ProgressBoard;
  /** Reads a completed session over a faster transport than that of `session`, if there is one. */
  readonly readComplete?: RecorderSession['readSession'];
  /** Called with each durable chunk of a recording in progress. */
  readonly onLiveChunk?: (id: string, index: number, bytes: Uint8Array) => void;
};

/** Fraction of a session after which its progress is stored in the database. */
const DURABLE_PROGRESS = 0.1;
/** The same for a recording in progress, in bytes: ten seconds of audio. */
const DURABLE_LIVE_BYTES = 50 * CHUNK_SIZE;

/** Thrown if the recording was permanently deleted while it was read. */
class Deleted extends Error {}

export type ReadingOptions = {
  readonly signal: AbortSignal;
  /** Returns the latest listing of the session. */
  readonly latest: () => SessionItem;
  /** Called after each durable chunk. A rejection ends the read. */
  readonly onDurable: (isLive: boolean) => Promise<void>;
};

/**
 * Reads the missing part of a session. Afterwards, the phone's copy is `whole`, and the expected hash is stored.
 * @throws DeviceError
 * @throws any rejection of `onDurable`
 */
export async function readMissing(
  options: SessionReaderOptions,
  { item, id }: ListedSession,
  { signal, latest, onDurable }: ReadingOptions,
): Promise<void> {
  const { session, readComplete, records, audio, progress, onLiveChunk } = options;
  const copy = (await records.work([id])).get(id)?.copies.phone;
  if (copy?.status === 'whole') return;
  const file = await audio.openPackets(id, CHUNK_SIZE);
  // The recording may be permanently deleted at any time, even before the subscription below.
  let mayBeDeleted = true;
  const unsubscribe = records.subscribe(() => {
    mayBeDeleted = true;
  });
  try {
    let written = file.bytes;
    await records.update(id, {
      trouble: null,
      copies: { phone: { status: 'partial', bytes: file.bytes } },
    });
    const read: RecorderSession['readSession'] = (...args) =>
      item.stillRecording || !readComplete ? session.readSession(...args) : readComplete(...args);
    const digest = await read(item.sessionId, file.bytes / CHUNK_SIZE, {
      signal,
      onChunk: async (index, bytes) => {
        if (mayBeDeleted) {
          mayBeDeleted = false;
          if ((await records.tombstones([id])).has(id)) throw new Deleted();
        }
        await file.append(bytes);
        const { stillRecording, fileSize } = latest();
        if (stillRecording) onLiveChunk?.(id, index, bytes);
        const fraction = file.bytes / Math.max(fileSize, file.bytes);
        progress.set(id, stillRecording ? { step: 'record' } : { step: 'fetch', fraction });
        const step = stillRecording ? DURABLE_LIVE_BYTES : fileSize * DURABLE_PROGRESS;
        if (file.bytes - written >= step) {
          written = file.bytes;
          await records.update(id, {
            process: stillRecording ? 0 : Math.round(fraction * 100),
            copies: { phone: { status: 'partial', bytes: written } },
          });
        }
        await onDurable(stillRecording);
      },
    });
    await records.update(id, {
      audioBytes: digest.fileSize,
      copies: { recorder: verified(digest), phone: { status: 'whole', bytes: file.bytes } },
    });
  } catch (error) {
    await records.update(id, { copies: { phone: { status: 'partial', bytes: file.bytes } } });
    throw error;
  } finally {
    unsubscribe();
    await file.close();
  }
}

/**
 * Whether the cloud already has the audio of a session that is absent from the phone. Requests the recorder's digest
 * without the audio, by reading after the last chunk.
 * @throws DeviceError
 */
export async function isInCloud(
  { session, records }: Pick<SessionReaderOptions, 'session' | 'records'>,
  { item, id }: ListedSession,
  signal: AbortSignal,
): Promise<boolean> {
  const copies = (await records.work([id])).get(id)?.copies;
  const isCandidate =
    copies?.phone.status === 'absent' &&
    copies.recorder.status === 'whole' &&
    copies.cloud.status === 'stored' &&
    copies.cloud.sha256 !== null;
  if (!isCandidate || item.stillRecording) return false;
  const end = Math.ceil(item.fileSize / CHUNK_SIZE);
  const digest = await session.readSession(item.sessionId, end, {
    signal,
    // There is no chunk after the end, unless the listed length is wrong.
    onChunk: () => Promise.reject(new DeviceError('length_differs')),
  });
  await records.update(id, { audioBytes: digest.fileSize, copies: { recorder: verified(digest) } });
  return (await records.work([id])).get(id)?.copies.cloud.status === 'verified';
}

/** Returns the recorder's copy with the reported digest. */
function verified({ fileSize, sha256 }: SessionDigest): CopyState {
  return { status: 'verified', bytes: fileSize, sha256: sha256From(toHex(sha256)) };
}

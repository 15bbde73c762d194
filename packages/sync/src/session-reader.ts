/** Reads a session's audio from a recorder and appends it to the temporary file on the phone. */

import { toHex } from '@linnet/base';
import { CHUNK_SIZE } from '@linnet/device/codec';
import {
  DeviceError,
  type RecorderSession,
  type SessionDigest,
  type SessionItem,
} from '@linnet/device/session';
import { clearAudioProblem } from './audio-problem.ts';
import { type CopyState, sha256From } from './copies.ts';
import type { LiveSink } from './live/live-sender.ts';
import type { SessionAudio } from './ports/audio.ts';
import type { RecordStore } from './ports/records.ts';
import type { ProgressBoard } from './progress.ts';
import type { ListedSession } from './recorder-copies.ts';

export type SessionReaderOptions = {
  readonly session: Pick<RecorderSession, 'readSession'>;
  readonly records: RecordStore;
  readonly audio: SessionAudio;
  readonly progress: ProgressBoard;
  /** Reads a completed session over a faster transport than `session` uses. Omitted if none is available. */
  readonly readComplete?: RecorderSession['readSession'];
  /** Called with each chunk of a recording in progress, once it's on disk. */
  readonly onLiveChunk?: (id: string, index: number, bytes: Uint8Array) => void;
  /** Receives the packets once they're on disk. */
  readonly live?: LiveSink;
};

/** Fraction of the session between progress updates in the database. */
const STORED_PROGRESS_STEP = 0.1;
/** Bytes between progress updates for a recording in progress (ten seconds of audio). */
const STORED_LIVE_PROGRESS_BYTES = 50 * CHUNK_SIZE;

/** Thrown if the recording was permanently deleted during the read. */
class Deleted extends Error {}

export type ReadingOptions = {
  readonly signal: AbortSignal;
  /** Returns the latest listing of the session. */
  readonly latest: () => SessionItem;
  /** Called once each chunk is on disk. A rejection ends the read. */
  readonly onDurable: (isLive: boolean) => Promise<void>;
};

/**
 * Reads the missing part of a session. Afterwards, the phone's copy is `whole`, and the record contains the digest the
 * recorder reported.
 * @throws DeviceError
 * @throws any rejection of `onDurable`
 */
export async function readMissing(
  options: SessionReaderOptions,
  { item, id }: ListedSession,
  { signal, latest, onDurable }: ReadingOptions,
): Promise<void> {
  const { session, readComplete, records, audio, progress, onLiveChunk, live } = options;
  const copy = (await records.work([id])).get(id)?.copies.phone;
  if (copy?.status === 'whole') return;
  const file = await audio.openPackets(id, CHUNK_SIZE);
  // The user may permanently delete the recording at any time, even before the subscription below.
  let mayBeDeleted = true;
  const unsubscribe = records.subscribe(() => {
    mayBeDeleted = true;
  });
  try {
    let storedProgress = file.bytes;
    await records.update(id, {
      ...(await clearAudioProblem(records, id)),
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
        live?.add(id, file.bytes - bytes.length, bytes, stillRecording);
        const fraction = file.bytes / Math.max(fileSize, file.bytes);
        progress.set(
          id,
          stillRecording ? { step: 'record', source: 'recorder' } : { step: 'fetch', fraction },
        );
        const step = stillRecording ? STORED_LIVE_PROGRESS_BYTES : fileSize * STORED_PROGRESS_STEP;
        if (file.bytes - storedProgress >= step) {
          storedProgress = file.bytes;
          await records.update(id, {
            process: stillRecording ? 0 : Math.round(fraction * 100),
            copies: { phone: { status: 'partial', bytes: storedProgress } },
          });
        }
        await onDurable(stillRecording);
      },
    });
    live?.end(id, file.bytes);
    await records.update(id, {
      audioBytes: digest.fileSize,
      copies: {
        recorder: createVerifiedCopy(digest),
        phone: { status: 'whole', bytes: file.bytes },
      },
    });
  } catch (error) {
    if (error instanceof Deleted) live?.drop(id);
    await records.update(id, { copies: { phone: { status: 'partial', bytes: file.bytes } } });
    throw error;
  } finally {
    unsubscribe();
    await file.close();
  }
}

/**
 * Checks if the cloud already has a session's audio that isn't on the phone. Reads from the end of the session, so that
 * the recorder sends its digest but no audio.
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
    // The recorder sends a chunk only if the listed length was wrong.
    onChunk: () => Promise.reject(new DeviceError('length_differs')),
  });
  await records.update(id, {
    audioBytes: digest.fileSize,
    copies: { recorder: createVerifiedCopy(digest) },
  });
  return (await records.work([id])).get(id)?.copies.cloud.status === 'verified';
}

/** Returns the state of the recorder's copy, given the digest the recorder reported. */
function createVerifiedCopy({ fileSize, sha256 }: SessionDigest): CopyState {
  return { status: 'verified', bytes: fileSize, sha256: sha256From(toHex(sha256)) };
}

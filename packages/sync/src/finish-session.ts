/** Turns completely read sessions into recordings, and discards invalid ones. */
import { DeviceError } from '@linnet/device/session';
import { sha256From } from './copies.ts';
import { AudioStoreError, type Log, type RecordStore, type SessionAudio } from './ports.ts';
import type { ProgressBoard } from './progress.ts';
import { type FetchTrouble, isNew, type Trouble } from './record.ts';

/** The stores of a session's record and files, and its progress. */
type SessionStores = {
  readonly records: RecordStore;
  readonly audio: SessionAudio;
  readonly progress: ProgressBoard;
  readonly log: Log;
};

/** Thrown if the stored audio differs from the recorder's, or is missing. */
export class CopyDiffers extends Error {}

/** Discards the read part of a session, so that it is read again from its start. */
export async function discardCopy(
  { records, audio }: Pick<SessionStores, 'records' | 'audio'>,
  id: string,
): Promise<void> {
  await audio.discardPackets(id);
  await records.update(id, { copies: { phone: { status: 'absent' } } });
}

/** Removes the audio of a recording if it was permanently deleted meanwhile. @returns whether it was */
export async function removeIfDeleted(
  { records, audio, log }: Pick<SessionStores, 'records' | 'audio' | 'log'>,
  id: string,
): Promise<boolean> {
  if (!(await records.tombstones([id])).has(id)) return false;
  await audio.remove(id);
  log('session.dropped');
  return true;
}

/**
 * Sessions being finished, by store. A recorder may connect while the leftovers of an earlier connection are finished.
 */
const runs = new WeakMap<SessionAudio, Map<string, Promise<void>>>();

/**
 * Creates the files of a completely transferred session, and marks it as verified if its hash equals the recorder's. Otherwise
 * the copy is discarded and transferred again. Concurrent calls for a session share one run.
 * @throws CopyDiffers
 * @throws AudioStoreError
 */
export function finishSession(stores: SessionStores, id: string): Promise<void> {
  const running = runs.get(stores.audio) ?? new Map<string, Promise<void>>();
  runs.set(stores.audio, running);
  const existing = running.get(id);
  if (existing) return existing;
  const run = finish(stores, id).finally(() => running.delete(id));
  running.set(id, run);
  return run;
}

async function finish({ records, audio, progress, log }: SessionStores, id: string): Promise<void> {
  const copies = (await records.work([id])).get(id)?.copies;
  if (copies?.phone.status !== 'whole') return;
  const { recorder } = copies;
  // Without a copy on a recorder, the phone's own packets are the source.
  if (recorder.status !== 'verified' && recorder.status !== 'absent') return;
  progress.set(id, { step: 'prepare', fraction: 0 });
  const made = await audio
    .finish(id, (fraction) => progress.set(id, { step: 'prepare', fraction }))
    .catch((error: unknown) => {
      if (error instanceof AudioStoreError && error.code === 'file_missing') return null;
      throw error;
    });
  if (!made || (recorder.status === 'verified' && made.sha256 !== recorder.sha256)) {
    await discardCopy({ records, audio }, id);
    throw new CopyDiffers();
  }
  await records.update(id, {
    trouble: null,
    is_new: isNew.unread,
    record_time: Math.round(made.seconds),
    localfile: made.localfile,
    peaks: made.peaks,
    audioBytes: made.bytes,
    copies: {
      phone: { status: 'verified', bytes: made.bytes, sha256: sha256From(made.sha256) },
    },
  });
  await audio.discardPackets(id);
  log('session.stored', { bytes: made.bytes });
}

/**
 * Finishes sessions that a crash interrupted between reading and verification. No recorder is needed. A copy whose hash
 * differs is discarded, and the next connection reads it again.
 */
export async function finishLeftovers(
  options: SessionStores & { readonly uid: string },
): Promise<void> {
  for (const { id } of await options.records.unfinished(options.uid)) {
    try {
      await finishSession(options, id);
      await removeIfDeleted(options, id);
    } catch (error) {
      if (await removeIfDeleted(options, id)) continue;
      const code = error instanceof CopyDiffers ? 'checksum_differs' : troubleOf(error);
      if (!code) throw error;
      const trouble: Trouble = { step: 'fetch', code };
      await options.records.update(id, { trouble });
    } finally {
      options.progress.clear(id);
    }
  }
}

/** Returns the trouble to show for a failure; null if it does not concern the recording. */
export function troubleOf(error: unknown): FetchTrouble | null {
  if (error instanceof AudioStoreError) {
    if (error.code === 'storage_full' || error.code === 'not_audio') return error.code;
    return null;
  }
  if (error instanceof DeviceError && error.code === 'session_unknown') return 'session_gone';
  return null;
}

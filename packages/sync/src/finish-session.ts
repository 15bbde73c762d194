/**
 * Turns fully read sessions into recordings: creates the audio files, compares their digest with the recorder's, and
 * discards audio that differs.
 */
import { wholeSeconds } from '@linnet/contract/durations';
import { DeviceError } from '@linnet/device/session';
import { clearAudioProblem } from './audio-problem.ts';
import { sha256From } from './copies.ts';
import type { Log } from './log.ts';
import { AudioStoreError, type SessionAudio } from './ports/audio.ts';
import type { RecordStore } from './ports/records.ts';
import type { ProgressBoard } from './progress.ts';
import { type FetchProblem, isNew, type Problem } from './record.ts';

/** The stores of a session's record and files, and its progress. */
type SessionStores = {
  readonly records: RecordStore;
  readonly audio: SessionAudio;
  readonly progress: ProgressBoard;
  readonly log: Log;
};

/** Thrown if the stored audio is missing or differs from the recorder's copy. */
export class CopyDiffers extends Error {}

/** Discards the audio read so far, so that the session is read again from the beginning. */
export async function discardCopy(
  { records, audio }: Pick<SessionStores, 'records' | 'audio'>,
  id: string,
): Promise<void> {
  await audio.discardPackets(id);
  await records.update(id, { copies: { phone: { status: 'absent' } } });
}

/** Removes the audio of a recording if the recording was permanently deleted. @returns true if it was */
export async function removeIfDeleted(
  { records, audio, log }: Pick<SessionStores, 'records' | 'audio' | 'log'>,
  id: string,
): Promise<boolean> {
  if (!(await records.tombstones([id])).has(id)) return false;
  await audio.remove(id);
  log('audio.removed');
  return true;
}

/**
 * Sessions being finished, by store and ID. Kept across connections, because a recorder may reconnect while sessions
 * from an earlier connection are still being finished.
 */
const runsByStore = new WeakMap<SessionAudio, Map<string, Promise<void>>>();

/**
 * Creates the audio files of a fully read session, and marks the phone's copy as verified if its digest matches the
 * recorder's. Otherwise discards the copy, so that the session is read again. Concurrent calls for a session share one
 * run.
 * @throws CopyDiffers
 * @throws AudioStoreError
 */
export function finishSession(stores: SessionStores, id: string): Promise<void> {
  const runs = runsByStore.get(stores.audio) ?? new Map<string, Promise<void>>();
  runsByStore.set(stores.audio, runs);
  const existing = runs.get(id);
  if (existing) return existing;
  const run = finish(stores, id).finally(() => runs.delete(id));
  runs.set(id, run);
  return run;
}

async function finish({ records, audio, progress, log }: SessionStores, id: string): Promise<void> {
  const copies = (await records.work([id])).get(id)?.copies;
  if (copies?.phone.status !== 'whole') return;
  const { recorder } = copies;
  // If no recorder has a copy, the phone's own packets are the source.
  if (recorder.status !== 'verified' && recorder.status !== 'absent') return;
  progress.set(id, { step: 'prepare', fraction: 0 });
  const finished = await audio
    .finish(id, (fraction) => progress.set(id, { step: 'prepare', fraction }))
    .catch((error: unknown) => {
      if (error instanceof AudioStoreError && error.code === 'file_missing') return null;
      throw error;
    });
  if (!finished || (recorder.status === 'verified' && finished.sha256 !== recorder.sha256)) {
    await discardCopy({ records, audio }, id);
    throw new CopyDiffers();
  }
  await records.update(id, {
    ...(await clearAudioProblem(records, id)),
    is_new: isNew.unread,
    record_time: wholeSeconds(finished.seconds),
    localfile: finished.localfile,
    peaks: finished.peaks,
    audioBytes: finished.bytes,
    copies: {
      phone: { status: 'verified', bytes: finished.bytes, sha256: sha256From(finished.sha256) },
    },
  });
  await audio.discardPackets(id);
  log('session.stored', { bytes: finished.bytes });
}

/**
 * Finishes sessions that were fully read but not verified before a crash. Doesn't need the recorder. A copy whose
 * digest differs is discarded, and the session is read again the next time the recorder connects.
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
      const code = error instanceof CopyDiffers ? 'checksum_differs' : toProblem(error);
      if (!code) throw error;
      const problem: Problem = { step: 'fetch', code };
      await options.records.update(id, { problem });
    } finally {
      options.progress.clear(id);
    }
  }
}

/** Returns the problem to show for a failure, or null if the failure isn't specific to the recording. */
export function toProblem(error: unknown): FetchProblem | null {
  if (error instanceof AudioStoreError) {
    if (error.code === 'storage_full' || error.code === 'not_audio') return error.code;
    return null;
  }
  if (error instanceof DeviceError && error.code === 'session_unknown') return 'session_gone';
  return null;
}

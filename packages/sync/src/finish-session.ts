/** Turns completely read sessions into recordings, and discards those that are not valid. */
import { DeviceError } from '@linnet/device/session';
import { AudioStoreError, type Log, type RecordStore, type SessionAudio } from './ports.ts';
import type { ProgressBoard } from './progress.ts';
import { type FetchTrouble, isNew, type Trouble } from './record.ts';

/** The stores of a session's record and files, and the progress to report to. */
type Where = {
  readonly records: RecordStore;
  readonly audio: SessionAudio;
  readonly progress: ProgressBoard;
  readonly log: Log;
};

/** The stored audio differs from the recorder's, or is gone. */
export class CopyDiffers extends Error {}

/** Discards the read part of a session, so that it is read again from its start. */
export async function dropCopy(
  { records, audio }: Pick<Where, 'records' | 'audio'>,
  id: string,
): Promise<void> {
  await audio.discardPackets(id);
  await records.update(id, { copies: { phone: { status: 'absent' } } });
}

/** Deletes the audio of a recording that was permanently deleted meanwhile. @returns whether it was */
export async function dropIfDeleted(
  { records, audio, log }: Pick<Where, 'records' | 'audio' | 'log'>,
  id: string,
): Promise<boolean> {
  if (!(await records.tombstones([id])).has(id)) return false;
  await audio.remove(id);
  log('session.dropped');
  return true;
}

/** Sessions being finished, by store: a recorder may reconnect while leftovers of the last start are finished. */
const underWay = new WeakMap<SessionAudio, Map<string, Promise<void>>>();

/**
 * Makes the files of a completely read session, and marks it as verified if its hash agrees with the recorder's;
 * otherwise the copy is discarded, to be read again. Concurrent calls for a session share one run.
 * @throws CopyDiffers
 * @throws AudioStoreError
 */
export function finishSession(where: Where, id: string): Promise<void> {
  const here = underWay.get(where.audio) ?? new Map<string, Promise<void>>();
  underWay.set(where.audio, here);
  const asked = here.get(id);
  if (asked) return asked;
  const finishing = finish(where, id).finally(() => here.delete(id));
  here.set(id, finishing);
  return finishing;
}

async function finish({ records, audio, progress, log }: Where, id: string): Promise<void> {
  const copies = (await records.work([id])).get(id)?.copies;
  if (copies?.phone.status !== 'whole' || copies.recorder.status !== 'verified') return;
  progress.set(id, { step: 'prepare', fraction: 0 });
  const made = await audio
    .finish(id, (fraction) => progress.set(id, { step: 'prepare', fraction }))
    .catch((error: unknown) => {
      if (error instanceof AudioStoreError && error.code === 'file_missing') return null;
      throw error;
    });
  if (made?.sha256 !== copies.recorder.sha256) {
    await dropCopy({ records, audio }, id);
    throw new CopyDiffers();
  }
  await records.update(id, {
    trouble: null,
    is_new: isNew.unread,
    record_time: Math.round(made.seconds),
    localfile: made.localfile,
    peaks: made.peaks,
    audioBytes: made.bytes,
    copies: { phone: { status: 'verified', bytes: made.bytes, sha256: copies.recorder.sha256 } },
  });
  await audio.discardPackets(id);
  log('session.stored', { bytes: made.bytes });
}

/**
 * Finishes sessions that a crash left between reading and verification, which needs no recorder. A copy whose hash
 * differs is discarded; the next connection reads it again.
 */
export async function finishLeftovers(options: Where & { readonly uid: string }): Promise<void> {
  for (const { id } of await options.records.unfinished(options.uid)) {
    try {
      await finishSession(options, id);
      await dropIfDeleted(options, id);
    } catch (error) {
      if (await dropIfDeleted(options, id)) continue;
      const code = error instanceof CopyDiffers ? 'checksum_differs' : troubleOf(error);
      if (!code) throw error;
      const trouble: Trouble = { step: 'fetch', code };
      await options.records.update(id, { trouble });
    } finally {
      options.progress.clear(id);
    }
  }
}

/** The trouble that a failure is shown as; null if it concerns no recording. */
export function troubleOf(error: unknown): FetchTrouble | null {
  if (error instanceof AudioStoreError) {
    if (error.code === 'storage_full' || error.code === 'not_audio') return error.code;
    return null;
  }
  if (error instanceof DeviceError && error.code === 'session_unknown') return 'session_gone';
  return null;
}

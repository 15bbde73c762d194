/** What makes a session that was read to its end a recording, and what becomes of one that is none. */
import { DeviceError } from '@linnet/device/session';
import { AudioStoreError, type Log, type RecordStore, type SessionAudio } from './ports.ts';
import type { ProgressBoard } from './progress.ts';
import { type FetchTrouble, isNew, type Trouble } from './record.ts';

/** Where a session's recording and its files are, and who is told. */
type Where = {
  readonly records: RecordStore;
  readonly audio: SessionAudio;
  readonly progress: ProgressBoard;
  readonly log: Log;
};

/** What was stored is not what the recorder has, or is gone. */
export class CopyDiffers extends Error {}

/** Drops what was read of a session, to be read again from its start. */
export async function dropCopy(
  { records, audio }: Pick<Where, 'records' | 'audio'>,
  id: string,
): Promise<void> {
  await audio.discardPackets(id);
  await records.update(id, { copies: { phone: { status: 'absent' } } });
}

/** Leaves no audio of a recording that was deleted for good meanwhile. @returns whether it was */
export async function dropIfDeleted(
  { records, audio, log }: Pick<Where, 'records' | 'audio' | 'log'>,
  id: string,
): Promise<boolean> {
  if (!(await records.tombstones([id])).has(id)) return false;
  await audio.remove(id);
  log('session.dropped');
  return true;
}

/** What is being finished, by where its files are: a recorder may come back while the last start is tidied up. */
const underWay = new WeakMap<SessionAudio, Map<string, Promise<void>>>();

/**
 * Makes the files of a session that was read to its end, and counts it as verified if its hash agrees
 * with the recorder's; otherwise the copy is dropped, to be read again. Whoever asks while it is done
 * waits for the same.
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
 * Finishes what a crash left between reading and verifying, for which no recorder is needed. A copy whose
 * hash differs is dropped; the next connection reads it again.
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

/** What a failure is to the owner of a recording; null where it is nothing of theirs. */
export function troubleOf(error: unknown): FetchTrouble | null {
  if (error instanceof AudioStoreError) {
    if (error.code === 'storage_full' || error.code === 'not_audio') return error.code;
    return null;
  }
  if (error instanceof DeviceError && error.code === 'session_unknown') return 'session_gone';
  return null;
}

import { type Sha256, sha256From } from './copies.ts';
import {
  type AudioStore,
  AudioStoreError,
  type AudioWorkshop,
  type Clock,
  type Cloud,
  type Log,
  NoRoom,
  type RecordStore,
} from './ports.ts';
import type { ProgressBoard } from './progress.ts';
import type { FetchTrouble, RecordSummary } from './record.ts';
import { type CloudReach, Retrying, value } from './retrying.ts';

/** What is downloaded without a further tap. */
export type DownloadPolicy = {
  /** Whether phones keep audio: then all of it is downloaded that is only in the cloud. */
  readonly all: boolean;
  /** Whether audio may be received over the network this device is on. */
  readonly mayReceive: boolean;
};

export type CloudDownloadsOptions = {
  readonly uid: string;
  readonly records: RecordStore;
  readonly audio: AudioStore;
  readonly workshop: Pick<AudioWorkshop, 'convert'>;
  readonly cloud: Pick<Cloud, 'download'>;
  readonly progress: ProgressBoard;
  readonly policy: () => DownloadPolicy | Promise<DownloadPolicy>;
  /** Bytes that the platform still lets this app store; null where it does not say. */
  readonly freeBytes: () => Promise<number | null>;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * Bytes that stay free on the phone: new recordings come first. Ten hours as the recorder writes them, 64 kbit/s
 * (PROTOCOL.md), are 288 MB.
 */
export const KEPT_FREE_BYTES = 300 * 1024 * 1024;

/**
 * What a recording takes while it is prepared, as a multiple of its packets: the download, the packets and the
 * master are about equal in size, and its WAV (16 kHz, 16 bit) is four times as large.
 */
const SPACE_FACTOR = 7;

/** The share of a download that is receiving; the rest makes the files that are kept. */
const RECEIVING = 0.9;

/** A recording whose audio lies in the cloud alone, and the digest that its copy here must have. */
type Candidate = Pick<RecordSummary, 'id' | 'audioBytes'> & { readonly sha256: Sha256 };

/** What is downloaded, for a recording that can be; null for others. */
export function downloadOf({
  id,
  audioBytes,
  copies,
  is_del,
}: Pick<RecordSummary, 'id' | 'audioBytes' | 'copies' | 'is_del'>): Candidate | null {
  const { recorder, phone, cloud } = copies;
  if (is_del === 1 || phone.status !== 'absent') return null;
  if (cloud.status !== 'stored' && cloud.status !== 'verified') return null;
  // Where a recorder has it too, its digest decides which audio is the recording's.
  const isJudged = recorder.status === 'absent' || cloud.status === 'verified';
  return isJudged && cloud.sha256 !== null ? { id, audioBytes, sha256: cloud.sha256 } : null;
}

/** A download under way, and what ends it. */
type Receiving = { readonly id: string; readonly control: AbortController };

/** Failures of the audio itself, or of this phone: another try now would end the same. */
const FINAL: Partial<Record<AudioStoreError['code'], FetchTrouble>> = {
  storage_full: 'storage_full',
  not_audio: 'not_audio',
  no_sound: 'not_audio',
  too_large: 'not_audio',
};

/**
 * Downloads audio that lies only in the cloud, newest first, while phones keep audio; and what the owner asks for
 * before that. A download resumes at its last durable byte, and counts only once the digest of what it holds
 * equals the server's. What is to be done is read from the database at each pass.
 */
export class CloudDownloads {
  readonly #options: CloudDownloadsOptions;
  readonly #retrying: Retrying;
  /** Recordings that the owner asked for, first come first. */
  readonly #requested = new Set<string>();
  /** Recordings that failed in this session, and wait for the owner. */
  readonly #failed = new Set<string>();
  #isSpaceLow = false;
  /** Ends what is being received. */
  #receiving: Receiving | null = null;

  constructor(options: CloudDownloadsOptions) {
    this.#options = options;
    this.#retrying = new Retrying({ ...options, event: 'download.waiting' });
  }

  get reach(): CloudReach {
    return this.#retrying.reach;
  }

  /** Calls back when {@link reach} changes. */
  subscribe(listener: () => void): () => void {
    return this.#retrying.subscribe(listener);
  }

  /** Looks again: the network, a setting, or the database changed. */
  wake(): void {
    const current = this.#receiving;
    if (current) void this.#stopUnlessAllowed(current);
    this.#retrying.wake();
  }

  async #stopUnlessAllowed({ id, control }: Receiving): Promise<void> {
    const { all, mayReceive } = await this.#options.policy();
    if (!mayReceive || !(all || this.#requested.has(id))) control.abort();
  }

  /** Puts a recording before the others, as the owner asked; one that failed is tried again. */
  request(id: string): void {
    this.#failed.delete(id);
    this.#requested.add(id);
    this.#retrying.wake();
  }

  /** Stops downloading a recording, and drops what came of it. */
  async cancel(id: string): Promise<void> {
    this.#requested.delete(id);
    // Else the next pass would begin it again.
    this.#failed.add(id);
    if (this.#receiving?.id === id) this.#receiving.control.abort();
    else await this.#options.audio.discardDownload(id);
  }

  /** Works until `signal` aborts, then resolves. */
  async run(signal: AbortSignal): Promise<void> {
    const unsubscribe = this.#options.records.subscribe(() => this.#retrying.again());
    try {
      for (;;) {
        const more = await this.#retrying.untilItWorks(() => this.#pass(signal), signal);
        if (!more) await this.#retrying.pause(null, signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      unsubscribe();
    }
  }

  /** Downloads the next recording. @returns whether there may be another */
  async #pass(signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    const next = await this.#next();
    if (!next) return false;
    const control = new AbortController();
    this.#receiving = { id: next.id, control };
    try {
      await this.#download(next, AbortSignal.any([signal, control.signal]));
      this.#requested.delete(next.id);
    } catch (error) {
      signal.throwIfAborted();
      if (control.signal.aborted) {
        if (this.#failed.has(next.id)) await this.#options.audio.discardDownload(next.id);
      } else await this.#giveUp(next.id, error);
    } finally {
      this.#receiving = null;
      this.#options.progress.clear(next.id);
    }
    return true;
  }

  /** Whether something was left out because the phone has too little space. */
  get isSpaceLow(): boolean {
    return this.#isSpaceLow;
  }

  async #next(): Promise<Candidate | null> {
    const { records, uid, policy } = this.#options;
    const { all, mayReceive } = await policy();
    if (!mayReceive) return null;
    const rows = await records.summaries(uid);
    const open = rows
      .filter(({ id }) => !this.#failed.has(id))
      .map((row) => ({ keptHere: row.keptHere, download: downloadOf(row) }))
      .flatMap(({ keptHere, download }) => (download ? [{ ...download, keptHere }] : []));
    for (const id of this.#requested) {
      const asked = open.find((each) => each.id === id);
      if (asked) return asked;
      // It is here by now, or nowhere.
      this.#requested.delete(id);
    }
    this.#isSpaceLow = false;
    for (const candidate of open) {
      const isWanted = candidate.keptHere === 'always' || (all && candidate.keptHere === 'auto');
      if (!isWanted) continue;
      if (await this.#fits(candidate)) return candidate;
      this.#isSpaceLow = true;
    }
    return null;
  }

  /** Whether a recording leaves enough of the phone free; one that the owner asked for is always tried. */
  async #fits({ audioBytes }: Candidate): Promise<boolean> {
    const free = await this.#options.freeBytes();
    return free === null || free - SPACE_FACTOR * audioBytes >= KEPT_FREE_BYTES;
  }

  async #download({ id, sha256 }: Candidate, signal: AbortSignal): Promise<void> {
    const { records, audio, progress, log } = this.#options;
    await this.#receive(id, signal);
    const report = (fraction: number) =>
      progress.set(id, { step: 'download', fraction: RECEIVING + (1 - RECEIVING) * fraction });
    const isMaster = await this.#unpack(id, signal);
    const made = await audio.finish(id, report);
    const own = sha256From(made.sha256);
    await audio.discardPackets(id);
    // A recording of another kind is played from what was made of it, which is no copy of the original.
    if (isMaster && own !== sha256) {
      await audio.remove(id);
      throw new DownloadDiffers();
    }
    await records.update(id, {
      trouble: null,
      localfile: made.localfile,
      peaks: made.peaks,
      audioBytes: made.bytes,
      copies: {
        // The digest of the cloud's file: while the cloud has that one, what was made of it here may go.
        phone: isMaster
          ? { status: 'verified', bytes: made.bytes, sha256: own }
          : { status: 'stored', bytes: made.bytes, sha256 },
      },
    });
    await audio.discardDownload(id);
    log('download.done', { bytes: made.bytes });
  }

  /** Receives what is missing of the stored file. */
  async #receive(id: string, signal: AbortSignal): Promise<void> {
    const { records, audio, cloud, progress } = this.#options;
    const detail = await records.detail(id);
    if (!detail?.server_id) throw new DownloadDiffers();
    const { cloud: stored } = detail.copies;
    const file = await audio.openDownload(id);
    try {
      // All of it came before, and was not unpacked.
      if (stored.status !== 'absent' && file.bytes >= stored.bytes) return;
      value(
        await cloud.download(
          detail.server_id,
          file.bytes,
          async (bytes, size) => {
            await file.append(bytes);
            progress.set(id, {
              step: 'download',
              fraction: (RECEIVING * file.bytes) / Math.max(size, file.bytes),
            });
          },
          signal,
        ),
      );
    } finally {
      await file.close();
    }
  }

  /** Makes packets of the download. @returns whether they are the very ones that it holds */
  async #unpack(id: string, signal: AbortSignal): Promise<boolean> {
    const { audio, workshop } = this.#options;
    try {
      await audio.unpack(id);
      return true;
    } catch (error) {
      if (!(error instanceof AudioStoreError) || error.code !== 'not_audio') throw error;
    }
    const file = await audio.download(id);
    if (!file) throw new AudioStoreError('file_missing');
    await workshop.convert(id, file, () => {}, signal);
    return false;
  }

  async #giveUp(id: string, error: unknown): Promise<void> {
    const { records, audio, log } = this.#options;
    const isDifferent = error instanceof DownloadDiffers;
    const isFull = error instanceof NoRoom;
    const final = error instanceof AudioStoreError ? FINAL[error.code] : undefined;
    const code = isDifferent ? 'download_differs' : isFull ? 'storage_full' : final;
    if (code === undefined) {
      if (!(error instanceof AudioStoreError)) throw error;
      // Another tab, or the platform, took the file away: the next start of the app tries again.
      this.#failed.add(id);
      log('download.failed', { code: error.code });
      return;
    }
    this.#failed.add(id);
    log('download.failed', { code });
    // What came stays when only space is missing.
    if (code !== 'storage_full') await audio.discardDownload(id);
    const isAsked = this.#requested.delete(id);
    // Audio that this phone cannot keep goes on playing from the cloud.
    const isOnlyStreamed = code === 'not_audio' && !isAsked;
    await records.update(
      id,
      isOnlyStreamed ? { keptHere: 'never' } : { trouble: { step: 'fetch', code } },
    );
  }
}

/** The downloaded audio is not what the server said that it holds. */
class DownloadDiffers extends Error {}

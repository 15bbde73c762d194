import { type Sha256, sha256From } from './copies.ts';
import {
  type AudioStore,
  AudioStoreError,
  type AudioWorkshop,
  type Clock,
  type Cloud,
  type Log,
  type RecordStore,
  StorageFull,
} from './ports.ts';
import type { ProgressBoard } from './progress.ts';
import type { FetchTrouble, RecordSummary } from './record.ts';
import { type CloudReach, Retrying, value } from './retrying.ts';

/** Which recordings are downloaded automatically. */
export type DownloadPolicy = {
  /** Whether the storage setting includes phones, so that all audio that is only in the cloud is downloaded. */
  readonly all: boolean;
  /** Whether the current network may be used for downloads. */
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
  /** Returns the disk space available to this app, in bytes; null if the platform does not report it. */
  readonly freeBytes: () => Promise<number | null>;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * Disk space that automatic downloads leave free for new recordings, in bytes: ten hours at the recorder's 64 kbit/s
 * (PROTOCOL.md) are 288 MB.
 */
export const KEPT_FREE_BYTES = 300 * 1024 * 1024;

/**
 * Disk space needed to prepare a recording, as a multiple of the size of its packets: the download, the packets and the
 * master are about equal in size, and the WAV (16 kHz, 16 bit) is four times as large.
 */
const SPACE_FACTOR = 7;

/** The fraction of a download's progress that is the transfer; the rest is conversion. */
const RECEIVING = 0.9;

/** A recording whose audio is only in the cloud, and the digest that the downloaded copy must have. */
type Candidate = Pick<RecordSummary, 'id' | 'audioBytes'> & { readonly sha256: Sha256 };

/** Returns the candidate if a recording can be downloaded; otherwise null. */
export function downloadCandidate({
  id,
  audioBytes,
  copies,
  is_del,
}: Pick<RecordSummary, 'id' | 'audioBytes' | 'copies' | 'is_del'>): Candidate | null {
  const { recorder, phone, cloud } = copies;
  if (is_del === 1 || phone.status !== 'absent') return null;
  if (cloud.status !== 'stored' && cloud.status !== 'verified') return null;
  // While the recorder also has a copy, the cloud's counts only once it matches the recorder's digest.
  const isTrusted = recorder.status === 'absent' || cloud.status === 'verified';
  return isTrusted && cloud.sha256 !== null ? { id, audioBytes, sha256: cloud.sha256 } : null;
}

/** A download in progress, and the controller that cancels it. */
type Receiving = { readonly id: string; readonly control: AbortController };

/** Failures of the audio or of this phone, which an immediate retry would repeat. */
const PERMANENT_FAILURES: Partial<Record<AudioStoreError['code'], FetchTrouble>> = {
  storage_full: 'storage_full',
  not_audio: 'not_audio',
  no_sound: 'not_audio',
  too_large: 'not_audio',
};

/**
 * Downloads audio that is only in the cloud: first the recordings requested by the user, then, while the storage setting
 * includes phones, all others, newest first. A download resumes after its last durable byte, and counts only once its
 * digest equals the server's. Each pass derives the next recording from the database.
 */
export class CloudDownloads {
  readonly #options: CloudDownloadsOptions;
  readonly #retrying: Retrying;
  /** Recordings requested by the user, in the order of the requests. */
  readonly #requested = new Set<string>();
  /** Recordings whose download failed or was canceled in this session; only the user can request them again. */
  readonly #failed = new Set<string>();
  #isSpaceLow = false;
  /** The download in progress. */
  #receiving: Receiving | null = null;

  constructor(options: CloudDownloadsOptions) {
    this.#options = options;
    this.#retrying = new Retrying({ ...options, event: 'download.waiting' });
  }

  get reach(): CloudReach {
    return this.#retrying.reach;
  }

  /** Calls the listener when {@link reach} changes. */
  subscribe(listener: () => void): () => void {
    return this.#retrying.subscribe(listener);
  }

  /** Call when the network, a setting, or the database has changed. */
  wake(): void {
    const current = this.#receiving;
    if (current) void this.#stopUnlessAllowed(current);
    this.#retrying.wake();
  }

  async #stopUnlessAllowed({ id, control }: Receiving): Promise<void> {
    const { all, mayReceive } = await this.#options.policy();
    if (!mayReceive || !(all || this.#requested.has(id))) control.abort();
  }

  /** Downloads a recording before all others at the user's request, even if it failed before. */
  request(id: string): void {
    this.#failed.delete(id);
    this.#requested.add(id);
    this.#retrying.wake();
  }

  /** Cancels a download and discards the received part. */
  async cancel(id: string): Promise<void> {
    this.#requested.delete(id);
    // Otherwise the next pass would start it again.
    this.#failed.add(id);
    if (this.#receiving?.id === id) this.#receiving.control.abort();
    else await this.#options.audio.discardDownload(id);
  }

  /** Works until `signal` aborts, then resolves. */
  async run(signal: AbortSignal): Promise<void> {
    const unsubscribe = this.#options.records.subscribe(() => this.#retrying.requestPass());
    try {
      for (;;) {
        const more = await this.#retrying.retry(() => this.#pass(signal), signal);
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

  /** Whether a recording was skipped because the phone has too little disk space. */
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
      .map((row) => ({ phoneRetention: row.phoneRetention, download: downloadCandidate(row) }))
      .flatMap(({ phoneRetention, download }) =>
        download ? [{ ...download, phoneRetention }] : [],
      );
    for (const id of this.#requested) {
      const candidate = open.find((each) => each.id === id);
      if (candidate) return candidate;
      // Already downloaded, or no longer available.
      this.#requested.delete(id);
    }
    this.#isSpaceLow = false;
    for (const candidate of open) {
      const isIncluded =
        candidate.phoneRetention === 'always' || (all && candidate.phoneRetention === 'auto');
      if (!isIncluded) continue;
      if (await this.#fits(candidate)) return candidate;
      this.#isSpaceLow = true;
    }
    return null;
  }

  /** Whether an automatic download leaves enough space free. Requested downloads are not checked. */
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
    const computed = sha256From(made.sha256);
    await audio.discardPackets(id);
    // A file in another format was converted, so its digest cannot match the original's.
    if (isMaster && computed !== sha256) {
      await audio.remove(id);
      throw new DownloadDiffers();
    }
    await records.update(id, {
      trouble: null,
      localfile: made.localfile,
      peaks: made.peaks,
      audioBytes: made.bytes,
      copies: {
        // A converted copy has the digest of the cloud's file, so that it may be deleted while that file exists.
        phone: isMaster
          ? { status: 'verified', bytes: made.bytes, sha256: computed }
          : { status: 'stored', bytes: made.bytes, sha256 },
      },
    });
    await audio.discardDownload(id);
    log('download.done', { bytes: made.bytes });
  }

  /** Downloads the missing part of the stored file. */
  async #receive(id: string, signal: AbortSignal): Promise<void> {
    const { records, audio, cloud, progress } = this.#options;
    const detail = await records.detail(id);
    if (!detail?.server_id) throw new DownloadDiffers();
    const { cloud: stored } = detail.copies;
    const file = await audio.openDownload(id);
    try {
      // Completely received before, but not yet unpacked.
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

  /** Extracts the packets of the download, or converts it. @returns whether they are the original packets */
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
    const isFull = error instanceof StorageFull;
    const final = error instanceof AudioStoreError ? PERMANENT_FAILURES[error.code] : undefined;
    const code = isDifferent ? 'download_differs' : isFull ? 'storage_full' : final;
    if (code === undefined) {
      if (!(error instanceof AudioStoreError)) throw error;
      // Another tab or the platform removed the file. The next app start retries.
      this.#failed.add(id);
      log('download.failed', { code: error.code });
      return;
    }
    this.#failed.add(id);
    log('download.failed', { code });
    // If only disk space is missing, the received part is retained.
    if (code !== 'storage_full') await audio.discardDownload(id);
    const isRequested = this.#requested.delete(id);
    // Audio that this phone cannot convert can still be streamed from the cloud.
    const isOnlyStreamed = code === 'not_audio' && !isRequested;
    await records.update(
      id,
      isOnlyStreamed ? { phoneRetention: 'never' } : { trouble: { step: 'fetch', code } },
    );
  }
}

/** The digest of the downloaded audio differs from the server's. */
class DownloadDiffers extends Error {}

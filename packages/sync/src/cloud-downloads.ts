import { clearAudioProblem } from './audio-problem.ts';
import type { Clock } from './clock.ts';
import { type Sha256, sha256From } from './copies.ts';
import { removeIfDeleted } from './finish-session.ts';
import type { Log } from './log.ts';
import { type AudioProcessor, type AudioStore, AudioStoreError } from './ports/audio.ts';
import type { Cloud } from './ports/cloud.ts';
import { type RecordStore, StorageFull } from './ports/records.ts';
import type { ProgressBoard } from './progress.ts';
import type { FetchProblem, RecordSummary } from './record.ts';
import { type CloudReachability, Retrier, unwrap } from './retrying.ts';

/** Which recordings are downloaded automatically. */
export type DownloadPolicy = {
  /** True if the storage setting includes phones, so all audio that's only in the cloud is downloaded. */
  readonly all: boolean;
  /** True if the current network may be used for downloads. */
  readonly mayReceive: boolean;
};

export type CloudDownloadsOptions = {
  readonly uid: string;
  readonly records: RecordStore;
  readonly audio: AudioStore;
  readonly audioProcessor: Pick<AudioProcessor, 'convert'>;
  readonly cloud: Pick<Cloud, 'download'>;
  readonly progress: ProgressBoard;
  readonly policy: () => DownloadPolicy | Promise<DownloadPolicy>;
  /** Returns the disk space available to this app in bytes, or null if the platform doesn't report it. */
  readonly freeBytes: () => Promise<number | null>;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * Disk space that automatic downloads leave free for new recordings, in bytes. Ten hours at the recorder's 64 kbit/s
 * (PROTOCOL.md) take 288 MB.
 */
export const KEPT_FREE_BYTES = 300 * 1024 * 1024;

/**
 * Disk space needed to prepare a recording, as a multiple of the size of its packets. The download, the packets and the
 * master are about the same size, and the WAV (16 kHz, 16 bit) is four times as large.
 */
const SPACE_FACTOR = 7;

/** Fraction of a download's progress bar allotted to the transfer. The conversion gets the rest. */
const TRANSFER_SHARE = 0.9;

/** A recording whose audio isn't on this phone, and the digest that the download must match. */
type Candidate = Pick<RecordSummary, 'id' | 'audioBytes'> & { readonly sha256: Sha256 };

/** Returns a candidate if the recording can be downloaded, otherwise null. */
export function downloadCandidate({
  id,
  audioBytes,
  copies,
  is_del,
}: Pick<RecordSummary, 'id' | 'audioBytes' | 'copies' | 'is_del'>): Candidate | null {
  const { recorder, phone, cloud } = copies;
  if (is_del === 1 || phone.status !== 'absent') return null;
  if (cloud.status !== 'stored' && cloud.status !== 'verified') return null;
  // While the recorder still has a copy, trust the cloud's copy only if its digest matches the recorder's.
  const isTrusted = recorder.status === 'absent' || cloud.status === 'verified';
  return isTrusted && cloud.sha256 !== null ? { id, audioBytes, sha256: cloud.sha256 } : null;
}

/** A download in progress, and the controller that cancels it. */
type ActiveDownload = { readonly id: string; readonly control: AbortController };

/** Failures that retrying wouldn't fix. */
const PERMANENT_FAILURES: Partial<Record<AudioStoreError['code'], FetchProblem>> = {
  storage_full: 'storage_full',
  not_audio: 'not_audio',
  no_sound: 'not_audio',
  too_large: 'not_audio',
};

/**
 * Downloads audio that's only in the cloud: first the recordings the user requested, then, if the storage setting
 * includes phones, all others, newest first. An interrupted download resumes after the last byte on disk. Downloaded
 * audio is used only if its digest matches the server's. Each pass looks up the next recording in the database.
 */
export class CloudDownloads {
  readonly #options: CloudDownloadsOptions;
  readonly #retrier: Retrier;
  /** Recordings the user requested, in request order. */
  readonly #requested = new Set<string>();
  /**
   * Recordings whose download has failed or been canceled since the app started. They're retried only at the user's
   * request.
   */
  readonly #failed = new Set<string>();
  #isSpaceLow = false;
  #active: ActiveDownload | null = null;

  constructor(options: CloudDownloadsOptions) {
    this.#options = options;
    this.#retrier = new Retrier({ ...options, event: 'download.waiting' });
  }

  get reachability(): CloudReachability {
    return this.#retrier.reachability;
  }

  /** Calls the listener when {@link reachability} changes. */
  subscribe(listener: () => void): () => void {
    return this.#retrier.subscribe(listener);
  }

  /** Starts a pass immediately. Call when the network, a setting or the database has changed. */
  wake(): void {
    if (this.#active) void this.#stopUnlessAllowed(this.#active);
    this.#retrier.wake();
  }

  async #stopUnlessAllowed({ id, control }: ActiveDownload): Promise<void> {
    const { all, mayReceive } = await this.#options.policy();
    if (!mayReceive || !(all || this.#requested.has(id))) control.abort();
  }

  /** Downloads a recording ahead of all others at the user's request, even if it failed before. */
  request(id: string): void {
    this.#failed.delete(id);
    this.#requested.add(id);
    this.#retrier.wake();
  }

  /** Cancels a download and discards the received part. */
  async cancel(id: string): Promise<void> {
    this.#requested.delete(id);
    // Keeps the next pass from restarting the download.
    this.#failed.add(id);
    if (this.#active?.id === id) this.#active.control.abort();
    else await this.#options.audio.discardDownload(id);
  }

  /** Works until `signal` aborts, then resolves. */
  async run(signal: AbortSignal): Promise<void> {
    const unsubscribe = this.#options.records.subscribe(() => this.#retrier.requestPass());
    try {
      for (;;) {
        const more = await this.#retrier.retry(() => this.#pass(signal), signal);
        if (!more) await this.#retrier.pause(null, signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      unsubscribe();
    }
  }

  /** Downloads the next recording. @returns true if there may be another */
  async #pass(signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    const next = await this.#next();
    if (!next) return false;
    const control = new AbortController();
    this.#active = { id: next.id, control };
    try {
      await this.#download(next, AbortSignal.any([signal, control.signal]));
      this.#requested.delete(next.id);
    } catch (error) {
      signal.throwIfAborted();
      if (control.signal.aborted) {
        if (this.#failed.has(next.id)) await this.#options.audio.discardDownload(next.id);
      } else await this.#giveUp(next.id, error);
    } finally {
      this.#active = null;
      this.#options.progress.clear(next.id);
      if (!signal.aborted) await this.#removeIfDeleted(next.id);
    }
    return true;
  }

  /**
   * Removes the files of a recording that was permanently deleted during its download: the deletion removed only those
   * that existed then. `PhoneCopies.sweep` removes those that remain, at the next start.
   */
  async #removeIfDeleted(id: string): Promise<void> {
    try {
      await removeIfDeleted(this.#options, id);
    } catch (error) {
      if (!(error instanceof AudioStoreError)) throw error;
      this.#options.log('download.audio_left', { code: error.code });
    }
  }

  /** True if a recording was skipped for lack of disk space. */
  get isSpaceLow(): boolean {
    return this.#isSpaceLow;
  }

  async #next(): Promise<Candidate | null> {
    const { records, uid, policy } = this.#options;
    const { all, mayReceive } = await policy();
    if (!mayReceive) return null;
    const rows = await records.summaries(uid);
    const candidates = rows
      .filter(({ id }) => !this.#failed.has(id))
      .map((row) => ({ phoneRetention: row.phoneRetention, download: downloadCandidate(row) }))
      .flatMap(({ phoneRetention, download }) =>
        download ? [{ ...download, phoneRetention }] : [],
      );
    for (const id of this.#requested) {
      const candidate = candidates.find((each) => each.id === id);
      if (candidate) return candidate;
      // The recording was already downloaded, or is no longer available.
      this.#requested.delete(id);
    }
    this.#isSpaceLow = false;
    for (const candidate of candidates) {
      const isIncluded =
        candidate.phoneRetention === 'always' || (all && candidate.phoneRetention === 'auto');
      if (!isIncluded) continue;
      if (await this.#fits(candidate)) return candidate;
      this.#isSpaceLow = true;
    }
    return null;
  }

  /** True if an automatic download leaves enough disk space free. Requested downloads aren't checked. */
  async #fits({ audioBytes }: Candidate): Promise<boolean> {
    const freeBytes = await this.#options.freeBytes();
    return freeBytes === null || freeBytes - SPACE_FACTOR * audioBytes >= KEPT_FREE_BYTES;
  }

  async #download({ id, sha256 }: Candidate, signal: AbortSignal): Promise<void> {
    const { records, audio, progress, log } = this.#options;
    await this.#receive(id, signal);
    const report = (fraction: number) =>
      progress.set(id, {
        step: 'download',
        fraction: TRANSFER_SHARE + (1 - TRANSFER_SHARE) * fraction,
      });
    const isMaster = await this.#unpack(id, signal);
    const finished = await audio.finish(id, report);
    const computed = sha256From(finished.sha256);
    await audio.discardPackets(id);
    // A converted file has new packets, so its digest can't match that of the cloud's file.
    if (isMaster && computed !== sha256) {
      await audio.remove(id);
      throw new DownloadDiffers();
    }
    await records.update(id, {
      ...(await clearAudioProblem(records, id)),
      localfile: finished.localfile,
      peaks: finished.peaks,
      audioBytes: finished.bytes,
      copies: {
        // A converted copy stores the digest of the cloud's file, so it may be deleted while that file exists.
        phone: isMaster
          ? { status: 'verified', bytes: finished.bytes, sha256: computed }
          : { status: 'stored', bytes: finished.bytes, sha256 },
      },
    });
    await audio.discardDownload(id);
    log('download.done', { bytes: finished.bytes });
  }

  /** Downloads the missing part of the stored file. */
  async #receive(id: string, signal: AbortSignal): Promise<void> {
    const { records, audio, cloud, progress } = this.#options;
    const detail = await records.detail(id);
    if (!detail?.server_id) throw new DownloadDiffers();
    const { cloud: stored } = detail.copies;
    const file = await audio.openDownload(id);
    try {
      // The file is fully downloaded but not yet unpacked.
      if (stored.status !== 'absent' && file.bytes >= stored.bytes) return;
      unwrap(
        await cloud.download(
          detail.server_id,
          file.bytes,
          async (bytes, size) => {
            await file.append(bytes);
            progress.set(id, {
              step: 'download',
              fraction: (TRANSFER_SHARE * file.bytes) / Math.max(size, file.bytes),
            });
          },
          signal,
        ),
      );
    } finally {
      await file.close();
    }
  }

  /**
   * Extracts the packets of the downloaded file, or converts the file. @returns true if the packets are the originals
   */
  async #unpack(id: string, signal: AbortSignal): Promise<boolean> {
    const { audio, audioProcessor } = this.#options;
    try {
      await audio.unpack(id);
      return true;
    } catch (error) {
      if (!(error instanceof AudioStoreError) || error.code !== 'not_audio') throw error;
    }
    const file = await audio.download(id);
    if (!file) throw new AudioStoreError('file_missing');
    await audioProcessor.convert(id, file, () => {}, signal);
    return false;
  }

  async #giveUp(id: string, error: unknown): Promise<void> {
    const { records, audio, log } = this.#options;
    const code = permanentProblem(error);
    if (code === undefined) {
      if (!(error instanceof AudioStoreError)) throw error;
      // Another tab or the platform removed the file. Retry the download the next time the app starts.
      this.#failed.add(id);
      log('download.failed', { code: error.code });
      return;
    }
    this.#failed.add(id);
    log('download.failed', { code });
    // If the disk is full, keep the received part so that the download can resume.
    if (code !== 'storage_full') await audio.discardDownload(id);
    const isRequested = this.#requested.delete(id);
    // Audio that this phone can't convert can still be streamed from the cloud.
    const isStreamOnly = code === 'not_audio' && !isRequested;
    await records.update(
      id,
      isStreamOnly ? { phoneRetention: 'never' } : { problem: { step: 'fetch', code } },
    );
  }
}

/** Returns the problem to show for a permanent failure, or undefined for other failures. */
function permanentProblem(error: unknown): FetchProblem | undefined {
  if (error instanceof DownloadDiffers) return 'download_differs';
  if (error instanceof StorageFull) return 'storage_full';
  return error instanceof AudioStoreError ? PERMANENT_FAILURES[error.code] : undefined;
}

/** Thrown if the downloaded audio's digest differs from the digest the server reported. */
class DownloadDiffers extends Error {}

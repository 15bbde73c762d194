import type { CallFailure } from '@linnet/contract/client';
import { codeName, codes } from '@linnet/contract/codes';
import { autoLanguage } from '@linnet/contract/languages';
import { taskStatus } from '@linnet/contract/statuses';
import { cloudCopy, endOfFailedRange } from './changes/server-row.ts';
import type { Clock } from './clock.ts';
import {
  type CloudPolicy,
  type CloudStep,
  isTranscribing,
  languageFor,
  nextStep,
} from './cloud-steps.ts';
import type { Log } from './log.ts';
import type { AudioProcessor, AudioStore } from './ports/audio.ts';
import type { Cloud, ServerRow, UploadMetadata } from './ports/cloud.ts';
import type { QueuedRecord, RecordPatch, RecordStore } from './ports/records.ts';
import type { ProgressBoard } from './progress.ts';
import { isLocal, isTrans, type Problem } from './record.ts';
import { type CloudReachability, Interrupted, Retrier, unwrap } from './retrying.ts';
import { type Verdict, verdicts } from './verdicts.ts';

export type CloudSyncOptions = {
  readonly uid: string;
  readonly records: RecordStore;
  readonly audio: Pick<AudioStore, 'master' | 'callLevels'>;
  readonly audioProcessor: Pick<AudioProcessor, 'denoised'>;
  readonly cloud: Omit<Cloud, 'digest' | 'download'>;
  readonly progress: ProgressBoard;
  readonly policy: () => CloudPolicy;
  readonly clock: Clock;
  readonly log: Log;
};

type RequestedRecord = QueuedRecord & {
  /** True if the user requested the transcription, false if it's automatic. */
  readonly isRequested: boolean;
};

/** Interval between polls of running transcriptions in milliseconds, short enough that the app can show progress. */
const POLL_MS = 1500;
/**
 * The poll interval while the latest transcription is new, in milliseconds. With live text, a transcription takes only
 * a few seconds.
 */
const FIRST_POLL_MS = 250;
/** How long a transcription counts as new, in milliseconds. */
const NEW_MS = 10_000;

/** Returns the verdict on a failed call. */
function verdictOn(failure: CallFailure): Verdict {
  // Object storage rejected the upload because its grant has expired or the form is invalid.
  if (failure.kind === 'http' && failure.status >= 400 && failure.status < 500) return 'restart';
  if (failure.kind !== 'server') return 'wait';
  const name = codeName(failure.code);
  return name ? verdicts[name] : 'refused';
}

/** Number of rejected uploads of a recording before the user is notified. */
const MAX_REJECTIONS = 3;

/**
 * Uploads recordings, registers them, requests transcriptions, and stores the results on the phone. Each pass finds the
 * pending work in the database, so a crash or restart loses nothing and at most repeats one idempotent call.
 */
export class CloudSync {
  readonly #options: CloudSyncOptions;
  readonly #retrier: Retrier;
  /** Number of rejected uploads since the last success, by recording ID. */
  readonly #rejections = new Map<string, number>();
  /** When the latest transcription was requested or found, in milliseconds of `Clock.elapsed`. */
  #followedAt = Number.NEGATIVE_INFINITY;
  /** Aborts the upload in progress when the policy no longer allows it. */
  #sending: AbortController | null = null;

  constructor(options: CloudSyncOptions) {
    this.#options = options;
    this.#retrier = new Retrier({ ...options, event: 'cloud.waiting' });
  }

  get reachability(): CloudReachability {
    return this.#retrier.reachability;
  }

  /** Calls the listener when {@link reachability} changes. */
  subscribe(listener: () => void): () => void {
    return this.#retrier.subscribe(listener);
  }

  /** Starts a pass immediately. Call when the network, a setting, a user request or the set of recordings changes. */
  wake(): void {
    if (!this.#options.policy().maySend) this.#sending?.abort();
    this.#retrier.wake();
  }

  /** Schedules another pass. Call when changes from the server may have added work. */
  requestPass(): void {
    this.#retrier.requestPass();
  }

  /** Works until `signal` aborts, then resolves. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      for (;;) {
        const isTaskRunning = await this.#retrier.retry(() => this.#pass(signal), signal);
        await this.#retrier.pause(isTaskRunning ? this.#pollDelay() : null, signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  #pollDelay(): number {
    const isNew = this.#options.clock.elapsed() - this.#followedAt < NEW_MS;
    return isNew ? FIRST_POLL_MS : POLL_MS;
  }

  /** Does all pending work once. @returns true if a task is running on the server */
  async #pass(signal: AbortSignal): Promise<boolean> {
    const { records, uid } = this.#options;
    const { upload, maySend } = this.#options.policy();
    for (const queued of await records.queue(uid, upload && maySend)) {
      signal.throwIfAborted();
      // Read the policy for each recording, because it can change during an upload.
      const policy = this.#options.policy();
      const next = nextStep(queued, policy);
      const record = {
        ...queued,
        requestedLanguage: languageFor(queued, policy),
        isRequested: queued.requestedLanguage !== null,
      };
      if (next?.step === 'upload' && policy.maySend) {
        // Poll tasks first, so that new transcripts arrive even if the server has no space for old audio.
        if (hasEnded(queued)) await this.#followTasks();
        await this.#upload(record, signal);
        if (hasEnded(queued)) {
          // New recordings take precedence over old audio that the cloud lacks.
          this.#retrier.requestPass();
          break;
        }
      }
      if (next?.step === 'transcribe' && (policy.maySend || record.requestedAudio === 'original')) {
        await this.#transcribe(record, next, signal);
      }
      if (next?.step === 'merge') await this.#merge(record, next);
    }
    return this.#followTasks();
  }

  async #upload(record: QueuedRecord, signal: AbortSignal): Promise<void> {
    const { cloud, audio, progress, records, log } = this.#options;
    const [detail, master, callLevels] = await Promise.all([
      records.detail(record.id),
      audio.master(record.id),
      audio.callLevels(record.id),
    ]);
    // The recording was deleted after the queue was read.
    if (!detail) return;
    if (!master) return this.#stop(record.id, { step: 'upload', code: 'file_missing' });

    const metadata = uploadMetadata(record, detail.peaks, callLevels);
    progress.set(record.id, { step: 'upload', fraction: 0 });
    const sending = this.#createSendSignal(signal);
    try {
      const known = unwrap(await cloud.check(metadata));
      // Never upload or overwrite audio that the server already has.
      const stored = known?.url ? known : await this.#send(record, metadata, master, sending);
      if (!stored) return;
      await records.update(record.id, {
        is_local: isLocal.onServer,
        server_id: stored.id,
        server_url: stored.url ?? '',
        copies: { cloud: cloudCopy(stored) },
      });
      const copies = (await records.work([record.id])).get(record.id)?.copies;
      if (copies?.cloud.status === 'stored') {
        return this.#stop(record.id, { step: 'upload', code: 'cloud_differs' });
      }
      log('upload.done', { bytes: stored.file_size });
      // The recording can now be transcribed, but no event would start another pass.
      this.#retrier.requestPass();
    } finally {
      progress.clear(record.id);
    }
  }

  async #send(record: QueuedRecord, metadata: UploadMetadata, master: Blob, signal: AbortSignal) {
    const onProgress = (fraction: number) =>
      this.#options.progress.set(record.id, { step: 'upload', fraction });
    const uploaded = await this.#options.cloud.upload(metadata, master, onProgress, signal);
    if (uploaded.ok) {
      this.#rejections.delete(record.id);
      return uploaded.data;
    }
    const { failure } = uploaded;
    // The upload was canceled on this phone, for example by the Wi-Fi setting. The recording stays in the queue.
    if (signal.aborted) return null;
    if (this.#scheduleRetry(record.id, failure)) return null;
    await this.#stop(record.id, { step: 'upload', code: 'refused', failure });
    return null;
  }

  /** Returns a signal that aborts when `signal` does or as soon as the policy forbids sending. */
  #createSendSignal(signal: AbortSignal): AbortSignal {
    this.#sending = new AbortController();
    if (!this.#options.policy().maySend) this.#sending.abort();
    return AbortSignal.any([signal, this.#sending.signal]);
  }

  /**
   * Decides how to proceed after a failed call for one recording.
   * @returns true if the next pass restarts the upload, false if the user has to decide
   * @throws Interrupted if all work should be retried later
   */
  #scheduleRetry(id: string, failure: CallFailure): boolean {
    const verdict = verdictOn(failure);
    if (verdict === 'refused') return false;
    if (verdict !== 'restart') throw new Interrupted(failure);
    const rejections = (this.#rejections.get(id) ?? 0) + 1;
    this.#rejections.set(id, rejections);
    if (rejections < MAX_REJECTIONS) {
      this.#retrier.requestPass();
      return true;
    }
    this.#rejections.delete(id);
    return false;
  }

  /** Requests a transcription, unless the server already has a matching task. */
  async #transcribe(
    record: RequestedRecord,
    { language, serverId }: Extract<CloudStep, { step: 'transcribe' }>,
    signal: AbortSignal,
  ): Promise<void> {
    const { cloud, log } = this.#options;
    const [row] = unwrap(await cloud.list([serverId]));
    const head = row?.task;
    // If this phone doesn't know the task, either another phone created it or the response to this phone's request was
    // lost.
    const isUnknown = head && head.id !== record.task?.id && (!head.range || record.task === null);
    const isSameLanguage = head?.language === language || language === autoLanguage;
    const hasFailed = head?.status === taskStatus.failed;
    if (isUnknown && (!record.isRequested || (isSameLanguage && (!hasFailed || head.range)))) {
      // Follow the existing task. Only the user can replace a transcript. A failed range leaves the transcript
      // unchanged.
      const taskId = hasFailed && head.range ? head.range.transcript : head.id;
      return this.#follow(record.id, taskId, head.language);
    }
    // The recording already has a transcript, and the user requested a new one.
    const replaced = head?.status === taskStatus.transcribed ? head.id : head?.range?.transcript;
    const replacement = replaced !== undefined && { replaces: replaced };
    const sending = this.#createSendSignal(signal);
    const denoised = await this.#sendDenoised(record, sending);
    if (denoised && !denoised.ok) {
      if (!sending.aborted) await this.#handleTaskFailure(record.id, denoised.failure);
      return;
    }
    const audioUrl = denoised && { audioUrl: denoised.data };
    const created = await cloud.createTask(serverId, { language, ...replacement, ...audioUrl });
    if (created.ok) {
      this.#rejections.delete(record.id);
      log('task.made');
      return this.#follow(record.id, created.data.id, language);
    }
    await this.#handleTaskFailure(record.id, created.failure);
  }

  /**
   * Requests the merged transcript of a merged recording. If the server refuses, the user decides whether to transcribe
   * the recording.
   */
  async #merge(
    { id }: QueuedRecord,
    { serverId, parts }: Extract<CloudStep, { step: 'merge' }>,
  ): Promise<void> {
    const { cloud, records, log } = this.#options;
    const merged = await cloud.mergeTranscripts(serverId, parts);
    if (merged.ok) {
      log('task.merged', { parts: parts.length });
      return this.#follow(id, merged.data.id, merged.data.language);
    }
    const { failure } = merged;
    if (this.#scheduleRetry(id, failure)) return;
    log('task.notMerged', { kind: failure.kind });
    // An outdated server can merge the transcripts after an update.
    const isOutdated = failure.kind === 'server' && failure.code === codes.unknownCall;
    if (!isOutdated) await records.update(id, { mergedFrom: null });
    await this.#stop(id, { step: 'transcribe', code: 'refused', failure });
  }

  /** Uploads the denoised audio for a transcription. Returns null if it wasn't requested or isn't on the phone. */
  async #sendDenoised({ id, requestedAudio }: QueuedRecord, signal: AbortSignal) {
    const { cloud, audioProcessor, progress } = this.#options;
    const file = requestedAudio === 'cleaner' ? await audioProcessor.denoised(id) : null;
    if (!file) return null;
    const onProgress = (fraction: number) => progress.set(id, { step: 'upload', fraction });
    try {
      return await cloud.uploadForTask(file, onProgress, signal);
    } finally {
      progress.clear(id);
    }
  }

  /** Handles a transcription request that failed. @throws Interrupted if all work should be retried later */
  async #handleTaskFailure(id: string, failure: CallFailure): Promise<void> {
    if (this.#scheduleRetry(id, failure)) return;
    await this.#stop(id, { step: 'transcribe', code: 'refused', failure });
  }

  async #follow(id: string, taskId: string, language: string): Promise<void> {
    this.#followedAt = this.#options.clock.elapsed();
    await this.#options.records.update(id, {
      is_trans: isTrans.transferring,
      process: 0,
      task: { id: taskId, language },
      requestedLanguage: null,
      mergedFrom: null,
    });
  }

  /** Polls running tasks. @returns true if any is still running */
  async #followTasks(): Promise<boolean> {
    const { cloud, records, uid } = this.#options;
    const runningTasks = new Map<string, QueuedRecord>();
    for (const record of await records.queue(uid, false)) {
      if (isTranscribing(record) && record.server_id !== null)
        runningTasks.set(record.server_id, record);
    }
    if (runningTasks.size === 0) return false;
    const rows = unwrap(await cloud.list([...runningTasks.keys()]));
    const byServerId = new Map(rows.map((row) => [row.id, row]));
    let isAnyRunning = false;
    for (const [serverId, record] of runningTasks) {
      const isRunning = await this.#update(record, byServerId.get(serverId));
      isAnyRunning ||= isRunning;
    }
    return isAnyRunning;
  }

  /** Stores and shows one task's state. @returns true if it's still running */
  async #update(record: QueuedRecord, row: ServerRow | undefined): Promise<boolean> {
    const { progress } = this.#options;
    const head = row?.task;
    const isRunning = await this.#store(record, row);
    if (isRunning && head) {
      const { step: at, progress: percent, range } = head;
      progress.set(record.id, {
        ...{ step: 'transcribe', fraction: percent / 100, at },
        ...(range && { range }),
      });
    } else {
      progress.clear(record.id);
    }
    return isRunning;
  }

  async #store(record: QueuedRecord, row: ServerRow | undefined): Promise<boolean> {
    const { cloud, records, log } = this.#options;
    const head = row?.task;
    if (!head) {
      // The server no longer has the task, or not even the recording. Start over from the phone's copy.
      const withoutTask: RecordPatch = { is_trans: isTrans.untranslated, task: null };
      const withoutRecording: RecordPatch = {
        ...withoutTask,
        server_id: null,
        is_local: isLocal.phoneOnly,
        copies: { cloud: { status: 'absent' } },
      };
      await records.update(record.id, row ? withoutTask : withoutRecording);
      this.#retrier.requestPass();
      return false;
    }
    switch (head.status) {
      case taskStatus.transcribed:
        await records.storeResults(record.id, unwrap(await cloud.task(head.id)));
        log('task.done');
        return false;
      case taskStatus.failed: {
        if (head.range) {
          const transcript = { id: head.range.transcript, language: head.language };
          await records.update(record.id, endOfFailedRange(transcript, head.error));
          return false;
        }
        const { code, msg } = head.error ?? { code: codes.engineFailed, msg: '' };
        if (code === codes.transcriptionCanceled) {
          // The user canceled the task on this phone or another. Keep the task so that transcription doesn't restart
          // automatically.
          await records.update(record.id, { is_trans: isTrans.untranslated, problem: null });
          return false;
        }
        await records.update(record.id, {
          is_trans: isTrans.failed,
          problem: {
            step: 'transcribe',
            code: 'failed',
            failure: { kind: 'server', code, msg },
          },
        });
        return false;
      }
      default:
        if (head.progress !== record.process) {
          await records.update(record.id, { process: head.progress });
        }
        return true;
    }
  }

  async #stop(id: string, problem: Problem): Promise<void> {
    this.#options.log('cloud.stuck', { step: problem.step, code: problem.code });
    await this.#options.records.update(id, { problem });
  }
}

/** True if a recording has a transcript or its transcription failed, and no other was requested. */
const hasEnded = ({ is_trans, requestedLanguage }: QueuedRecord) =>
  requestedLanguage === null && (is_trans === isTrans.translated || is_trans === isTrans.failed);

function uploadMetadata(
  record: QueuedRecord,
  peaks: Uint8Array,
  callLevels: UploadMetadata['callLevels'],
): UploadMetadata {
  return {
    id: record.id,
    name: record.title,
    scene: record.scene,
    seconds: record.record_time,
    sn: record.sn,
    recordedAt: record.create_date,
    autoTranscribe: record.autoTranscribe,
    peaks,
    callLevels,
  };
}

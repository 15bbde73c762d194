import type { CallFailure } from '@linnet/contract/client';
import { codeName, codes } from '@linnet/contract/codes';
import { autoLanguage } from '@linnet/contract/languages';
import { taskStatus } from '@linnet/contract/statuses';
import { cloudCopy } from './changes/server-row.ts';
import type { CopyState } from './copies.ts';
import type {
  AudioStore,
  AudioWorkshop,
  Clock,
  Cloud,
  Log,
  QueuedRecord,
  RecordStore,
  ServerRow,
  UploadFacts,
} from './ports.ts';
import type { ProgressBoard } from './progress.ts';
import { isLocal, isTrans, type Trouble } from './record.ts';
import { type CloudReach, Interrupted, Retrying, value } from './retrying.ts';
import { type Verdict, verdicts } from './verdicts.ts';

/** What happens automatically. */
export type CloudPolicy = {
  /** Whether every recording is uploaded. */
  readonly upload: boolean;
  /** The language of automatic transcription; null if it is off. */
  readonly transcribe: string | null;
  /** Whether audio may be sent over the current network. */
  readonly maySend: boolean;
};

/** The next automatic step of a recording. */
export type Due =
  | { readonly step: 'upload' }
  | { readonly step: 'transcribe'; readonly language: string; readonly serverId: string }
  /** The server has a task for it. */
  | { readonly step: 'follow'; readonly serverId: string };

/** Returns the step that is due for a recording; null if none is, or if the user has to decide first. */
export function nextStep(record: QueuedRecord, policy: CloudPolicy): Due | null {
  if (record.trouble) return null;
  const language = languageFor(record, policy);
  const { phone, cloud } = record.copies;
  const { server_id: serverId } = record;
  const isSent = cloud.status === 'verified' || (cloud.status === 'stored' && !isSource(phone));
  if (!isSent) {
    const wanted = policy.upload || language !== null;
    if (wanted && isSource(phone)) return { step: 'upload' };
  } else if (serverId !== null && !isTranscribing(record) && language !== null) {
    return { step: 'transcribe', language, serverId };
  }
  return isTranscribing(record) && serverId !== null ? { step: 'follow', serverId } : null;
}

const isTranscribing = ({ is_trans }: Pick<QueuedRecord, 'is_trans'>) =>
  is_trans === isTrans.transferring;

/** Whether the phone holds audio that the cloud's can be compared with. */
const isSource = (phone: CopyState) => phone.status === 'verified';

/** The language to transcribe in: the one requested, else that of automatic transcription. */
function languageFor(record: QueuedRecord, { transcribe }: CloudPolicy): string | null {
  const isNew = record.autoTranscribe && record.is_trans === isTrans.untranslated && !record.task;
  return record.requestedLanguage ?? (isNew ? transcribe : null);
}

export type CloudSyncOptions = {
  readonly uid: string;
  readonly records: RecordStore;
  readonly audio: Pick<AudioStore, 'master'>;
  readonly workshop: Pick<AudioWorkshop, 'denoised'>;
  readonly cloud: Omit<Cloud, 'digest' | 'download'>;
  readonly progress: ProgressBoard;
  readonly policy: () => CloudPolicy;
  readonly clock: Clock;
  readonly log: Log;
};

/** `asked`: the user requested a transcription, as opposed to an automatic one. */
type RequestedRecord = QueuedRecord & { readonly asked: boolean };

/** Milliseconds between polls of running transcriptions: often enough to show progress. */
const POLL_MS = 1500;

/** Decides what a failed call means for the queue. */
function verdictOn(failure: CallFailure): Verdict {
  // The store answered, but not with 5xx: an expired upload grant, or an invalid form.
  if (failure.kind === 'http' && failure.status >= 400 && failure.status < 500) return 'again';
  if (failure.kind !== 'server') return 'wait';
  const name = codeName(failure.code);
  return name ? verdicts[name] : 'refused';
}

/** Uploads of one recording that may be rejected, each from its start, before the user is notified. */
const MAX_REJECTIONS = 3;

/**
 * Uploads recordings, registers them, requests transcriptions, and stores the results on the phone. Each pass reads
 * the pending work from the database, so that a crash or a restart loses nothing and repeats at most one idempotent
 * call.
 */
export class CloudSync {
  readonly #options: CloudSyncOptions;
  readonly #retrying: Retrying;
  /** Rejected uploads of each recording since its last success. */
  readonly #rejections = new Map<string, number>();
  /** Aborts the upload in progress when the policy no longer allows it. */
  #sending: AbortController | null = null;

  constructor(options: CloudSyncOptions) {
    this.#options = options;
    this.#retrying = new Retrying({ ...options, event: 'cloud.waiting' });
  }

  get reach(): CloudReach {
    return this.#retrying.reach;
  }

  /** Calls the listener when {@link reach} changes. */
  subscribe(listener: () => void): () => void {
    return this.#retrying.subscribe(listener);
  }

  /** Call when the network, a setting, a request of the user, or the set of recordings changes. */
  wake(): void {
    if (!this.#options.policy().maySend) this.#sending?.abort();
    this.#retrying.wake();
  }

  /** Starts another pass: changes from the server may have added work. */
  again(): void {
    this.#retrying.again();
  }

  /** Works until `signal` aborts, then resolves. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      for (;;) {
        const busy = await this.#retrying.retry(() => this.#pass(signal), signal);
        await this.#retrying.pause(busy ? POLL_MS : null, signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Does all pending work once. @returns whether a task is running on the server */
  async #pass(signal: AbortSignal): Promise<boolean> {
    const { records, uid } = this.#options;
    for (const queued of await records.queue(uid)) {
      signal.throwIfAborted();
      // Read for each recording: the policy can change during an upload.
      const policy = this.#options.policy();
      const due = nextStep(queued, policy);
      const record = {
        ...queued,
        requestedLanguage: languageFor(queued, policy),
        asked: queued.requestedLanguage !== null,
      };
      if (due?.step === 'upload' && policy.maySend) await this.#upload(record, signal);
      if (due?.step === 'transcribe' && (policy.maySend || record.requestedAudio === 'original')) {
        await this.#transcribe(record, due, signal);
      }
    }
    return this.#followTasks();
  }

  async #upload(record: QueuedRecord, signal: AbortSignal): Promise<void> {
    const { cloud, audio, progress, records, log } = this.#options;
    const [detail, master] = await Promise.all([
      records.detail(record.id),
      audio.master(record.id),
    ]);
    // Deleted meanwhile.
    if (!detail) return;
    if (!master) return this.#stop(record.id, { step: 'upload', code: 'file_missing' });

    const facts = uploadFacts(record, detail.peaks);
    progress.set(record.id, { step: 'upload', fraction: 0 });
    const sending = this.#whileAllowed(signal);
    try {
      const known = value(await cloud.check(facts));
      // Audio that the server has is neither sent again nor overwritten.
      const stored = known?.url ? known : await this.#send(record, facts, master, sending);
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
      // A transcription may be due now, and no other event would announce it.
      this.#retrying.again();
    } finally {
      progress.clear(record.id);
    }
  }

  async #send(record: QueuedRecord, facts: UploadFacts, master: Blob, signal: AbortSignal) {
    const onProgress = (fraction: number) =>
      this.#options.progress.set(record.id, { step: 'upload', fraction });
    const sent = await this.#options.cloud.upload(facts, master, onProgress, signal);
    if (sent.ok) {
      this.#rejections.delete(record.id);
      return sent.data;
    }
    const { failure } = sent;
    // Canceled locally (e.g. Wi-Fi only). Leave it queued.
    if (signal.aborted) return null;
    if (this.#isRetried(record.id, failure)) return null;
    await this.#stop(record.id, { step: 'upload', code: 'refused', failure });
    return null;
  }

  /** Aborts with `signal`, or as soon as the policy forbids sending; at once if it does already. */
  #whileAllowed(signal: AbortSignal): AbortSignal {
    this.#sending = new AbortController();
    if (!this.#options.policy().maySend) this.#sending.abort();
    return AbortSignal.any([signal, this.#sending.signal]);
  }

  /**
   * Decides about a failed call of one recording.
   * @returns true if the next pass uploads it again from the start; false if the user has to decide
   * @throws Interrupted if a retry may succeed, for this recording as for all
   */
  #isRetried(id: string, failure: CallFailure): boolean {
    const verdict = verdictOn(failure);
    if (verdict === 'refused') return false;
    if (verdict !== 'again') throw new Interrupted(failure);
    const times = (this.#rejections.get(id) ?? 0) + 1;
    this.#rejections.set(id, times);
    if (times < MAX_REJECTIONS) {
      this.#retrying.again();
      return true;
    }
    this.#rejections.delete(id);
    return false;
  }

  /** Requests a transcription, unless the server has the requested one. */
  async #transcribe(
    record: RequestedRecord,
    { language, serverId }: Extract<Due, { step: 'transcribe' }>,
    signal: AbortSignal,
  ): Promise<void> {
    const { cloud, log } = this.#options;
    const [row] = value(await cloud.list([serverId]));
    const head = row?.task;
    const same = head?.language === language || language === autoLanguage;
    const unseen = head && head.id !== record.task?.id;
    if (unseen && (!record.asked || (same && head.status !== taskStatus.failed))) {
      // Made by a request whose answer was lost, or by another phone. Replaced on request only.
      return this.#follow(record.id, head.id, head.language);
    }
    // The user has this transcript and requested another one.
    const again = head?.status === taskStatus.transcribed && { again: head.id };
    const sending = this.#whileAllowed(signal);
    const other = await this.#sendDenoised(record, sending);
    if (other && !other.ok && sending.aborted) return;
    if (other && !other.ok) return this.#refuseTask(record.id, other.failure);
    const audioUrl = other && { audioUrl: other.data };
    const made = await cloud.createTask(serverId, { language, ...again, ...audioUrl });
    if (made.ok) {
      this.#rejections.delete(record.id);
      log('task.made');
      return this.#follow(record.id, made.data.id, language);
    }
    await this.#refuseTask(record.id, made.failure);
  }

  /** Uploads the denoised audio if it is to be transcribed; null if it is not, or is no longer on the phone. */
  async #sendDenoised({ id, requestedAudio }: QueuedRecord, signal: AbortSignal) {
    const { cloud, workshop, progress } = this.#options;
    const file = requestedAudio === 'cleaner' ? await workshop.denoised(id) : null;
    if (!file) return null;
    const onProgress = (fraction: number) => progress.set(id, { step: 'upload', fraction });
    try {
      return await cloud.uploadForTask(file, onProgress, signal);
    } finally {
      progress.clear(id);
    }
  }

  /** @throws Interrupted if a retry may succeed */
  async #refuseTask(id: string, failure: CallFailure): Promise<void> {
    if (this.#isRetried(id, failure)) return;
    await this.#stop(id, { step: 'transcribe', code: 'refused', failure });
  }

  async #follow(id: string, taskId: string, language: string): Promise<void> {
    await this.#options.records.update(id, {
      is_trans: isTrans.transferring,
      process: 0,
      task: { id: taskId, language },
      requestedLanguage: null,
    });
  }

  /** Polls running tasks. @returns whether any is still running */
  async #followTasks(): Promise<boolean> {
    const { cloud, records, uid } = this.#options;
    const running = new Map<string, QueuedRecord>();
    for (const record of await records.queue(uid)) {
      if (isTranscribing(record) && record.server_id !== null)
        running.set(record.server_id, record);
    }
    if (running.size === 0) return false;
    const rows = value(await cloud.list([...running.keys()]));
    const byServerId = new Map(rows.map((row) => [row.id, row]));
    let open = false;
    for (const [serverId, record] of running) {
      open = (await this.#advance(record, byServerId.get(serverId))) || open;
    }
    return open;
  }

  /** Stores the state of one task. @returns whether it is still running */
  async #advance(record: QueuedRecord, row: ServerRow | undefined): Promise<boolean> {
    const { progress } = this.#options;
    const head = row?.task;
    const open = await this.#takeOver(record, row);
    if (open && head) {
      const { step: at, progress: percent } = head;
      progress.set(record.id, { step: 'transcribe', fraction: percent / 100, at });
    } else {
      progress.clear(record.id);
    }
    return open;
  }

  async #takeOver(record: QueuedRecord, row: ServerRow | undefined): Promise<boolean> {
    const { cloud, records, log } = this.#options;
    const head = row?.task;
    if (!head) {
      // The server no longer has the recording or its task: start over from the phone's copy.
      await records.update(record.id, {
        is_trans: isTrans.untranslated,
        task: null,
        ...(row
          ? {}
          : {
              server_id: null,
              is_local: isLocal.phoneOnly,
              copies: { cloud: { status: 'absent' } },
            }),
      });
      this.#retrying.again();
      return false;
    }
    switch (head.status) {
      case taskStatus.transcribed:
        await records.storeResults(record.id, value(await cloud.task(head.id)));
        log('task.done');
        return false;
      case taskStatus.failed: {
        const { code, msg } = head.error ?? { code: codes.engineFailed, msg: '' };
        if (code === codes.transcriptionCanceled) {
          // Canceled by the user, here or on another phone. It keeps its task, so that it does not restart automatically.
          await records.update(record.id, { is_trans: isTrans.untranslated, trouble: null });
          return false;
        }
        await records.update(record.id, {
          is_trans: isTrans.failed,
          trouble: {
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

  async #stop(id: string, trouble: Trouble): Promise<void> {
    this.#options.log('cloud.stuck', { step: trouble.step, code: trouble.code });
    await this.#options.records.update(id, { trouble });
  }
}

function uploadFacts(record: QueuedRecord, peaks: Uint8Array): UploadFacts {
  return {
    id: record.id,
    name: record.title,
    recSource: record.rec_source,
    seconds: record.record_time,
    sn: record.sn,
    recordedAt: record.create_date,
    autoTranscribe: record.autoTranscribe,
    peaks,
  };
}

import type { CallFailure } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
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

/** What happens without a further tap. */
export type CloudPolicy = {
  /** Whether every recording is copied to the cloud. */
  readonly upload: boolean;
  /** The language new recordings are transcribed in, or null when the owner decides each time. */
  readonly transcribe: string | null;
  /** Whether sound may be sent over the network this device is on. */
  readonly maySend: boolean;
};

/** What the queue does with a recording by itself, once it can. */
export type Due =
  | { readonly step: 'upload' }
  | { readonly step: 'transcribe'; readonly language: string }
  /** The server has a task for it. */
  | { readonly step: 'follow' };

/** What is to be done with a recording now; null when nothing is, or its owner has to decide first. */
export function dueOf(record: QueuedRecord, policy: CloudPolicy): Due | null {
  if (record.trouble) return null;
  const language = languageFor(record, policy);
  const { phone, cloud } = record.copies;
  const isSent = cloud.status === 'verified' || (cloud.status === 'stored' && !isSource(phone));
  if (!isSent) {
    const wanted = policy.upload || language !== null;
    if (wanted && isSource(phone)) return { step: 'upload' };
  } else if (record.is_trans !== isTrans.transferring && language !== null) {
    return { step: 'transcribe', language };
  }
  return record.is_trans === isTrans.transferring && record.server_id !== null
    ? { step: 'follow' }
    : null;
}

/** Whether the phone holds audio that the cloud's can be compared with. */
const isSource = (phone: CopyState) => phone.status === 'verified';

/** The language a transcript is wanted in: the owner's wish, else that of what happens by itself. */
function languageFor(record: QueuedRecord, { transcribe }: CloudPolicy): string | null {
  const isNew = record.autoTranscribe && record.is_trans === isTrans.untranslated && !record.task;
  return record.wantedLanguage ?? (isNew ? transcribe : null);
}

export type CloudSyncOptions = {
  readonly uid: string;
  readonly records: RecordStore;
  readonly audio: Pick<AudioStore, 'master'>;
  readonly workshop: Pick<AudioWorkshop, 'cleaner'>;
  readonly cloud: Omit<Cloud, 'digest' | 'download'>;
  readonly progress: ProgressBoard;
  readonly policy: () => CloudPolicy;
  readonly clock: Clock;
  readonly log: Log;
};

/** `asked`: by its owner, not by what happens without a further tap. */
type Wanted = QueuedRecord & { readonly asked: boolean };

/** Milliseconds between two looks at running transcriptions: often enough to see them move. */
const POLL_MS = 1500;

/** What a call's failure means for the queue. */
type Verdict =
  /** The server, or the way to it, is the matter: everything waits and tries again. */
  | 'wait'
  /** The tokens are the matter: the account notices by itself, nothing is tried until then. */
  | 'stop'
  /** What was stored or announced is the matter: upload again from the start. */
  | 'again'
  /** This recording is the matter: its owner has to decide. */
  | 'refused';

const AGAIN: readonly number[] = [codes.keyNotIssued, codes.objectMissing, codes.objectDiffers];
const WAIT: readonly number[] = [
  codes.internal,
  codes.unavailable,
  codes.serverFull,
  codes.tooManyRequests,
];
const STOP: readonly number[] = [codes.tokenExpired, codes.tokenInvalid];

function verdictOn(failure: CallFailure): Verdict {
  // The store answered, and not with 5xx: leave that ran out, a form it does not take.
  if (failure.kind === 'http' && failure.status >= 400 && failure.status < 500) return 'again';
  if (failure.kind !== 'server') return 'wait';
  if (AGAIN.includes(failure.code)) return 'again';
  if (WAIT.includes(failure.code)) return 'wait';
  return STOP.includes(failure.code) ? 'stop' : 'refused';
}

/** How often what is sent of one recording may be turned away, each time from its start, before its owner is told. */
const MAX_TURNED_AWAY = 3;

/**
 * Takes recordings from the phone to the server and what the server makes of them back: upload,
 * registration, transcription, results. What is to be done is read from the database at each pass, so a
 * crash or a restart anywhere loses nothing and repeats at most one idempotent call.
 */
export class CloudSync {
  readonly #options: CloudSyncOptions;
  readonly #retrying: Retrying;
  /** How often what was sent of each recording was turned away since it last worked. */
  readonly #turnedAway = new Map<string, number>();
  /** Ends what is being sent, where it may not be any more. */
  #sending: AbortController | null = null;

  constructor(options: CloudSyncOptions) {
    this.#options = options;
    this.#retrying = new Retrying({ ...options, event: 'cloud.waiting' });
  }

  get reach(): CloudReach {
    return this.#retrying.reach;
  }

  /** Tells when {@link reach} changes. */
  subscribe(listener: () => void): () => void {
    return this.#retrying.subscribe(listener);
  }

  /** Something changed: the network, a setting, the owner asked for something, a recording arrived. */
  wake(): void {
    if (!this.#options.policy().maySend) this.#sending?.abort();
    this.#retrying.wake();
  }

  /** The server told of something: there may be more to do, and it answers. */
  again(): void {
    this.#retrying.again();
  }

  /** Works until `signal` aborts, then resolves. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      for (;;) {
        const busy = await this.#retrying.untilItWorks(() => this.#pass(signal), signal);
        await this.#retrying.pause(busy ? POLL_MS : null, signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** One look at everything there is to do. @returns whether something is under way at the server */
  async #pass(signal: AbortSignal): Promise<boolean> {
    const { records, uid } = this.#options;
    for (const queued of await records.queue(uid)) {
      signal.throwIfAborted();
      // Asked for each: what may be sent can change while another one goes.
      const policy = this.#options.policy();
      const due = dueOf(queued, policy);
      const record = {
        ...queued,
        wantedLanguage: languageFor(queued, policy),
        asked: queued.wantedLanguage !== null,
      };
      if (due?.step === 'upload' && policy.maySend) await this.#upload(record, signal);
      if (due?.step === 'transcribe' && (policy.maySend || record.wantedAudio === 'original')) {
        await this.#transcribe(record, due.language, signal);
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
    // Its owner deleted it meanwhile.
    if (!detail) return;
    if (!master) return this.#stop(record.id, { step: 'upload', code: 'file_missing' });

    const facts = uploadFacts(record, detail.peaks);
    progress.set(record.id, { step: 'upload', fraction: 0 });
    const sending = this.#mayBeCalledOff(signal);
    try {
      const known = value(await cloud.check(facts));
      // What the server holds already is never sent again, and never overwritten.
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
      // It may be wanted as text, and nothing else need happen any more that would say so.
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
      this.#turnedAway.delete(record.id);
      return sent.data;
    }
    const { failure } = sent;
    // Another network may carry it later; nothing is wrong with the server, or with the recording.
    if (signal.aborted) return null;
    if (this.#goesOn(record.id, failure)) return null;
    await this.#stop(record.id, { step: 'upload', code: 'refused', failure });
    return null;
  }

  /** Aborts as `signal` does, or when nothing may be sent any more; at once if that is so by now. */
  #mayBeCalledOff(signal: AbortSignal): AbortSignal {
    this.#sending = new AbortController();
    if (!this.#options.policy().maySend) this.#sending.abort();
    return AbortSignal.any([signal, this.#sending.signal]);
  }

  /**
   * Whether the next pass does it again from the start, since what was stored was turned away;
   * meanwhile the others do not wait for this one. Else its owner has to decide.
   * @throws Interrupted where another try may go better, for this one as for all
   */
  #goesOn(id: string, failure: CallFailure): boolean {
    const verdict = verdictOn(failure);
    if (verdict === 'refused') return false;
    if (verdict !== 'again') throw new Interrupted(failure);
    const times = (this.#turnedAway.get(id) ?? 0) + 1;
    this.#turnedAway.set(id, times);
    if (times < MAX_TURNED_AWAY) {
      this.#retrying.again();
      return true;
    }
    this.#turnedAway.delete(id);
    return false;
  }

  /** Asks for a transcription, unless the server already has the one that is wanted. */
  async #transcribe(record: Wanted, language: string, signal: AbortSignal): Promise<void> {
    const { cloud, log } = this.#options;
    const serverId = record.server_id as string;
    const [row] = value(await cloud.list([serverId]));
    const head = row?.task;
    const same = head?.language === language || language === autoLanguage;
    const unseen = head && head.id !== record.task?.id;
    if (unseen && (!record.asked || (same && head.status !== taskStatus.failed))) {
      // Made by a try whose answer was lost, or by another phone. Nothing is replaced unless asked for.
      return this.#follow(record.id, head.id, head.language);
    }
    // The owner has this transcript and wants another one.
    const again = head?.status === taskStatus.transcribed && { again: head.id };
    const sending = this.#mayBeCalledOff(signal);
    const other = await this.#sendCleaner(record, sending);
    if (other && !other.ok && sending.aborted) return;
    if (other && !other.ok) return this.#refuseTask(record.id, other.failure);
    const audioUrl = other && { audioUrl: other.data };
    const made = await cloud.createTask(serverId, { language, ...again, ...audioUrl });
    if (made.ok) {
      this.#turnedAway.delete(record.id);
      log('task.made');
      return this.#follow(record.id, made.data.id, language);
    }
    await this.#refuseTask(record.id, made.failure);
  }

  /** Stores the cleaner version where that is what should be heard; null where it is not, or not any more. */
  async #sendCleaner({ id, wantedAudio }: QueuedRecord, signal: AbortSignal) {
    const { cloud, workshop, progress } = this.#options;
    const file = wantedAudio === 'cleaner' ? await workshop.cleaner(id) : null;
    if (!file) return null;
    const onProgress = (fraction: number) => progress.set(id, { step: 'upload', fraction });
    try {
      return await cloud.uploadForTask(file, onProgress, signal);
    } finally {
      progress.clear(id);
    }
  }

  /** @throws Interrupted where another try may go better */
  async #refuseTask(id: string, failure: CallFailure): Promise<void> {
    if (this.#goesOn(id, failure)) return;
    await this.#stop(id, { step: 'transcribe', code: 'refused', failure });
  }

  async #follow(id: string, taskId: string, language: string): Promise<void> {
    await this.#options.records.update(id, {
      is_trans: isTrans.transferring,
      process: 0,
      task: { id: taskId, language },
      wantedLanguage: null,
    });
  }

  /** Looks after running tasks. @returns whether any is still running */
  async #followTasks(): Promise<boolean> {
    const { cloud, records, uid } = this.#options;
    const running = (await records.queue(uid)).filter(
      ({ is_trans, server_id }) => is_trans === isTrans.transferring && server_id !== null,
    );
    if (running.length === 0) return false;
    const rows = value(await cloud.list(running.map(({ server_id }) => server_id as string)));
    const byServerId = new Map(rows.map((row) => [row.id, row]));
    let open = false;
    for (const record of running) {
      const row = byServerId.get(record.server_id as string);
      open = (await this.#advance(record, row)) || open;
    }
    return open;
  }

  /** Takes over what became of one task. @returns whether it is still running */
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
      // The server forgot the recording or its task: start over from what the phone has.
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
        await records.takeResults(record.id, value(await cloud.task(head.id)));
        log('task.done');
        return false;
      case taskStatus.failed: {
        const { code, msg } = head.error ?? { code: codes.engineFailed, msg: '' };
        if (code === codes.transcriptionCanceled) {
          // No trouble: its owner wanted that, here or on another phone. With its task it is not begun anew by itself.
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

/** Tests how `CloudSync` uploads audio, requests transcriptions and fetches results, against an in-memory server. */
import { setImmediate } from 'node:timers/promises';
import type { Recording, Task, TaskHead } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { createStores, migrate } from '@linnet/local-db';
import { openNodeSqlite } from '@linnet/local-db/node-sqlite';
import {
  BACKOFF_SECONDS,
  type Cloud,
  type CloudPolicy,
  CloudSync,
  importId,
  type MergedPart,
  ProgressBoard,
  type RecordStore,
  recordingId,
  type Sha256,
  sha256From,
  systemClock,
  type TaskRequest,
  type UploadMetadata,
} from '@linnet/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FillableDatabase } from '../support/fillable-database.ts';
import { waitUntil } from '../support/wait-until.ts';

const UID = 'owner';
/** Audio digest of every recording in this file. */
const AUDIO_DIGEST = sha256From('ab'.repeat(32));
const MASTER = new Blob([new Uint8Array(5000)], { type: 'audio/ogg' });

let database: FillableDatabase;
let records: RecordStore;
let cloud: ScriptedCloud;
let progress: ProgressBoard;
/** Returns the audio file on the phone. */
let master: () => Promise<Blob>;
/** The denoised audio on the phone. */
let denoised: Blob | null;
/** The call levels of every recording on the phone. */
let callLevels: UploadMetadata['callLevels'];
let pauses: number[];
/** The total of all pauses, in milliseconds. */
let paused: number;
let stop: AbortController;
let running: Promise<void>;

/** An in-memory server that records requests. Its next responses can be scripted to fail. */
class ScriptedCloud implements Omit<Cloud, 'digest' | 'download'> {
  readonly uploads: string[] = [];
  readonly createdTasks: string[] = [];
  /** IDs of tasks replaced by new requests. */
  readonly replaced: string[] = [];
  /** Contents of the files uploaded for tasks. */
  readonly taskUploads: string[] = [];
  /** The file URLs passed to task/create. */
  readonly taskAudioUrls: string[] = [];
  /** The peaks received, keyed by recording ID. */
  readonly peaks = new Map<string, readonly number[]>();
  /** The call levels received, keyed by recording ID. */
  readonly callLevels = new Map<string, UploadMetadata['callLevels']>();
  /** The parts of merged recordings, as received. */
  readonly merged: (readonly MergedPart[])[] = [];
  readonly failing: Record<
    'upload' | 'uploadForTask' | 'createTask' | 'mergeTranscripts' | 'list',
    CallFailure[]
  > = {
    upload: [],
    uploadForTask: [],
    createTask: [],
    mergeTranscripts: [],
    list: [],
  };
  /** Permanent upload failures, keyed by recording ID. */
  readonly uploadFailures = new Map<string, CallFailure>();
  readonly #rows = new Map<string, { recording: Recording; task: TaskHead | null }>();

  /** The `autoTranscribe` values received, keyed by recording ID. */
  readonly autoTranscribed = new Map<string, boolean | undefined>();

  /** The digest that the server computes for all audio it receives. */
  audioDigest: Sha256 = AUDIO_DIGEST;

  async check({ id }: { id: string }) {
    return { ok: true, data: this.#rows.get(id)?.recording ?? null } as const;
  }

  /** Called when an upload starts. The upload waits until it resolves. */
  onUpload: (signal: AbortSignal) => Promise<void> = async () => {};

  async upload(
    {
      id,
      name,
      peaks,
      callLevels: levels = null,
      autoTranscribe,
    }: Pick<UploadMetadata, 'id' | 'name' | 'peaks'> & Partial<UploadMetadata>,
    file: Blob,
    _onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ) {
    this.uploads.push(id);
    this.peaks.set(id, [...peaks]);
    this.callLevels.set(id, levels);
    this.autoTranscribed.set(id, autoTranscribe);
    await this.onUpload(signal);
    if (signal.aborted) return { ok: false, failure: { kind: 'aborted' } } as const;
    const failure = this.uploadFailures.get(id) ?? this.failing.upload.shift();
    if (failure) return { ok: false, failure } as const;
    const now = new Date().toISOString();
    const recording: Recording = {
      id: `server-${id}`,
      name,
      ai_title: '',
      source: 0,
      url: `http://store/${id}`,
      file_size: file.size,
      sha256: null,
      audio_sha256: this.audioDigest,
      mime_type: file.type,
      ext: 'ogg',
      total_time: 10,
      peaks: '',
      sn: 'SN',
      client_flag: id,
      status: null,
      progress: 0,
      keywords: [],
      tags: [],
      brief: '',
      is_del: 0,
      recorded_at: now,
      created_at: now,
      updated_at: now,
      rev: 1,
    };
    this.#rows.set(id, { recording, task: this.#rows.get(id)?.task ?? null });
    return { ok: true, data: recording } as const;
  }

  /** Loses a recording's audio. Phones receive this change with their next sync. */
  async lose(id: string) {
    const row = this.#rows.get(id);
    if (!row) throw new Error(`no recording ${id}`);
    row.recording = { ...row.recording, url: null };
    await records.update(id, { copies: { cloud: { status: 'absent' } } });
  }

  async uploadForTask(file: Blob) {
    this.taskUploads.push(await file.text());
    const failure = this.failing.uploadForTask.shift();
    if (failure) return { ok: false, failure } as const;
    return { ok: true, data: `http://store/task-audio-${this.taskUploads.length}` } as const;
  }

  async createTask(serverId: string, { language, replaces, audioUrl }: TaskRequest) {
    const failure = this.failing.createTask.shift();
    if (failure) return { ok: false, failure } as const;
    if (replaces !== undefined) this.replaced.push(replaces);
    if (audioUrl !== undefined) this.taskAudioUrls.push(audioUrl);
    const row = this.#getRow(serverId);
    const id = `task-${this.createdTasks.push(serverId)}`;
    row.task = {
      id,
      language: language as TaskHead['language'],
      status: 1,
      progress: 40,
      step: { name: 'recognise', done: 0.4 },
      error: null,
    };
    return { ok: true, data: { id } } as const;
  }

  async mergeTranscripts(serverId: string, parts: readonly MergedPart[]) {
    const failure = this.failing.mergeTranscripts.shift();
    if (failure) return { ok: false, failure } as const;
    this.merged.push(parts);
    const row = this.#getRow(serverId);
    const id = `merge-${this.merged.length}`;
    row.task = { id, language: 'en', status: 2, progress: 100, step: null, error: null };
    return { ok: true, data: { id, language: 'en' } } as const;
  }

  async list(ids: readonly string[]) {
    const failure = this.failing.list.shift();
    if (failure) return { ok: false, failure } as const;
    const rows = [...this.#rows.values()].map(({ recording, task }) => ({ ...recording, task }));
    return { ok: true, data: rows.filter(({ id }) => ids.includes(id)) } as const;
  }

  async task(id: string) {
    const [row] = [...this.#rows.values()].filter(({ task }) => task?.id === id);
    const now = new Date().toISOString();
    const task: Task = {
      id,
      radio_file_id: row?.recording.id ?? '',
      language: row?.task?.language ?? 'en',
      status: 2,
      progress: 100,
      step: null,
      error: null,
      paragraphs: [{ id: 'p', start_time: 0, end_time: 1, content: 'Hello.', is_tag: 0 }],
      title: 'Hello',
      brief: 'Hello.',
      summary: 'Hello.',
      summary_json: null,
      keywords: ['hello'],
      xmind_url: null,
      xmind_json: null,
      summarizing: null,
      engine: 'scripted',
      minutes: 1,
      created_at: now,
      updated_at: now,
    };
    return { ok: true, data: task } as const;
  }

  /** Adds a task as if another phone had created it. */
  async createElsewhere(id: string, language: string, range?: TaskHead['range']): Promise<void> {
    await this.createTask(`server-${id}`, { language });
    const { task } = this.#getRow(`server-${id}`);
    if (task && range) task.range = range;
  }

  /** Ends a recording's task. */
  finish(id: string, outcome: 'transcribed' | 'failed' | 'canceled'): void {
    const row = this.#rows.get(id);
    if (!row?.task) throw new Error('no task');
    row.task =
      outcome === 'transcribed'
        ? { ...row.task, status: 2, progress: 100, step: null }
        : {
            ...row.task,
            status: 3,
            step: null,
            error:
              outcome === 'canceled'
                ? { code: codes.transcriptionCanceled, msg: 'canceled' }
                : { code: codes.noSpeech, msg: 'no speech' },
          };
  }

  #getRow(serverId: string) {
    const row = [...this.#rows.values()].find(({ recording }) => recording.id === serverId);
    if (!row) throw new Error('no such recording');
    return row;
  }
}

/** Starts the sync. @param maySend whether audio may be sent */
function start(
  policy: Pick<CloudPolicy, 'upload' | 'transcribe'>,
  maySend = () => true,
): CloudSync {
  stop = new AbortController();
  const sync = new CloudSync({
    uid: UID,
    records,
    audio: { master: () => master(), callLevels: async () => callLevels },
    audioProcessor: { denoised: async () => denoised },
    cloud,
    progress,
    policy: () => ({
      ...policy,
      languages: policy.transcribe === null ? [] : ['en', 'fr'],
      maySend: maySend(),
    }),
    clock: {
      ...systemClock,
      elapsed: () => paused,
      // Resolve without delay, but only after all other pending work.
      sleep: async (ms) => {
        pauses.push(ms);
        paused += ms;
        await setImmediate();
      },
    },
    log: () => {},
  });
  running = sync.run(stop.signal);
  return sync;
}

/** Adds a recording that is verified on the phone. @returns its ID */
async function addRecording(sessionId: number): Promise<string> {
  const id = recordingId('SN', sessionId, 1_700_000_000);
  await records.ensure({
    id,
    uid: UID,
    sn: 'SN',
    source: 'recorder',
    deviceFileId: sessionId,
    createDate: new Date(1_700_000_000_000 + sessionId).toISOString(),
    seconds: 10,
    scene: 'note',
    audioBytes: 80_000,
  });
  await records.update(id, {
    copies: { phone: { status: 'verified', bytes: 80_000, sha256: AUDIO_DIGEST } },
    peaks: Uint8Array.of(1, 2, sessionId),
  });
  return id;
}

const mergedFrom: readonly MergedPart[] = [
  { client_flag: 'a', start: 0 },
  { client_flag: 'b', start: 61.6 },
];

/** Adds a recording merged from recordings that have transcripts. @returns its ID */
async function addMerged(): Promise<string> {
  const id = importId();
  const audio = { bytes: 80_000, sha256: AUDIO_DIGEST, seconds: 90, localfile: 'x.wav' };
  await records.add({
    ...{ id, uid: UID, title: '', createDate: new Date(1_700_000_000_000).toISOString() },
    ...{ audio: { ...audio, peaks: Uint8Array.of(1) }, mergedFrom, autoTranscribe: false },
  });
  return id;
}

const neverAborted = new AbortController().signal;
const detail = async (id: string) => (await records.detail(id)) ?? expect.fail('no such record');

/** Syncs until a recording is uploaded, without requesting a transcription. */
async function uploadOnly(id: string): Promise<void> {
  start({ upload: true, transcribe: null });
  await waitUntil(
    'the recording is uploaded',
    async () => (await detail(id)).copies.cloud.status === 'verified',
  );
  stop.abort();
  await running;
}

beforeEach(async () => {
  database = new FillableDatabase(await openNodeSqlite(':memory:'));
  await migrate(database);
  ({ records } = createStores(database));
  cloud = new ScriptedCloud();
  progress = new ProgressBoard();
  master = async () => MASTER;
  denoised = null;
  callLevels = null;
  pauses = [];
  paused = 0;
});

afterEach(async () => {
  stop.abort();
  await running;
  await database.close();
});

describe('syncing recordings to the server', () => {
  it('uploads a recording, requests a transcription, and fetches the results without a wake-up', async () => {
    const id = await addRecording(1);
    start({ upload: true, transcribe: 'en' });
    await waitUntil('a task is created', () => cloud.createdTasks.length === 1);
    expect(cloud.peaks.get(id)).toEqual([1, 2, 1]);
    cloud.finish(id, 'transcribed');
    await waitUntil('the results are stored', async () => (await detail(id)).is_trans === 2);
    const record = await detail(id);
    expect(record.content).toHaveLength(1);
    expect(record.ai_title).toBe('Hello');
    expect(record.copies.cloud.status).toBe('verified');
    expect(cloud.uploads).toEqual([id]);
  });

  it('uploads the levels of a call, but none for other recordings', async () => {
    const note = await addRecording(1);
    start({ upload: true, transcribe: null });
    await waitUntil('the note is uploaded', () => cloud.uploads.length === 1);
    stop.abort();
    await running;
    callLevels = Uint8Array.of(9, 0, 0, 9);
    const call = await addRecording(2);
    start({ upload: true, transcribe: null });
    await waitUntil('the call is uploaded', () => cloud.uploads.length === 2);
    expect(cloud.callLevels.get(note)).toBeNull();
    expect(cloud.callLevels.get(call)).toEqual(Uint8Array.of(9, 0, 0, 9));
  });

  it('reports different audio under the same id, and neither counts it as a copy nor overwrites it', async () => {
    const id = await addRecording(1);
    cloud.audioDigest = sha256From('cd'.repeat(32));
    // Another client has registered a file under the recording's ID.
    await cloud.upload({ id, name: '', peaks: new Uint8Array() }, MASTER, () => {}, neverAborted);
    cloud.uploads.length = 0;
    start({ upload: true, transcribe: null });
    await waitUntil('the problem is reported', async () => (await detail(id)).problem !== null);
    const { problem, copies } = await detail(id);
    expect(problem).toEqual({ step: 'upload', code: 'cloud_differs' });
    expect(copies.cloud).toMatchObject({ status: 'stored' });
    expect(cloud.uploads).toEqual([]);
  });

  it('counts an existing file on the server as a copy if the digests are equal', async () => {
    const id = await addRecording(1);
    await cloud.upload({ id, name: '', peaks: new Uint8Array() }, MASTER, () => {}, neverAborted);
    start({ upload: true, transcribe: null });
    await waitUntil(
      'the cloud copy is verified',
      async () => (await detail(id)).copies.cloud.status === 'verified',
    );
    expect(cloud.uploads).toEqual([id]);
  });

  it('resumes automatically once a full disk has space', async () => {
    const id = await addRecording(1);
    database.isFull = true;
    const sync = start({ upload: true, transcribe: 'en' });
    await waitUntil(
      'several retries have failed',
      () => database.rejectedBatches > BACKOFF_SECONDS.length,
    );
    expect(pauses.slice(0, 3)).toEqual(
      BACKOFF_SECONDS.slice(0, 3).map((seconds) => seconds * 1000),
    );
    // The server responded each time.
    expect(sync.reachability.status).not.toBe('waiting');
    database.isFull = false;
    await waitUntil('a task is created', () => cloud.createdTasks.length === 1);
    cloud.finish(id, 'transcribed');
    await waitUntil('the results are stored', async () => (await detail(id)).is_trans === 2);
    expect(cloud.createdTasks).toHaveLength(1);
  });

  it('reports the progress of a transcription until it ends', async () => {
    const id = await addRecording(1);
    start({ upload: true, transcribe: 'en' });
    await waitUntil(
      'the transcription is in progress',
      () => progress.get().get(id)?.step === 'transcribe',
    );
    expect(progress.get().get(id)).toEqual({
      step: 'transcribe',
      fraction: 0.4,
      at: { name: 'recognise', done: 0.4 },
    });
    cloud.finish(id, 'transcribed');
    await waitUntil('the results are stored', async () => (await detail(id)).is_trans === 2);
    await waitUntil('no progress is reported', () => !progress.get().has(id));
  });

  it('polls a new transcription four times a second, and less often after ten seconds', async () => {
    await addRecording(1);
    start({ upload: true, transcribe: 'en' });
    await waitUntil('the polls are slower', () => pauses.includes(1500));
    const polls = pauses.slice(pauses.indexOf(250), pauses.indexOf(1500));
    expect(polls).toEqual(Array(40).fill(250));
  });

  it('requests a replacement transcript once, and keeps the first transcript until the new results', async () => {
    const id = await addRecording(1);
    const sync = start({ upload: true, transcribe: 'en' });
    await waitUntil('a task is created', () => cloud.createdTasks.length === 1);
    cloud.finish(id, 'transcribed');
    await waitUntil('the results are stored', async () => (await detail(id)).is_trans === 2);
    await records.update(id, { requestedLanguage: 'fr' });
    sync.wake();
    await waitUntil('a second task is created', () => cloud.createdTasks.length === 2);
    expect(cloud.replaced).toEqual(['task-1']);
    await waitUntil('the task is polled', async () => (await detail(id)).is_trans === 1);
    expect((await detail(id)).content).toHaveLength(1);
    cloud.finish(id, 'transcribed');
    await waitUntil('the new results are stored', async () => (await detail(id)).is_trans === 2);
    expect((await detail(id)).task).toEqual({ id: 'task-2', language: 'fr' });
    expect(cloud.createdTasks).toHaveLength(2);
  });

  it('sends audio only while sending is allowed, even on request', async () => {
    let maySend = false;
    const id = await addRecording(1);
    await records.update(id, { requestedLanguage: 'en' });
    const sync = start({ upload: true, transcribe: null }, () => maySend);
    await waitUntil('the server is reached', () => sync.reachability.status === 'reached');
    expect(cloud.uploads).toEqual([]);
    maySend = true;
    sync.wake();
    await waitUntil('a task is created', () => cloud.createdTasks.length === 1);
    expect(cloud.uploads).toEqual([id]);
  });

  it('cancels an upload when sending is no longer allowed, and resumes it later', async () => {
    let maySend = true;
    const id = await addRecording(1);
    cloud.onUpload = (signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    const sync = start({ upload: true, transcribe: null }, () => maySend);
    await waitUntil('an upload has started', () => cloud.uploads.length === 1);
    maySend = false;
    sync.wake();
    await waitUntil('the upload is canceled', () => !progress.get().has(id));
    expect((await detail(id)).problem).toBeNull();
    cloud.onUpload = async () => {};
    maySend = true;
    sync.wake();
    await waitUntil('the recording is uploaded', async () => (await detail(id)).is_local === 2);
    expect(pauses).toEqual([]);
  });

  it('does not start an upload if sending is disallowed while the audio is read', async () => {
    let maySend = true;
    const id = await addRecording(1);
    const canceled: boolean[] = [];
    cloud.onUpload = async ({ aborted }) => void canceled.push(aborted);
    master = async () => {
      maySend = false;
      sync.wake();
      return MASTER;
    };
    const sync = start({ upload: true, transcribe: null }, () => maySend);
    await waitUntil('an upload has started', () => canceled.length > 0);
    await waitUntil('the upload is canceled', () => !progress.get().has(id));
    expect(await detail(id)).toMatchObject({ is_local: 0, problem: null });
    master = async () => MASTER;
    maySend = true;
    sync.wake();
    await waitUntil('the recording is uploaded', async () => (await detail(id)).is_local === 2);
    expect(canceled).toEqual([true, false]);
  });

  it('transcribes the denoised version only for the request that selects it', async () => {
    const id = await addRecording(1);
    denoised = new Blob(['without noise']);
    await records.update(id, { requestedLanguage: 'en', requestedAudio: 'cleaner' });
    const sync = start({ upload: true, transcribe: null });
    await waitUntil('a task is created', () => cloud.createdTasks.length === 1);
    cloud.finish(id, 'transcribed');
    await waitUntil('the results are stored', async () => (await detail(id)).is_trans === 2);
    // The next transcription uses the original audio.
    await records.update(id, { requestedLanguage: 'fr', requestedAudio: 'original' });
    sync.wake();
    await waitUntil('a second task is created', () => cloud.createdTasks.length === 2);
    expect(cloud.taskUploads).toEqual(['without noise']);
    expect(cloud.taskAudioUrls).toEqual(['http://store/task-audio-1']);
  });

  it('transcribes the original if the denoised version has been deleted', async () => {
    const id = await addRecording(1);
    await records.update(id, { requestedLanguage: 'en', requestedAudio: 'cleaner' });
    start({ upload: true, transcribe: null });
    await waitUntil('a task is created', () => cloud.createdTasks.length === 1);
    expect([cloud.taskUploads, cloud.taskAudioUrls]).toEqual([[], []]);
  });

  it('uploads the denoised version again after its task has failed', async () => {
    const id = await addRecording(1);
    denoised = new Blob(['without noise']);
    await records.update(id, { requestedLanguage: 'en', requestedAudio: 'cleaner' });
    const sync = start({ upload: true, transcribe: null });
    await waitUntil('a task is created', () => cloud.createdTasks.length === 1);
    cloud.finish(id, 'failed');
    await waitUntil('the failure is stored', async () => (await detail(id)).is_trans === 3);
    // The user retries.
    await records.update(id, { problem: null, is_trans: 0, requestedLanguage: 'en' });
    sync.wake();
    await waitUntil('a second task is created', () => cloud.createdTasks.length === 2);
    expect(cloud.taskAudioUrls).toEqual(['http://store/task-audio-1', 'http://store/task-audio-2']);
  });

  it('reports a rejected upload of the denoised version, and continues with other recordings', async () => {
    const failingId = await addRecording(1);
    const goodId = await addRecording(2);
    denoised = new Blob(['without noise']);
    const rejected: CallFailure = { kind: 'http', status: 403 };
    cloud.failing.uploadForTask.push(rejected, rejected, rejected);
    await records.update(failingId, { requestedLanguage: 'en', requestedAudio: 'cleaner' });
    start({ upload: true, transcribe: null });
    await waitUntil(
      'the problem is reported',
      async () => (await detail(failingId)).problem !== null,
    );
    expect((await detail(failingId)).problem).toMatchObject({
      step: 'transcribe',
      code: 'refused',
    });
    await waitUntil(
      'the other recording is verified',
      async () => (await detail(goodId)).copies.cloud.status === 'verified',
    );
    expect(cloud.taskUploads).toHaveLength(3);
    expect(pauses).toEqual([]);
  });

  it('does not replace a transcript without a request', async () => {
    const id = await addRecording(1);
    await uploadOnly(id);
    // Another phone requests a transcription while the app is closed.
    await cloud.createElsewhere(id, 'fr');
    cloud.finish(id, 'transcribed');
    start({ upload: true, transcribe: 'en' });
    await waitUntil('the results are stored', async () => (await detail(id)).is_trans === 2);
    expect(cloud.createdTasks).toHaveLength(1);
    expect(cloud.replaced).toEqual([]);
    expect((await detail(id)).task).toMatchObject({ language: 'fr' });
  });

  it.each(['transcribed', 'failed'] as const)(
    'does not transcribe the whole recording if it first learns of a range that %s',
    async (outcome) => {
      const id = await addRecording(1);
      await uploadOnly(id);
      await cloud.createElsewhere(id, 'en');
      await cloud.createElsewhere(id, 'en', { transcript: 'task-1', start: 1, end: 4 });
      cloud.finish(id, outcome);
      start({ upload: true, transcribe: 'en' });
      await waitUntil('the results are stored', async () => (await detail(id)).is_trans === 2);
      expect(cloud.createdTasks).toHaveLength(2);
      expect(cloud.replaced).toEqual([]);
    },
  );

  it('transcribes a recording in its own language', async () => {
    const ownLanguage = await addRecording(1);
    const unsupported = await addRecording(2);
    const { changes } = createStores(database);
    await changes.edit(UID, { type: 'recording.language', recording: ownLanguage, language: 'fr' });
    await changes.edit(UID, { type: 'recording.language', recording: unsupported, language: 'th' });
    start({ upload: true, transcribe: 'en' });
    await waitUntil(
      'a task is created',
      async () => (await detail(ownLanguage)).task?.language === 'fr',
    );
    await waitUntil('the uploads', () => cloud.uploads.length === 2);
    expect(cloud.createdTasks).toHaveLength(1);
    const languages = new Map([[ownLanguage, 'fr'] as const, [unsupported, 'th'] as const]);
    expect(await records.languages(UID)).toEqual(languages);
  });

  it('shows the transcript again after a range of it could not be transcribed', async () => {
    const id = await addRecording(1);
    const sync = start({ upload: true, transcribe: 'en' });
    await waitUntil('a task is created', () => cloud.createdTasks.length === 1);
    cloud.finish(id, 'transcribed');
    await waitUntil('the results are stored', async () => (await detail(id)).is_trans === 2);
    await cloud.createElsewhere(id, 'en', { transcript: 'task-1', start: 1, end: 4 });
    await records.update(id, { is_trans: 1, task: { id: 'task-2', language: 'en' } });
    sync.wake();
    await waitUntil('progress is reported', () => progress.get().has(id));
    cloud.finish(id, 'failed');
    await waitUntil('the failure is stored', async () => (await detail(id)).problem !== null);
    const { is_trans, task, problem, content } = await detail(id);
    expect([is_trans, task?.id, problem?.code, content.length]).toEqual([
      ...[2, 'task-1', 'range_failed', 1],
    ]);
  });

  it('retries a failed transcription after a restart', async () => {
    const id = await addRecording(1);
    start({ upload: true, transcribe: 'en' });
    await waitUntil('a task is created', () => cloud.createdTasks.length === 1);
    cloud.finish(id, 'failed');
    await waitUntil('the failure is stored', async () => (await detail(id)).is_trans === 3);
    stop.abort();
    await running;
    // Before the restart, the user requested a retry while offline.
    await records.update(id, { problem: null, is_trans: 0, requestedLanguage: 'fr' });
    start({ upload: true, transcribe: null });
    await waitUntil('a second task is created', () => cloud.createdTasks.length === 2);
    await waitUntil('the task is polled', async () => (await detail(id)).task?.language === 'fr');
    expect((await detail(id)).problem).toBeNull();
  });

  it.each([
    ['transcribed', 2],
    ['failed', 3],
  ] as const)(
    'uploads audio again that the cloud has lost, if it was %s',
    async (end, is_trans) => {
      const id = await addRecording(1);
      const sync = start({ upload: true, transcribe: 'en' });
      await waitUntil('a task is created', () => cloud.createdTasks.length === 1);
      cloud.finish(id, end);
      await waitUntil('the task has ended', async () => (await detail(id)).is_trans === is_trans);
      const { problem } = await detail(id);
      await cloud.lose(id);
      sync.wake();
      await waitUntil(
        'the copy is verified',
        async () => (await detail(id)).copies.cloud.status === 'verified',
      );
      expect(cloud.uploads).toEqual([id, id]);
      expect(cloud.createdTasks).toHaveLength(1);
      expect(await detail(id)).toMatchObject({ is_trans, problem });
    },
  );

  it('uploads new recordings before audio that the cloud has lost', async () => {
    const [first, second] = [await addRecording(1), await addRecording(2)];
    const sync = start({ upload: true, transcribe: 'en' });
    await waitUntil('both tasks are created', () => cloud.createdTasks.length === 2);
    for (const id of [first, second]) cloud.finish(id, 'transcribed');
    await waitUntil('the results are stored', async () => (await detail(second)).is_trans === 2);
    await waitUntil('the results are stored', async () => (await detail(first)).is_trans === 2);
    let third = '';
    cloud.onUpload = async () => {
      cloud.onUpload = async () => {};
      third = await addRecording(3);
    };
    for (const id of [first, second]) await cloud.lose(id);
    sync.wake();
    await waitUntil('everything is uploaded', () => cloud.uploads.length === 5);
    expect(cloud.uploads.slice(2)).toEqual([first, third, second]);
  });

  it('doesn’t upload transcribed audio if the storage setting excludes the cloud', async () => {
    const lostRecording = await addRecording(1);
    start({ upload: false, transcribe: 'en' });
    await waitUntil('a task is created', () => cloud.createdTasks.length === 1);
    cloud.finish(lostRecording, 'transcribed');
    await waitUntil(
      'the results are stored',
      async () => (await detail(lostRecording)).is_trans === 2,
    );
    await cloud.lose(lostRecording);
    stop.abort();
    await running;
    const other = await addRecording(2);
    start({ upload: false, transcribe: 'en' });
    await waitUntil('a second task is created', () => cloud.createdTasks.length === 2);
    expect(cloud.uploads).toEqual([lostRecording, other]);
  });

  it.each([
    ['fr', 'fr'],
    ['auto', 'fr'],
  ])('adopts a task requested for %s if the response was lost', async (requested, created) => {
    const id = await addRecording(1);
    const first = start({ upload: true, transcribe: 'en' });
    await waitUntil('a task is created', () => cloud.createdTasks.length === 1);
    cloud.finish(id, 'transcribed');
    await waitUntil('the results are stored', async () => (await detail(id)).is_trans === 2);
    stop.abort();
    await running;
    // The server creates another task, but the app is closed before it receives the response.
    await records.update(id, { requestedLanguage: requested });
    await cloud.createElsewhere(id, created);
    cloud.finish(id, 'transcribed');
    expect(first.reachability.status).toBe('reached');
    start({ upload: true, transcribe: 'en' });
    await waitUntil('the task is adopted', async () => (await detail(id)).task?.id === 'task-2');
    await waitUntil('the results are stored', async () => (await detail(id)).is_trans === 2);
    await waitUntil(
      'the queue is empty',
      async () => (await records.queue(UID, false)).length === 0,
    );
    expect(cloud.createdTasks).toHaveLength(2);
  });

  it('backs off while the server does not respond, and then uploads', async () => {
    const id = await addRecording(1);
    const offline: CallFailure = { kind: 'network', cause: 'test' };
    cloud.failing.upload.push(offline, { kind: 'timeout' }, { kind: 'http', status: 502 });
    const sync = start({ upload: true, transcribe: null });
    await waitUntil(
      'the recording is uploaded',
      async () => (await detail(id)).copies.cloud.status === 'verified',
    );
    const [firstDelay, secondDelay, thirdDelay] = BACKOFF_SECONDS;
    expect(pauses).toEqual([firstDelay, secondDelay, thirdDelay].map((s) => s * 1000));
    await waitUntil('the server is reached', () => sync.reachability.status === 'reached');
  });

  it('reports an upload that the object storage rejects, and continues with other recordings', async () => {
    const failingId = await addRecording(1);
    const goodId = await addRecording(2);
    cloud.uploadFailures.set(failingId, { kind: 'http', status: 403 });
    start({ upload: true, transcribe: null });
    await waitUntil(
      'the other recording is verified',
      async () => (await detail(goodId)).copies.cloud.status === 'verified',
    );
    await waitUntil(
      'the problem is reported',
      async () => (await detail(failingId)).problem !== null,
    );
    expect((await detail(failingId)).problem).toMatchObject({ step: 'upload', code: 'refused' });
    expect(cloud.uploads.filter((id) => id === failingId)).toHaveLength(3);
    expect(pauses).toEqual([]);
  });

  it('does not retry after the server has rejected a request, until the user retries', async () => {
    const id = await addRecording(1);
    cloud.failing.createTask.push({ kind: 'server', code: codes.notEnoughMinutes, msg: '' });
    const sync = start({ upload: true, transcribe: 'en' });
    await waitUntil('the rejection is stored', async () => (await detail(id)).problem !== null);
    expect((await detail(id)).problem).toMatchObject({ step: 'transcribe', code: 'refused' });
    await records.update(id, { problem: null });
    sync.wake();
    await waitUntil('a task is created', () => cloud.createdTasks.length === 1);
  });

  it('fetches the merged transcript of a merged recording, even if nothing is uploaded automatically', async () => {
    const id = await addMerged();
    start({ upload: false, transcribe: null });
    await waitUntil('the results are stored', async () => (await detail(id)).is_trans === 2);
    expect(cloud.merged).toEqual([mergedFrom]);
    expect(cloud.autoTranscribed.get(id)).toBe(false);
    expect(cloud.createdTasks).toEqual([]);
    expect((await records.queue(UID, false)).map((record) => record.mergedFrom)).toEqual([]);
  });

  it('repeats the request for a merged transcript until the server responds', async () => {
    const id = await addMerged();
    cloud.failing.mergeTranscripts.push({ kind: 'network', cause: 'offline' });
    start({ upload: true, transcribe: 'en' });
    await waitUntil('the results are stored', async () => (await detail(id)).is_trans === 2);
    expect(pauses).not.toEqual([]);
    expect([cloud.merged.length, cloud.createdTasks.length]).toEqual([1, 0]);
  });

  it.each([
    ['the server has lost a transcript', codes.notTranscribed, null],
    ['the server has lost a recording', codes.notFound, null],
    ['the server is too old', codes.unknownCall, mergedFrom],
  ])('asks the user how to proceed with a merged recording if %s', async (_, code, remaining) => {
    const id = await addMerged();
    cloud.failing.mergeTranscripts.push({ kind: 'server', code, msg: '' });
    start({ upload: true, transcribe: 'en' });
    await waitUntil('the rejection is stored', async () => (await detail(id)).problem !== null);
    expect(await detail(id)).toMatchObject({
      mergedFrom: remaining,
      problem: { step: 'transcribe', code: 'refused', failure: { code } },
    });
    expect([cloud.merged, cloud.createdTasks]).toEqual([[], []]);
  });

  it('reports why a task failed', async () => {
    const id = await addRecording(1);
    start({ upload: true, transcribe: 'en' });
    await waitUntil('a task is created', () => cloud.createdTasks.length === 1);
    cloud.finish(id, 'failed');
    await waitUntil('the failure is stored', async () => (await detail(id)).is_trans === 3);
    expect((await detail(id)).problem).toMatchObject({
      code: 'failed',
      failure: { code: codes.noSpeech },
    });
  });

  it('does not treat a canceled task as a failure, and does not request another task', async () => {
    const id = await addRecording(1);
    const sync = start({ upload: true, transcribe: 'en' });
    await waitUntil('a task is created', () => cloud.createdTasks.length === 1);
    cloud.finish(id, 'canceled');
    await waitUntil('the end', async () => (await detail(id)).is_trans === 0);
    expect((await detail(id)).problem).toBeNull();
    const other = await addRecording(2);
    sync.wake();
    await waitUntil("another recording's task is created", () => cloud.createdTasks.length === 2);
    expect(cloud.createdTasks).toEqual([id, other].map(() => expect.anything()));
    expect((await detail(id)).is_trans).toBe(0);
  });

  it('processes recordings that are added after the last pass', async () => {
    const sync = start({ upload: true, transcribe: 'en' });
    await waitUntil('the server is reached', () => sync.reachability.status === 'reached');
    const id = await addRecording(1);
    sync.requestPass();
    await waitUntil('a task is created', () => cloud.createdTasks.length === 1);
    cloud.finish(id, 'transcribed');
    await waitUntil('the results are stored', async () => (await detail(id)).is_trans === 2);
  });

  it('does not upload recordings without a request', async () => {
    const id = await addRecording(1);
    const sync = start({ upload: false, transcribe: null });
    await waitUntil('the server is reached', () => sync.reachability.status === 'reached');
    expect(cloud.uploads).toEqual([]);
    await records.update(id, { requestedLanguage: 'en' });
    sync.wake();
    await waitUntil('a task is created', () => cloud.createdTasks.length === 1);
    expect(cloud.uploads).toEqual([id]);
  });

  it('transcribes a recording with autoTranscribe off only on request, and notifies the server', async () => {
    const id = await addRecording(1);
    await records.update(id, { autoTranscribe: false });
    const other = await addRecording(2);
    const sync = start({ upload: true, transcribe: 'en' });
    await waitUntil("the other recording's task is created", () => cloud.createdTasks.length === 1);
    expect(cloud.createdTasks).toEqual([`server-${other}`]);
    expect(cloud.autoTranscribed).toEqual(
      new Map([
        [id, false],
        [other, true],
      ]),
    );
    await records.update(id, { requestedLanguage: 'en' });
    sync.wake();
    await waitUntil('its task is created', () => cloud.createdTasks.includes(`server-${id}`));
  });

  it('adopts a task whose creation was not confirmed', async () => {
    const id = await addRecording(1);
    start({ upload: true, transcribe: 'en' });
    await waitUntil('a task is created', () => cloud.createdTasks.length === 1);
    stop.abort();
    await running;
    // The app crashes before it stores the response.
    await records.update(id, { is_trans: 0, task: null });
    start({ upload: true, transcribe: 'en' });
    await waitUntil('the task is polled', async () => (await detail(id)).is_trans === 1);
    cloud.finish(id, 'transcribed');
    await waitUntil('the results are stored', async () => (await detail(id)).is_trans === 2);
    expect(cloud.createdTasks).toHaveLength(1);
  });
});

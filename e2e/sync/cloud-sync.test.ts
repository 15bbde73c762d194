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
  ProgressBoard,
  type RecordStore,
  recordingId,
  type Sha256,
  sha256From,
  type TaskWish,
  type UploadFacts,
} from '@linnet/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FullDisk } from '../support/full-disk.ts';
import { until } from '../support/until.ts';

const UID = 'owner';
/** The digest of the audio of every recording here. */
const AUDIO = sha256From('ab'.repeat(32));
const MASTER = new Blob([new Uint8Array(5000)], { type: 'audio/ogg' });

let database: FullDisk;
let records: RecordStore;
let cloud: ScriptedCloud;
let progress: ProgressBoard;
/** Opens what lies on the phone. */
let master: () => Promise<Blob>;
/** The cleaner version that lies on the phone. */
let cleaner: Blob | null;
let pauses: number[];
let stop: AbortController;
let running: Promise<void>;

/** A server in memory whose next answers can be failures; it counts what it was asked. */
class ScriptedCloud implements Omit<Cloud, 'digest' | 'download'> {
  readonly uploads: string[] = [];
  readonly tasksMade: string[] = [];
  /** The tasks in whose place another was asked for. */
  readonly replaced: string[] = [];
  /** What was stored for tasks alone, and the addresses of it that tasks were made with. */
  readonly sentForTasks: string[] = [];
  readonly heard: string[] = [];
  /** How loud it was told each recording is. */
  readonly drawn = new Map<string, readonly number[]>();
  readonly failing: Record<'upload' | 'uploadForTask' | 'createTask' | 'list', CallFailure[]> = {
    upload: [],
    uploadForTask: [],
    createTask: [],
    list: [],
  };
  /** Recordings whose uploads always fail. */
  readonly unwanted = new Map<string, CallFailure>();
  readonly #rows = new Map<string, { recording: Recording; task: TaskHead | null }>();

  /** What the server was told of each recording. */
  readonly autoTranscribed = new Map<string, boolean | undefined>();

  /** The digest of whatever audio the server computes one of. */
  audio: Sha256 = AUDIO;

  async check({ id }: { id: string }) {
    return { ok: true, data: this.#rows.get(id)?.recording ?? null } as const;
  }

  /** Called once an upload began, which waits for what it gives. */
  onUpload: (signal: AbortSignal) => Promise<void> = async () => {};

  async upload(
    {
      id,
      name,
      peaks,
      autoTranscribe,
    }: Pick<UploadFacts, 'id' | 'name' | 'peaks'> & Partial<UploadFacts>,
    file: Blob,
    _onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ) {
    this.uploads.push(id);
    this.drawn.set(id, [...peaks]);
    this.autoTranscribed.set(id, autoTranscribe);
    await this.onUpload(signal);
    if (signal.aborted) return { ok: false, failure: { kind: 'aborted' } } as const;
    const failure = this.unwanted.get(id) ?? this.failing.upload.shift();
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
      audio_sha256: this.audio,
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
    this.#rows.set(id, { recording, task: null });
    return { ok: true, data: recording } as const;
  }

  async uploadForTask(file: Blob) {
    this.sentForTasks.push(await file.text());
    const failure = this.failing.uploadForTask.shift();
    if (failure) return { ok: false, failure } as const;
    return { ok: true, data: `http://store/aside-${this.sentForTasks.length}` } as const;
  }

  async createTask(serverId: string, { language, again, audioUrl }: TaskWish) {
    const failure = this.failing.createTask.shift();
    if (failure) return { ok: false, failure } as const;
    if (again !== undefined) this.replaced.push(again);
    if (audioUrl !== undefined) this.heard.push(audioUrl);
    const row = this.#rowOf(serverId);
    const id = `task-${this.tasksMade.push(serverId)}`;
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

  /** A task that another phone has made. */
  async madeElsewhere(id: string, language: string): Promise<void> {
    await this.createTask(`server-${id}`, { language });
  }

  /** Lets the task of a recording end. */
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
                : { code: codes.noSpeech, msg: 'nothing was heard' },
          };
  }

  #rowOf(serverId: string) {
    const row = [...this.#rows.values()].find(({ recording }) => recording.id === serverId);
    if (!row) throw new Error('no such recording');
    return row;
  }
}

/** Sound may be sent, unless a test says when not. */
function start(wanted: Omit<CloudPolicy, 'maySend'>, maySend = () => true): CloudSync {
  stop = new AbortController();
  const sync = new CloudSync({
    uid: UID,
    records,
    audio: { master: () => master() },
    workshop: { cleaner: async () => cleaner },
    cloud,
    progress,
    policy: () => ({ ...wanted, maySend: maySend() }),
    clock: {
      now: () => Date.now(),
      // Time passes at once, and everything else still gets its turn.
      sleep: async (ms) => {
        pauses.push(ms);
        await setImmediate();
      },
    },
    log: () => {},
  });
  running = sync.run(stop.signal);
  return sync;
}

/** A recording that is verified on the phone. @returns its id */
async function stored(sessionId: number): Promise<string> {
  const id = recordingId('SN', sessionId, 1_700_000_000);
  await records.ensure({
    id,
    uid: UID,
    sn: 'SN',
    deviceFileId: sessionId,
    createDate: new Date(1_700_000_000_000 + sessionId).toISOString(),
    seconds: 10,
    recSource: 1,
    audioBytes: 80_000,
  });
  await records.update(id, {
    copies: { phone: { status: 'verified', bytes: 80_000, sha256: AUDIO } },
    peaks: Uint8Array.of(1, 2, sessionId),
  });
  return id;
}

const stopped = new AbortController().signal;
const detail = async (id: string) => (await records.detail(id)) ?? expect.fail('no such record');

beforeEach(async () => {
  database = new FullDisk(await openNodeSqlite(':memory:'));
  await migrate(database);
  ({ records } = createStores(database));
  cloud = new ScriptedCloud();
  progress = new ProgressBoard();
  master = async () => MASTER;
  cleaner = null;
  pauses = [];
});

afterEach(async () => {
  stop.abort();
  await running;
  await database.close();
});

describe('taking recordings to the server', () => {
  it('uploads, asks for a transcription and takes over its results without being told again', async () => {
    const id = await stored(1);
    start({ upload: true, transcribe: 'en' });
    await until('a task', () => cloud.tasksMade.length === 1);
    expect(cloud.drawn.get(id)).toEqual([1, 2, 1]);
    cloud.finish(id, 'transcribed');
    await until('the results', async () => (await detail(id)).is_trans === 2);
    const record = await detail(id);
    expect(record.content).toHaveLength(1);
    expect(record.ai_title).toBe('Hello');
    expect(record.copies.cloud.status).toBe('verified');
    expect(cloud.uploads).toEqual([id]);
  });

  it('counts no copy whose audio is another, sends nothing over it, and says so', async () => {
    const id = await stored(1);
    cloud.audio = sha256From('cd'.repeat(32));
    // As a foreign client registers a file under the recording's identity.
    await cloud.upload({ id, name: '', peaks: new Uint8Array() }, MASTER, () => {}, stopped);
    cloud.uploads.length = 0;
    start({ upload: true, transcribe: null });
    await until('it was told', async () => (await detail(id)).trouble !== null);
    const { trouble, copies } = await detail(id);
    expect(trouble).toEqual({ step: 'upload', code: 'cloud_differs' });
    expect(copies.cloud).toMatchObject({ status: 'stored' });
    expect(cloud.uploads).toEqual([]);
  });

  it('takes what the server holds already for a copy once the digests agree', async () => {
    const id = await stored(1);
    await cloud.upload({ id, name: '', peaks: new Uint8Array() }, MASTER, () => {}, stopped);
    start({ upload: true, transcribe: null });
    await until(
      'it is verified',
      async () => (await detail(id)).copies.cloud.status === 'verified',
    );
    expect(cloud.uploads).toEqual([id]);
  });

  it('goes on by itself once a phone that was full has room again', async () => {
    const id = await stored(1);
    database.full = true;
    const sync = start({ upload: true, transcribe: 'en' });
    await until('it tried again', () => database.refused > BACKOFF_SECONDS.length);
    expect(pauses.slice(0, 3)).toEqual(
      BACKOFF_SECONDS.slice(0, 3).map((seconds) => seconds * 1000),
    );
    // The server answered each time.
    expect(sync.reach.status).not.toBe('waiting');
    database.full = false;
    await until('a task', () => cloud.tasksMade.length === 1);
    cloud.finish(id, 'transcribed');
    await until('the results', async () => (await detail(id)).is_trans === 2);
    expect(cloud.tasksMade).toHaveLength(1);
  });

  it('tells at which step a transcription is, until it is done', async () => {
    const id = await stored(1);
    start({ upload: true, transcribe: 'en' });
    await until('a step', () => progress.get().get(id)?.step === 'transcribe');
    expect(progress.get().get(id)).toEqual({
      step: 'transcribe',
      fraction: 0.4,
      at: { name: 'recognise', done: 0.4 },
    });
    cloud.finish(id, 'transcribed');
    await until('the results', async () => (await detail(id)).is_trans === 2);
    await until('nothing moves', () => !progress.get().has(id));
  });

  it('has another transcript made in the place of one, once, and keeps the first until then', async () => {
    const id = await stored(1);
    const sync = start({ upload: true, transcribe: 'en' });
    await until('a task', () => cloud.tasksMade.length === 1);
    cloud.finish(id, 'transcribed');
    await until('the results', async () => (await detail(id)).is_trans === 2);
    await records.update(id, { wantedLanguage: 'fr' });
    sync.wake();
    await until('another task', () => cloud.tasksMade.length === 2);
    expect(cloud.replaced).toEqual(['task-1']);
    await until('it is followed', async () => (await detail(id)).is_trans === 1);
    expect((await detail(id)).content).toHaveLength(1);
    cloud.finish(id, 'transcribed');
    await until('its results', async () => (await detail(id)).is_trans === 2);
    expect((await detail(id)).task).toEqual({ id: 'task-2', language: 'fr' });
    expect(cloud.tasksMade).toHaveLength(2);
  });

  it('sends nothing where nothing may be sent, not even what was asked for, and all of it once it may', async () => {
    let maySend = false;
    const id = await stored(1);
    await records.update(id, { wantedLanguage: 'en' });
    const sync = start({ upload: true, transcribe: null }, () => maySend);
    await until('the server was reached', () => sync.reach.status === 'reached');
    expect(cloud.uploads).toEqual([]);
    maySend = true;
    sync.wake();
    await until('a task', () => cloud.tasksMade.length === 1);
    expect(cloud.uploads).toEqual([id]);
  });

  it('calls off what is being sent once it may not be any more, which is no failure, and sends it later', async () => {
    let maySend = true;
    const id = await stored(1);
    cloud.onUpload = (signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    const sync = start({ upload: true, transcribe: null }, () => maySend);
    await until('an upload', () => cloud.uploads.length === 1);
    maySend = false;
    sync.wake();
    await until('it was called off', () => !progress.get().has(id));
    expect((await detail(id)).trouble).toBeNull();
    cloud.onUpload = async () => {};
    maySend = true;
    sync.wake();
    await until('it is there', async () => (await detail(id)).is_local === 2);
    expect(pauses).toEqual([]);
  });

  it('sends nothing of what it was only about to send when it may not be any more', async () => {
    let maySend = true;
    const id = await stored(1);
    const calledOff: boolean[] = [];
    cloud.onUpload = async ({ aborted }) => void calledOff.push(aborted);
    master = async () => {
      maySend = false;
      sync.wake();
      return MASTER;
    };
    const sync = start({ upload: true, transcribe: null }, () => maySend);
    await until('an upload', () => calledOff.length > 0);
    await until('it was called off', () => !progress.get().has(id));
    expect(await detail(id)).toMatchObject({ is_local: 0, trouble: null });
    master = async () => MASTER;
    maySend = true;
    sync.wake();
    await until('it is there', async () => (await detail(id)).is_local === 2);
    expect(calledOff).toEqual([true, false]);
  });

  it('has the cleaner version heard where that is wanted, once', async () => {
    const id = await stored(1);
    cleaner = new Blob(['without noise']);
    await records.update(id, { wantedLanguage: 'en', wantedAudio: 'cleaner' });
    const sync = start({ upload: true, transcribe: null });
    await until('a task', () => cloud.tasksMade.length === 1);
    cloud.finish(id, 'transcribed');
    await until('the results', async () => (await detail(id)).is_trans === 2);
    // Another one is of the original again.
    await records.update(id, { wantedLanguage: 'fr', wantedAudio: 'original' });
    sync.wake();
    await until('another task', () => cloud.tasksMade.length === 2);
    expect(cloud.sentForTasks).toEqual(['without noise']);
    expect(cloud.heard).toEqual(['http://store/aside-1']);
  });

  it('has the original heard when the cleaner version was deleted meanwhile', async () => {
    const id = await stored(1);
    await records.update(id, { wantedLanguage: 'en', wantedAudio: 'cleaner' });
    start({ upload: true, transcribe: null });
    await until('a task', () => cloud.tasksMade.length === 1);
    expect([cloud.sentForTasks, cloud.heard]).toEqual([[], []]);
  });

  it('has the cleaner version heard again when the task that heard it failed', async () => {
    const id = await stored(1);
    cleaner = new Blob(['without noise']);
    await records.update(id, { wantedLanguage: 'en', wantedAudio: 'cleaner' });
    const sync = start({ upload: true, transcribe: null });
    await until('a task', () => cloud.tasksMade.length === 1);
    cloud.finish(id, 'failed');
    await until('the failure', async () => (await detail(id)).is_trans === 3);
    // As the owner's retry does.
    await records.update(id, { trouble: null, is_trans: 0, wantedLanguage: 'en' });
    sync.wake();
    await until('another task', () => cloud.tasksMade.length === 2);
    expect(cloud.heard).toEqual(['http://store/aside-1', 'http://store/aside-2']);
  });

  it('tells the owner when the store turns the cleaner version away, and takes the others along', async () => {
    const bad = await stored(1);
    const good = await stored(2);
    cleaner = new Blob(['without noise']);
    const gone: CallFailure = { kind: 'http', status: 403 };
    cloud.failing.uploadForTask.push(gone, gone, gone);
    await records.update(bad, { wantedLanguage: 'en', wantedAudio: 'cleaner' });
    start({ upload: true, transcribe: null });
    await until('the owner is told', async () => (await detail(bad)).trouble !== null);
    expect((await detail(bad)).trouble).toMatchObject({ step: 'transcribe', code: 'refused' });
    await until(
      'the good one',
      async () => (await detail(good)).copies.cloud.status === 'verified',
    );
    expect(cloud.sentForTasks).toHaveLength(3);
    expect(pauses).toEqual([]);
  });

  it('replaces no transcript that nobody asked to have replaced', async () => {
    const id = await stored(1);
    // Uploaded here before; another phone has it transcribed while this one does not look.
    start({ upload: true, transcribe: null });
    await until('the upload', async () => (await detail(id)).copies.cloud.status === 'verified');
    stop.abort();
    await running;
    await cloud.madeElsewhere(id, 'fr');
    cloud.finish(id, 'transcribed');
    start({ upload: true, transcribe: 'en' });
    await until('the results', async () => (await detail(id)).is_trans === 2);
    expect(cloud.tasksMade).toHaveLength(1);
    expect(cloud.replaced).toEqual([]);
    expect((await detail(id)).task).toMatchObject({ language: 'fr' });
  });

  it('asks again after a failure although the app was closed before it could', async () => {
    const id = await stored(1);
    start({ upload: true, transcribe: 'en' });
    await until('a task', () => cloud.tasksMade.length === 1);
    cloud.finish(id, 'failed');
    await until('the failure', async () => (await detail(id)).is_trans === 3);
    stop.abort();
    await running;
    // Asked for without a network; then the app was closed.
    await records.update(id, { trouble: null, is_trans: 0, wantedLanguage: 'fr' });
    start({ upload: true, transcribe: null });
    await until('another task', () => cloud.tasksMade.length === 2);
    await until('it is followed', async () => (await detail(id)).task?.language === 'fr');
    expect((await detail(id)).trouble).toBeNull();
  });

  it.each([
    ['fr', 'fr'],
    ['auto', 'fr'],
  ])(
    'takes what was made of %s while the answer was lost for what was wanted',
    async (wanted, made) => {
      const id = await stored(1);
      const first = start({ upload: true, transcribe: 'en' });
      await until('a task', () => cloud.tasksMade.length === 1);
      cloud.finish(id, 'transcribed');
      await until('the results', async () => (await detail(id)).is_trans === 2);
      stop.abort();
      await running;
      // The server made another, and the app was closed before it heard of that.
      await records.update(id, { wantedLanguage: wanted });
      await cloud.madeElsewhere(id, made);
      cloud.finish(id, 'transcribed');
      expect(first.reach.status).toBe('reached');
      start({ upload: true, transcribe: 'en' });
      await until('its results', async () => (await detail(id)).task?.id === 'task-2');
      await until('they are here', async () => (await detail(id)).is_trans === 2);
      await until('nothing is wanted', async () => (await records.queue(UID)).length === 0);
      expect(cloud.tasksMade).toHaveLength(2);
    },
  );

  it('waits longer and longer while the server does not answer, and loses nothing', async () => {
    const id = await stored(1);
    const offline: CallFailure = { kind: 'network', cause: 'test' };
    cloud.failing.upload.push(offline, { kind: 'timeout' }, { kind: 'http', status: 502 });
    const sync = start({ upload: true, transcribe: null });
    await until('the upload', async () => (await detail(id)).copies.cloud.status === 'verified');
    const [first, second, third] = BACKOFF_SECONDS;
    expect(pauses).toEqual([first, second, third].map((s) => s * 1000));
    await until('the server is reached', () => sync.reach.status === 'reached');
  });

  it('tells the owner of a recording the store turns away, and takes the others along', async () => {
    const bad = await stored(1);
    const good = await stored(2);
    cloud.unwanted.set(bad, { kind: 'http', status: 403 });
    start({ upload: true, transcribe: null });
    await until(
      'the good one',
      async () => (await detail(good)).copies.cloud.status === 'verified',
    );
    await until('the owner is told', async () => (await detail(bad)).trouble !== null);
    expect((await detail(bad)).trouble).toMatchObject({ step: 'upload', code: 'refused' });
    expect(cloud.uploads.filter((id) => id === bad)).toHaveLength(3);
    expect(pauses).toEqual([]);
  });

  it('stops at a refusal that only the owner can change, and goes on when asked', async () => {
    const id = await stored(1);
    cloud.failing.createTask.push({ kind: 'server', code: codes.notEnoughMinutes, msg: '' });
    const sync = start({ upload: true, transcribe: 'en' });
    await until('the refusal', async () => (await detail(id)).trouble !== null);
    expect((await detail(id)).trouble).toMatchObject({ step: 'transcribe', code: 'refused' });
    await records.update(id, { trouble: null });
    sync.wake();
    await until('the task', () => cloud.tasksMade.length === 1);
  });

  it('says why a task failed', async () => {
    const id = await stored(1);
    start({ upload: true, transcribe: 'en' });
    await until('a task', () => cloud.tasksMade.length === 1);
    cloud.finish(id, 'failed');
    await until('the failure', async () => (await detail(id)).is_trans === 3);
    expect((await detail(id)).trouble).toMatchObject({
      code: 'failed',
      failure: { code: codes.noSpeech },
    });
  });

  it('takes a canceled task for no trouble, and asks for no other by itself', async () => {
    const id = await stored(1);
    const sync = start({ upload: true, transcribe: 'en' });
    await until('a task', () => cloud.tasksMade.length === 1);
    cloud.finish(id, 'canceled');
    await until('the end', async () => (await detail(id)).is_trans === 0);
    expect((await detail(id)).trouble).toBeNull();
    const other = await stored(2);
    sync.wake();
    await until('the task of another recording', () => cloud.tasksMade.length === 2);
    expect(cloud.tasksMade).toEqual([id, other].map(() => expect.anything()));
    expect((await detail(id)).is_trans).toBe(0);
  });

  it('takes along what came from elsewhere after it looked', async () => {
    const sync = start({ upload: true, transcribe: 'en' });
    await until('the server is reached', () => sync.reach.status === 'reached');
    const id = await stored(1);
    sync.again();
    await until('a task', () => cloud.tasksMade.length === 1);
    cloud.finish(id, 'transcribed');
    await until('the results', async () => (await detail(id)).is_trans === 2);
  });

  it('leaves alone what nobody asked for', async () => {
    const id = await stored(1);
    const sync = start({ upload: false, transcribe: null });
    await until('the server is reached', () => sync.reach.status === 'reached');
    expect(cloud.uploads).toEqual([]);
    await records.update(id, { wantedLanguage: 'en' });
    sync.wake();
    await until('a task', () => cloud.tasksMade.length === 1);
    expect(cloud.uploads).toEqual([id]);
  });

  it('transcribes by hand alone what was imported so, and says so to the server', async () => {
    const id = await stored(1);
    await records.update(id, { autoTranscribe: false });
    const other = await stored(2);
    const sync = start({ upload: true, transcribe: 'en' });
    await until('the other has a task', () => cloud.tasksMade.length === 1);
    expect(cloud.tasksMade).toEqual([`server-${other}`]);
    expect(cloud.autoTranscribed).toEqual(
      new Map([
        [id, false],
        [other, true],
      ]),
    );
    await records.update(id, { wantedLanguage: 'en' });
    sync.wake();
    await until('it has one too', () => cloud.tasksMade.includes(`server-${id}`));
  });

  it('adopts a task whose making was never heard of, and charges nothing twice', async () => {
    const id = await stored(1);
    start({ upload: true, transcribe: 'en' });
    await until('a task', () => cloud.tasksMade.length === 1);
    stop.abort();
    await running;
    // As after a crash before the answer was written down.
    await records.update(id, { is_trans: 0, task: null });
    start({ upload: true, transcribe: 'en' });
    await until('it is followed', async () => (await detail(id)).is_trans === 1);
    cloud.finish(id, 'transcribed');
    await until('the results', async () => (await detail(id)).is_trans === 2);
    expect(cloud.tasksMade).toHaveLength(1);
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { limits } from '@linnet/contract/limits';
import { type Act, type ChangesPage, isLocal, type RecordDetail, recordingId } from '@linnet/sync';
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from 'vitest';
import { type Account, startTestServer, type TestServer } from '../server.ts';
import { transcribe, transcribedRecording } from '../transcripts.ts';
import { leaveFor, postObject, toneWave } from '../uploads.ts';
import { ChangesReader } from './changes-reader.ts';
import { Random } from './random.ts';
import { randomAct } from './random-act.ts';
import { type Faults, SimulatedPhone } from './simulated-phone.ts';

const OPERATIONS = 10_000;
const RECORDINGS = 40;
/** Seeds of what runs at each test; another one, or more, through the environment. */
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 32));
const SN = 'SN-SIMULATED';
const LANGUAGE_TEXTS = ['One.', 'Two, and more of it.', 'Three.', 'Four.'];

const calm: Faults = { lostCall: 0, lostAnswer: 0, crash: 0, clockSet: 0 };
const rough: Faults = { lostCall: 0.05, lostAnswer: 0.1, crash: 0.004, clockSet: 0.02 };

let server: TestServer;
let dir: string;

beforeAll(async () => {
  server = await startTestServer();
  dir = await mkdtemp(join(tmpdir(), 'linnet-changes-'));
});
afterAll(async () => {
  await server.close();
  await rm(dir, { recursive: true });
});

/** Everything that lies around two phones: their account, its recordings, and who else reads. */
class Scene {
  readonly flags: string[] = [];
  readonly account: Account;
  readonly random: Random;
  #sessions = 0;

  constructor(account: Account, random: Random) {
    this.account = account;
    this.random = random;
  }

  phone(name: string, faults: Faults): Promise<SimulatedPhone> {
    return SimulatedPhone.make(dir, `${name}-${SEED}`, server, this.account, this.random, faults);
  }

  reader(limit?: number): ChangesReader {
    return new ChangesReader(async (cursor) => {
      const { data } = await server.call(
        'sync/changes',
        { cursor, ...(limit !== undefined && { limit }) },
        { token: this.account.access },
      );
      return data as ChangesPage;
    });
  }

  /** A recording that the server has, with a transcript. */
  async transcribed(): Promise<void> {
    this.flags.push((await transcribedRecording(server, this.account)).clientFlag);
  }

  /** A session of a recorder that these phones have read, and the server does not know. */
  async recorded(phones: readonly SimulatedPhone[]): Promise<void> {
    const deviceFileId = ++this.#sessions;
    const startedAt = 1_700_000_000 + deviceFileId * 60;
    const id = recordingId(SN, deviceFileId, startedAt);
    this.flags.push(id);
    for (const phone of phones) {
      await phone.alive(({ records }) =>
        records.ensure({
          id,
          uid: phone.uid,
          sn: SN,
          deviceFileId,
          createDate: new Date(startedAt * 1000).toISOString(),
          seconds: 3,
          recSource: 1,
          audioBytes: 1000,
        }),
      );
    }
  }

  /** Takes a recording to the server as the upload queue does, if it is still there and not yet known. */
  async upload(phone: SimulatedPhone, flag: string): Promise<void> {
    const detail = await phone.records.detail(flag);
    if (!detail || detail.server_id !== null) return;
    const wave = toneWave(3, 8000);
    const leave = await leaveFor(server, this.account, 'wav');
    await postObject(server, leave, wave);
    const registered = await phone.call('upload/ossFile', {
      name: detail.title.slice(0, limits.recording.nameMaxLength),
      source: 0,
      url: leave.url,
      file_size: wave.length,
      ext: 'wav',
      mime_type: 'audio/wav',
      client_flag: flag,
      total_time: 3,
      sn: SN,
    });
    // Refused when it was deleted for good elsewhere: the changes will tell.
    if (!registered.ok) return;
    const { id, url } = registered.data;
    await phone.alive(({ records }) =>
      records.update(flag, { is_local: isLocal.onServer, server_id: id, server_url: url ?? '' }),
    );
  }

  /** The server has heard it, perhaps not for the first time. */
  async heard(flag: string): Promise<void> {
    const { data } = await server.call('task/index', { limit: 1000 }, this.token);
    const row = data.list.find(({ client_flag }) => client_flag === flag);
    if (row?.url) await transcribe(server, this.account, row.id, LANGUAGE_TEXTS);
  }

  /** What the upload queue takes over beside the changes: late, as its calls may be. */
  async poll(phone: SimulatedPhone): Promise<void> {
    const list = await phone.call('task/index', { limit: 1000 });
    if (!list.ok) return;
    const { list: rows } = list.data;
    const done = rows.filter(({ task }) => task?.status === 2);
    const row = done.length > 0 ? this.random.pick(done) : null;
    const results = row?.task ? await phone.call('task/detail', { id: row.task.id }) : null;
    for (let turns = this.random.below(50); turns > 0; turns--) await setImmediate();
    await phone.alive(({ records }) => records.mergeServerRows(phone.uid, rows));
    if (row && results?.ok) {
      await phone.alive(({ records }) => records.takeResults(row.client_flag, results.data));
    }
  }

  get token() {
    return { token: this.account.access };
  }
}

/** Whether the server cannot even read it. */
function isUnreadable(act: Act): boolean {
  if (act.type === 'recording.speaker') return act.speaker === '__proto__';
  return act.type === 'recording.rename' && act.name.length > limits.recording.nameMaxLength;
}

/** What a phone shows of a recording, as far as the server knows it too. */
function told(detail: RecordDetail | null) {
  if (!detail) return null;
  const { title, tags, place, speakers, markers, ticks, mind_map, is_del, server_id } = detail;
  const { ai_title, brief, keywords, summary, content, is_trans, task } = detail;
  return {
    ...{ title, tags, place, speakers, markers, ticks, mind_map, is_del, server_id },
    ...{ ai_title, brief, keywords, summary, content, is_trans, task: task?.id ?? null },
  };
}

/** The same, as the changes have it. */
function asTold(reader: ChangesReader, flag: string): ReturnType<typeof told> {
  const shown = reader.shown(flag);
  if (!shown) return null;
  const { row, task, content } = shown;
  const { tags, place, speakers, markers, ticks, mind_map, is_del, ai_title, brief, keywords } =
    row;
  return {
    title: row.name,
    ...{ tags, place, speakers, markers, ticks, mind_map, is_del, ai_title, brief, keywords },
    server_id: row.id,
    summary: task?.summary ?? '',
    content,
    is_trans: task ? 2 : 0,
    task: task?.id ?? null,
  };
}

async function shownBy(phone: SimulatedPhone, flags: readonly string[]) {
  const all = await Promise.all(
    flags.map(async (flag) => [flag, told(await phone.records.detail(flag))] as const),
  );
  return Object.fromEntries(all);
}

const settingsOf = (reader: ChangesReader) =>
  [...reader.settings.values()].sort((a, b) =>
    `${a.group_name} ${a.config_key}` < `${b.group_name} ${b.config_key}` ? -1 : 1,
  );

/** Lets phones that nothing disturbs any more come to rest. */
async function untilQuiet(phones: readonly SimulatedPhone[]): Promise<void> {
  for (const phone of phones) {
    phone.online = true;
    phone.faults = calm;
    while ((await phone.changes.pending(phone.uid)).length > 0) await phone.sync();
  }
  for (const phone of phones) await phone.sync();
}

describe('one phone', () => {
  it('does at once, by itself, what the server makes of it', async () => {
    onTestFailed(() => console.error(`SEED=${SEED}`));
    const scene = new Scene(await server.register(), new Random(SEED));
    const phone = await scene.phone('alone', calm);
    for (let n = 0; n < 3; n++) await scene.transcribed();
    await phone.sync();
    for (let round = 0; round < 20; round++) {
      for (let n = 0; n < 20; n++) {
        const flag = scene.random.pick(scene.flags);
        const detail = await phone.records.detail(flag);
        const act = detail && randomAct(scene.random, detail);
        // What the server refuses is taken back, and so is not what was done here.
        if (act && act.type !== 'setting.set' && !isUnreadable(act)) await phone.edit(act);
      }
      const before = await shownBy(phone, scene.flags);
      await phone.sync();
      expect(await shownBy(phone, scene.flags)).toEqual(before);
    }
    await phone.close();
  });
});

describe('two phones, the server, and everything that goes wrong between them', () => {
  it(`come to agree after ${OPERATIONS} operations`, async () => {
    onTestFailed(() => console.error(`SEED=${SEED}`));
    const random = new Random(SEED);
    const scene = new Scene(await server.register(), random);
    const phones = [await scene.phone('one', rough), await scene.phone('two', rough)];
    const reader = scene.reader(7);
    for (let n = 0; n < RECORDINGS / 4; n++) await scene.transcribed();
    for (let n = 0; n < (RECORDINGS * 3) / 4; n++) await scene.recorded(some(random, phones));

    /** What is under way at the server; each of these at most once at a time. */
    const running = new Map<string, Promise<unknown>>();
    const start = (name: string, work: () => Promise<unknown>) => {
      if (running.has(name)) return;
      running.set(
        name,
        work().finally(() => running.delete(name)),
      );
    };

    let done = 0;
    while (done < OPERATIONS) {
      const phone = random.pick(phones);
      const name = `${phones.indexOf(phone)}`;
      const flag = random.pick(scene.flags);
      const what = random.weighted({
        edit: 100,
        sync: 8,
        network: 1,
        read: 8,
        upload: 2,
        poll: 0.5,
        hear: 0.2,
        record: 0.4,
        rest: 2,
      });
      if (what === 'edit') {
        const detail = await phone.records.detail(flag);
        if (detail && (await phone.edit(randomAct(random, detail)))) done += 1;
      } else if (what === 'sync') start(`sync ${name}`, () => phone.sync());
      else if (what === 'network') phone.online = random.chance(0.7);
      else if (what === 'read') start('read', () => reader.page());
      else if (what === 'upload') start('upload', () => scene.upload(phone, flag));
      else if (what === 'poll') start(`poll ${name}`, () => scene.poll(phone));
      else if (what === 'hear') start('hear', () => scene.heard(flag));
      else if (what === 'record') await scene.recorded(some(random, phones));
      else if (running.size > 0) await Promise.race(running.values());
      await setImmediate();
    }
    await Promise.all(running.values());
    await untilQuiet(phones);

    const truth = scene.reader();
    await truth.toTheEnd();
    await reader.toTheEnd();
    const onServer = scene.flags.filter((flag) => truth.recordings.has(flag));
    const gone = scene.flags.filter((flag) => truth.tombstones.has(flag));
    // It must have been something to agree on.
    expect(onServer.length).toBeGreaterThan(5);
    expect(gone.length).toBeGreaterThan(5);
    expect(Math.min(...phones.map(({ crashes }) => crashes))).toBeGreaterThan(5);

    const expected = Object.fromEntries(
      [...onServer, ...gone].map((flag) => [flag, asTold(truth, flag)]),
    );
    for (const phone of phones) {
      expect(await shownBy(phone, [...onServer, ...gone])).toEqual(expected);
      expect(await phone.changes.settings(phone.uid)).toEqual(settingsOf(truth));
      expect(await phone.records.tombstones(gone)).toEqual(new Set(gone));
      await expectNothingLeftOver(phone);
    }

    // Whoever reads while others write has seen every revision, each after the one before.
    for (const held of ['recordings', 'tasks', 'paragraphs', 'settings', 'tombstones'] as const) {
      expect(reader[held]).toEqual(truth[held]);
    }
    expect(reader.pages).toBeGreaterThan(100);

    await expectEachOnce(scene, phones);
  }, 180_000);
});

/** At least one of them. */
function some<T>(random: Random, all: readonly T[]): readonly T[] {
  const chosen = all.filter(() => random.chance(0.5));
  return chosen.length > 0 ? chosen : [random.pick(all)];
}

/** What only served to get there is gone: operations of recordings that the server knows, what was below. */
async function expectNothingLeftOver(phone: SimulatedPhone): Promise<void> {
  const leftOvers = {
    operations: `select count(*) as n from operation left join record on record.id = record_id
      where record.id is null or server_id is not null`,
    paragraphs: 'select count(*) as n from paragraph where base is not null',
    records: 'select count(*) as n from record where base is not null and server_id is not null',
    early: 'select count(*) as n from early_task',
  };
  for (const [what, sql] of Object.entries(leftOvers)) {
    expect([what, (await phone.database.query(sql))[0]?.n]).toEqual([what, 0]);
  }
}

/** The server has each operation that reached it once, and each that changed something made a revision. */
async function expectEachOnce(scene: Scene, phones: readonly SimulatedPhone[]): Promise<void> {
  const taken = phones.flatMap((phone) => [...phone.taken.keys()]);
  const kept = await server.db
    .selectFrom('operations')
    .select(['op_id', 'type', 'outcome', 'rev'])
    .where('account_id', '=', scene.account.id)
    .execute();
  expect(kept.map(({ op_id }) => op_id).sort()).toEqual(taken.sort());
  for (const outcome of ['applied', 'superseded', 'refused'] as const) {
    expect(kept.filter((op) => op.outcome === outcome).length).toBeGreaterThan(10);
  }
  // Deleting what was deleted is done already, and makes none.
  const made = kept.filter(({ outcome, type }) => {
    return outcome === 'applied' && type !== 'recording.delete';
  });
  expect(new Set(made.map(({ rev }) => rev)).size).toBe(made.length);
}

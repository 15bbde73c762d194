import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Edit } from '@linnet/contract/operations';
import type { RecordDetail } from '@linnet/sync';
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from 'vitest';
import { seed } from '../../../../tooling/seed.ts';
import { startTestServer, type TestServer } from '../server.ts';
import type { ChangesReader } from './changes-reader.ts';
import { Random } from './random.ts';
import { randomEdit } from './random-edit.ts';
import { Scene } from './scene.ts';
import type { Faults, SimulatedPhone } from './simulated-phone.ts';

const OPERATIONS = 10_000;
const RECORDINGS = 40;

const noFaults: Faults = { lostCall: 0, responseLoss: 0, crash: 0, clockSet: 0, smallPages: 0 };
const rough: Faults = {
  lostCall: 0.05,
  responseLoss: 0.1,
  crash: 0.004,
  clockSet: 0.02,
  smallPages: 0.2,
};

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

/** True if the server rejects the edit as invalid. */
function isUnreadable(edit: Edit): boolean {
  return edit.type === 'recording.speaker' && edit.speaker === '__proto__';
}

/** Returns a recording's state on a phone, without fields that the server doesn't know. */
function phoneState(detail: RecordDetail | null) {
  if (!detail) return null;
  const {
    title,
    tags,
    place,
    speakers,
    markers,
    notes,
    ticks,
    mind_map,
    is_del,
    is_archived,
    is_protected,
    server_id,
  } = detail;
  const { ai_title, brief, keywords, summary, is_trans, task } = detail;
  // Only phones that had a paragraph before it was edited know its original text.
  const content = detail.content.map(({ original: _, ...paragraph }) => paragraph);
  return {
    ...{
      title,
      tags,
      place,
      speakers,
      markers,
      notes,
      ticks,
      mind_map,
      is_del,
      is_archived,
      is_protected,
      server_id,
    },
    ...{ ai_title, brief, keywords, summary, content, is_trans },
    // Without a transcript, the phone keeps a canceled task that the server sends with the recording.
    task: is_trans === 0 ? null : (task?.id ?? null),
  };
}

/** Returns a recording's state according to the changes. */
function serverState(reader: ChangesReader, flag: string): ReturnType<typeof phoneState> {
  const shown = reader.shown(flag);
  if (!shown) return null;
  const { row, task, content } = shown;
  const {
    tags,
    place,
    speakers,
    markers,
    notes = [],
    ticks,
    mind_map,
    is_del,
    is_archived = 0,
    is_protected = 0,
    ai_title,
    brief,
    keywords,
  } = row;
  return {
    title: row.name,
    ...{
      tags,
      place,
      speakers,
      markers,
      notes,
      ticks,
      mind_map,
      is_del,
      is_archived,
      is_protected,
      ai_title,
      brief,
      keywords,
    },
    server_id: row.id,
    summary: task?.summary ?? '',
    content,
    is_trans: task ? 2 : 0,
    task: task?.id ?? null,
  };
}

async function shownBy(phone: SimulatedPhone, flags: readonly string[]) {
  const all = await Promise.all(
    flags.map(async (flag) => [flag, phoneState(await phone.records.detail(flag))] as const),
  );
  return Object.fromEntries(all);
}

const sortSettings = (reader: ChangesReader) =>
  [...reader.settings.values()].sort((a, b) =>
    `${a.group_name} ${a.config_key}` < `${b.group_name} ${b.config_key}` ? -1 : 1,
  );

/** Syncs phones without faults until nothing is pending. */
async function waitUntilQuiet(phones: readonly SimulatedPhone[]): Promise<void> {
  for (const phone of phones) {
    phone.online = true;
    phone.faults = noFaults;
    while ((await phone.changes.pending(phone.uid)).length > 0) await phone.sync();
  }
  for (const phone of phones) await phone.sync();
}

describe('one phone', () => {
  it('applies edits locally with the same result as the server', async () => {
    onTestFailed(() => console.error(`SEED=${seed}`));
    const scene = new Scene(server, await server.register(), dir, new Random(seed));
    const phone = await scene.phone('alone', noFaults);
    for (let n = 0; n < 3; n++) await scene.transcribed();
    await phone.sync();
    for (let round = 0; round < 20; round++) {
      for (let n = 0; n < 20; n++) {
        const flag = scene.random.pick(scene.flags);
        const detail = await phone.records.detail(flag);
        const edit = detail && randomEdit(scene.random, detail);
        // Rejected edits are reverted, so they would cause a difference.
        if (edit && edit.type !== 'setting.set' && !isUnreadable(edit)) await phone.edit(edit);
      }
      const before = await shownBy(phone, scene.flags);
      await phone.sync();
      expect(await shownBy(phone, scene.flags)).toEqual(before);
    }
    await phone.close();
  });
});

describe('two phones that rename a recording offline', () => {
  it.each([[0], [1]])('show the later name if phone %i syncs first', async (first) => {
    const scene = new Scene(server, await server.register(), dir, new Random(seed));
    const phones = [
      await scene.phone(`earlier-${first}`, noFaults),
      await scene.phone(`later-${first}`, noFaults),
    ];
    const recording = await scene.transcribed();
    for (const phone of phones) await phone.sync();
    for (const [n, phone] of phones.entries()) {
      await phone.edit({ type: 'recording.rename', recording, name: `name ${n}` });
      // Wait for the next millisecond, so that the renames have different times.
      const renamedAt = Date.now();
      while (Date.now() === renamedAt) await setImmediate();
    }
    await phones[first]?.sync();
    await waitUntilQuiet(phones);

    const operations = await scene.storedOperations();
    // The earlier rename is superseded if it arrives after the later one.
    const outcomes = first === 0 ? ['applied', 'applied'] : ['applied', 'superseded'];
    expect(operations.map(({ outcome }) => outcome).sort()).toEqual(outcomes);
    for (const phone of phones) {
      expect((await phone.records.detail(recording))?.title).toBe('name 1');
      await phone.close();
    }
  });
});

describe('two phones with random faults', () => {
  it(`converge with the server after ${OPERATIONS} operations`, { timeout: 400_000 }, async () => {
    onTestFailed(() => console.error(`SEED=${seed}`));
    const random = new Random(seed);
    const scene = new Scene(server, await server.register(), dir, random);
    const phones = [await scene.phone('one', rough), await scene.phone('two', rough)];
    const reader = scene.reader(7);
    for (let n = 0; n < RECORDINGS / 4; n++) await scene.transcribed();
    for (let n = 0; n < (RECORDINGS * 3) / 4; n++) await scene.addRecordings(phones);

    await runFaults(scene, phones, reader);
    await waitUntilQuiet(phones);

    // Late responses to earlier requests must not revert anything.
    const deferredPolls = await Promise.all(phones.map((phone) => scene.poll(phone)));
    for (let n = 0; n < 300; n++) await scene.edit(random.pick(phones));
    await waitUntilQuiet(phones);
    for (const takeOver of deferredPolls) await takeOver();

    // A third phone signs in afterwards, and is interrupted while the others edit and delete.
    const newPhone = await scene.phone('newcomer', { ...rough, smallPages: 1 });
    for (let round = 0; round < 10; round++) {
      await newPhone.sync();
      for (let n = 0; n < 5; n++) await scene.edit(random.pick([...phones, newPhone]));
      await random.pick(phones).sync();
    }
    await waitUntilQuiet([...phones, newPhone]);

    const expectedState = scene.reader();
    await expectedState.readAll();
    await reader.readAll();
    const flags = scene.flags.filter((flag) => {
      return expectedState.recordings.has(flag) || expectedState.tombstones.has(flag);
    });
    const expected = Object.fromEntries(
      flags.map((flag) => [flag, serverState(expectedState, flag)]),
    );
    for (const phone of [...phones, newPhone]) {
      expect(await shownBy(phone, flags)).toEqual(expected);
      // Modification times of settings differ between phones.
      const settings = (await phone.changes.settings(phone.uid)).map(
        ({ since: _, ...each }) => each,
      );
      expect(settings).toEqual(sortSettings(expectedState));
      expect(await phone.records.tombstones(flags)).toEqual(expectedState.tombstones);
      await expectNothingLeftOver(phone);
    }
    // A concurrent reader must have seen every revision in order.
    for (const held of ['recordings', 'tasks', 'paragraphs', 'settings', 'tombstones'] as const) {
      expect(reader[held]).toEqual(expectedState[held]);
    }
    await expectEachOnce(scene, [...phones, newPhone]);

    // Simulate a restored server: phones read everything again and get the same result.
    await server.db
      .updateTable('accounts')
      .set({ epoch: 'restored' })
      .where('id', '=', scene.account.id)
      .execute();
    for (const phone of phones) {
      const before = await phone.changes.cursor(phone.uid);
      await phone.sync();
      expect(await phone.changes.cursor(phone.uid)).not.toBe(before);
      expect(await shownBy(phone, flags)).toEqual(expected);
    }

    // Make sure that the result isn't empty.
    expect(expectedState.recordings.size).toBeGreaterThan(0);
    expect(expectedState.tombstones.size).toBeGreaterThan(0);
    expect(reader.pages).toBeGreaterThan(10);
    expect(Math.min(...phones.map(({ crashes }) => crashes))).toBeGreaterThan(0);
    for (const phone of [...phones, newPhone]) await phone.close();
  });
});

/** Runs random edits, syncs, polls and transcriptions concurrently. */
async function runFaults(
  scene: Scene,
  phones: readonly SimulatedPhone[],
  reader: ChangesReader,
): Promise<void> {
  const { random, flags } = scene;
  /** Work in progress, by name. Work with the same name never overlaps. */
  const running = new Map<string, Promise<unknown>>();
  const start = (name: string, work: () => Promise<unknown>) => {
    if (running.has(name)) return;
    const ended = work().finally(() => running.delete(name));
    running.set(name, ended);
  };
  const pollLate = async (phone: SimulatedPhone) => {
    const takeOver = await scene.poll(phone);
    for (let ticks = random.below(50); ticks > 0; ticks--) await setImmediate();
    await takeOver();
  };

  for (let done = 0; done < OPERATIONS; await setImmediate()) {
    const phone = random.pick(phones);
    const name = `${phones.indexOf(phone)}`;
    const action = random.weighted({
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
    if (action === 'edit') done += (await scene.edit(phone)) ? 1 : 0;
    else if (action === 'sync') start(`sync ${name}`, () => phone.sync());
    else if (action === 'network') phone.online = random.chance(0.7);
    else if (action === 'read') start('read', () => reader.page());
    else if (action === 'upload') start('upload', () => scene.upload(phone, random.pick(flags)));
    else if (action === 'poll') start(`poll ${name}`, () => pollLate(phone));
    else if (action === 'hear') start('hear', () => scene.transcribeLatest(random.pick(flags)));
    else if (action === 'record') await scene.addRecordings(phones);
    else if (running.size > 0) await Promise.race(running.values());
  }
  await Promise.all(running.values());
}

/** Checks that no sync state is left over: no confirmed states, and no operations on recordings known to the server. */
async function expectNothingLeftOver(phone: SimulatedPhone): Promise<void> {
  const leftoverQueries = {
    operations: `select count(*) as n from operation left join record on record.id = record_id
      where record.id is null or server_id is not null`,
    paragraphs: 'select count(*) as n from paragraph where base is not null',
    records: 'select count(*) as n from record where base is not null and server_id is not null',
    early: 'select count(*) as n from early_task',
  };
  for (const [action, sql] of Object.entries(leftoverQueries)) {
    expect([action, (await phone.database.query(sql))[0]?.n]).toEqual([action, 0]);
  }
}

/** Types of the server's own edits, which carry changes over to a new transcript. */
const carriedTypes = [
  'paragraph.edit',
  'paragraph.mark',
  'paragraph.speaker',
  'recording.speaker',
] as const satisfies Edit['type'][];

/** Checks that the server stored each received operation once, and created one revision for each effective one. */
async function expectEachOnce(scene: Scene, phones: readonly SimulatedPhone[]): Promise<void> {
  const acceptedIds = new Set(phones.flatMap((phone) => [...phone.acceptedOperations.keys()]));
  const storedOperations = await scene.storedOperations();
  const received = storedOperations.filter(({ op_id }) => acceptedIds.has(op_id));
  expect(received.map(({ op_id }) => op_id).sort()).toEqual([...acceptedIds].sort());
  const ownOperations = storedOperations.filter(({ op_id }) => !acceptedIds.has(op_id));
  expect(carriedTypes).toEqual(expect.arrayContaining(ownOperations.map(({ type }) => type)));
  for (const outcome of ['applied', 'superseded', 'refused'] as const) {
    expect(storedOperations.filter((op) => op.outcome === outcome).length).toBeGreaterThan(0);
  }
  // Deleting a deleted recording has no effect and creates no revision.
  const applied = storedOperations.filter(({ outcome, type }) => {
    return outcome === 'applied' && type !== 'recording.delete';
  });
  expect(new Set(applied.map(({ rev }) => rev)).size).toBe(applied.length);
}

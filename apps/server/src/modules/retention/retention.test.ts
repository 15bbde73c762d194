import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { createPhone, type Phone } from '../../../test/sync.ts';
import { toneWave, uploadRecording } from '../../../test/uploads.ts';
import { lockAccount } from '../../db/database.ts';
import { applyRetentionJob } from '../../jobs/apply-retention.ts';
import { createMinutes } from '../minutes/service.ts';
import { createOperations } from '../sync/operations.ts';
import { applyRules } from './apply.ts';
import { databaseTime } from './clock.ts';
import { computeCutoff } from './eligible.ts';
import { deleteOldRuns } from './upkeep.ts';

const hour = 3_600_000;
const day = 24 * hour;

let server: TestServer;
let owner: Account;
let phone: Phone;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.register();
  phone = createPhone(server, owner);
});

const daysAgo = (days: number) => new Date(server.now().getTime() - days * day);
const token = () => ({ token: owner.access });

/** Stores a recording made and uploaded some days ago. */
async function createRecording(days: number, tags: readonly string[] = [], account = owner) {
  const { id, client_flag: flag } = await uploadRecording(server, account, toneWave(1, 8000), {
    ext: 'wav',
  });
  for (const tag of tags) {
    await createPhone(server, account).applyOne({
      type: 'recording.tag',
      recording: flag,
      tag,
      on: true,
    });
  }
  await server.db
    .updateTable('recordings')
    .set({
      recorded_at: daysAgo(days),
      created_at: daysAgo(days),
      object_stored_at: daysAgo(days),
    })
    .where('id', '=', id)
    .execute();
  return { id, flag };
}

const thirtyDays = { tag: null, after: 30, unit: 'day' } as const;
const save = async (rule: object = thirtyDays) =>
  (await server.call('retention/save', rule, token())).data;
const preview = async (rule: object = thirtyDays) =>
  (await server.call('retention/preview', rule, token())).data;
const previewIds = async (rule: object = thirtyDays) =>
  (await preview(rule)).list.map(({ id }) => id);
const runs = async () => (await server.call('retention/runs', {}, token())).data.list;
const oldestMoved = async () => {
  const [run] = await runs();
  const { list } = (await server.call('retention/moved', { id: run?.id, limit: 1 }, token())).data;
  return { flag: list[0]?.client_flag ?? '' };
};
const isInBin = async (flag: string) => (await phone.recording(flag)).is_del === 1;

/** Sets when the daily job last ran. */
async function setLastRun(ran_at: Date) {
  await server.db.deleteFrom('retention_clock').execute();
  await server.db.insertInto('retention_clock').values({ ran_at }).execute();
}

function operationsAt(now: () => Date) {
  const { db, queue } = server;
  return createOperations({ db, queue, minutes: createMinutes({ unlimited: false, now }), now });
}

/**
 * Runs the daily job.
 * @param after milliseconds from now
 * @param gap milliseconds since the previous run, or null for the actual time
 */
async function runJob(
  after = limits.retention.delayMs + hour,
  stop = new AbortController(),
  gap: number | null = day,
) {
  const { db } = server;
  const now = () => new Date(server.now().getTime() + after);
  if (gap !== null) await setLastRun(new Date(now().getTime() - gap));
  const errors: unknown[] = [];
  const log = { info() {}, warn() {}, error: (...facts: unknown[]) => void errors.push(facts) };
  const deps = { db, operations: operationsAt(now), time: async () => now() };
  await applyRetentionJob(deps, log)({}, stop.signal);
  return errors;
}

describe('a retention rule', () => {
  it('moves recordings of its age to the recycle bin, and lists the moved recordings', async () => {
    const [old, recent] = [await createRecording(31), await createRecording(28)];
    expect(await previewIds()).toEqual([old.id]);
    await save();
    expect(await runJob()).toEqual([]);
    expect([await isInBin(old.flag), await isInBin(recent.flag)]).toEqual([true, false]);
    const [run, ...others] = await runs();
    expect(others).toEqual([]);
    expect(run).toMatchObject({ ...thirtyDays, moved: 1, in_bin: 1 });
    const movedResponse = await server.call('retention/moved', { id: run?.id }, token());
    expect(movedResponse.data).toMatchObject({ total: 1, list: [{ id: old.id, in_bin: true }] });
    expect(await runJob()).toEqual([]);
    expect(await runs()).toHaveLength(1);
  });

  it('takes effect after 24 hours, and waits again after a change', async () => {
    const { flag } = await createRecording(100);
    const rule = await save({ ...thirtyDays, after: 90 });
    await runJob(limits.retention.delayMs - hour);
    expect(await isInBin(flag)).toBe(false);
    await server.db
      .updateTable('retention_rules')
      .set({ acts_at: server.now() })
      .where('id', '=', rule.id)
      .execute();
    const unchanged = await save({ ...thirtyDays, after: 90, id: rule.id });
    expect(Date.parse(unchanged.acts_at)).toBeLessThanOrEqual(server.now().getTime());
    const changed = await save({ ...thirtyDays, id: rule.id });
    expect(Date.parse(changed.acts_at)).toBeGreaterThan(server.now().getTime() + 23 * hour);
    await runJob(hour);
    expect(await isInBin(flag)).toBe(false);
    await runJob();
    expect(await isInBin(flag)).toBe(true);
  });

  it('applies only to recordings with exactly its tag', async () => {
    const { id } = await createRecording(40, ['work', 'choir']);
    await createRecording(40, ['Choir', 'choirs']);
    await createRecording(40);
    expect(await previewIds({ ...thirtyDays, tag: 'choir' })).toEqual([id]);
    expect((await preview()).total).toBe(3);
  });

  it('counts the age of an imported file from its upload', async () => {
    const { id } = await createRecording(0);
    const changed = { recorded_at: daysAgo(2000) };
    await server.db.updateTable('recordings').set(changed).where('id', '=', id).execute();
    expect(await previewIds()).toEqual([]);
  });

  it('counts the age of a late upload from its upload', async () => {
    const { id, flag } = await createRecording(2000);
    const changed = { object_stored_at: daysAgo(29) };
    await server.db.updateTable('recordings').set(changed).where('id', '=', id).execute();
    expect(await preview()).toMatchObject({ total: 0, not_stored: 0 });
    await save();
    await runJob(23 * hour);
    expect(await isInBin(flag)).toBe(false);
    await runJob(2 * day);
    expect(await isInBin(flag)).toBe(true);
  });

  it('skips protected recordings, and counts them in the preview', async () => {
    const { flag } = await createRecording(60);
    await phone.applyOne({ type: 'recording.protect', recording: flag, on: true });
    expect(await preview()).toMatchObject({ total: 0, protected: 1 });
    await save();
    await runJob();
    expect(await isInBin(flag)).toBe(false);
    await phone.applyOne({ type: 'recording.protect', recording: flag, on: false });
    await runJob();
    expect(await isInBin(flag)).toBe(true);
  });

  it.each([
    ['without audio on the server', { object_key: null }],
    ['whose audio the store has lost', { lost_at: new Date() }],
    ['whose audio was not verified', { audio_sha256: null }],
    ['whose audio was stored at an unknown time', { object_stored_at: null }],
  ])('skips recordings %s', async (_, audio) => {
    const { id, flag } = await createRecording(60);
    await server.db.updateTable('recordings').set(audio).where('id', '=', id).execute();
    expect(await preview()).toMatchObject({ total: 0, not_stored: 1 });
    await save();
    await runJob();
    expect(await isInBin(flag)).toBe(false);
  });

  it('skips recordings that are being transcribed or are already in the recycle bin', async () => {
    const { id, flag } = await createRecording(60);
    const binned = await createRecording(60);
    await server.call('task/create', { id, language: 'en' }, token());
    await server.call('radio/delete', { id: binned.id }, token());
    expect(await preview()).toMatchObject({ total: 0, transcribing: 1, not_stored: 0 });
    await save();
    await runJob();
    expect(await isInBin(flag)).toBe(false);
    expect(await runs()).toEqual([]);
  });

  it('skips recordings with a valid share link, and counts them in the preview', async () => {
    const { id, flag } = await createRecording(60);
    const share = { id, parts: ['summary'], expires_days: 1 };
    expect((await server.call('share/create', share, token())).code).toBe(codes.ok);
    expect(await preview()).toMatchObject({ total: 0, shared: 1 });
    await save();
    await runJob();
    expect(await isInBin(flag)).toBe(true);
    await server.call('radio/recover', { ids: [id] }, token());
    await server.db
      .updateTable('recordings')
      .set({ restored_at: null })
      .where('id', '=', id)
      .execute();
    await server.call('share/create', { id, parts: ['summary'] }, token());
    await runJob();
    expect(await isInBin(flag)).toBe(false);
  });

  it('includes archived recordings', async () => {
    const { flag } = await createRecording(60);
    await phone.applyOne({ type: 'recording.archive', recording: flag, on: true });
    expect((await preview()).total).toBe(1);
    await save();
    await runJob();
    expect(await isInBin(flag)).toBe(true);
  });

  it('marks recordings as moved by the rule, until they leave the recycle bin', async () => {
    const { id, flag } = await createRecording(60);
    const deleted = await createRecording(10);
    await server.call('radio/delete', { id: deleted.id }, token());
    await save();
    await runJob();
    const [run] = await runs();
    expect((await phone.recording(flag)).binned_by).toEqual({
      run: run?.id,
      ...thirtyDays,
      at: run?.started_at,
    });
    expect((await phone.recording(deleted.flag)).binned_by).toBeNull();
    await server.call('radio/recover', { ids: [id] }, token());
    expect((await phone.recording(flag)).binned_by).toBeNull();
    await server.call('radio/delete', { id }, token());
    expect((await phone.recording(flag)).binned_by).toBeNull();
  });

  it('is paused after a backup is restored until it is saved again, and its 24 hours then restart', async () => {
    const { flag } = await createRecording(60);
    const { id } = await save();
    await server.db
      .updateTable('retention_rules')
      .set({ paused: 'restored', acts_at: new Date(0) })
      .where('id', '=', id)
      .execute();
    await runJob();
    expect(await isInBin(flag)).toBe(false);
    const { list } = (await server.call('retention/index', {}, token())).data;
    expect(list).toMatchObject([{ id, paused: 'restored' }]);
    expect(await save({ ...thirtyDays, id })).toMatchObject({ paused: null });
    await runJob(limits.retention.delayMs - hour);
    expect(await isInBin(flag)).toBe(false);
    await runJob();
    expect(await isInBin(flag)).toBe(true);
  });

  it('does not affect other accounts or closed accounts', async () => {
    const other = await server.register();
    const theirRecording = await createRecording(60, [], other);
    const mine = await createRecording(60);
    await save();
    await server.db
      .updateTable('accounts')
      .set({ closed_at: server.now() })
      .where('id', '=', owner.id)
      .execute();
    await runJob();
    const rows = await server.db
      .selectFrom('recordings')
      .select('is_del')
      .where('id', 'in', [theirRecording.id, mine.id])
      .execute();
    expect(rows).toEqual([{ is_del: 0 }, { is_del: 0 }]);
  });

  it('moves nothing once it is deleted, even if a run is about to start', async () => {
    const { flag } = await createRecording(60);
    const { id } = await save();
    const { db } = server;
    const now = () => new Date(server.now().getTime() + limits.retention.delayMs + hour);
    const operations = operationsAt(now);
    const [deleted, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // Hold the call that deletes the rule just before it returns.
    const deleting = db.transaction().execute(async (trx) => {
      await lockAccount(trx, owner.id);
      await trx.deleteFrom('retention_rules').where('id', '=', id).execute();
      deleted.resolve();
      await done.promise;
    });
    await deleted.promise;
    const applying = applyRules({ db, operations }, owner.id, now(), new AbortController().signal);
    await vi.waitUntil(
      async () => {
        const { rows } = await sql`select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
        return rows.length > 0;
      },
      { timeout: 60_000 },
    );
    done.resolve();
    await deleting;
    expect(await applying).toBe(0);
    expect(await isInBin(flag)).toBe(false);
    expect((await server.call('retention/index', {}, token())).data.list).toEqual([]);
  });

  it('moves nothing in a stopped job', async () => {
    const { flag } = await createRecording(60);
    await save();
    const stop = new AbortController();
    stop.abort();
    await runJob(undefined, stop);
    expect(await isInBin(flag)).toBe(false);
  });

  it('is limited to 20 per account', async () => {
    for (let count = 0; count < limits.retention.rules; count += 1) await save();
    const { code } = await server.call('retention/save', thirtyDays, token());
    expect(code).toBe(codes.limitReached);
  });
});

describe('the clock', () => {
  const tooLong = limits.retention.maxGapMs + hour;
  const loadPauses = async () =>
    (await server.call('retention/index', {}, token())).data.list.map(({ paused }) => paused);

  it.each([
    ['jumps forward', tooLong],
    ['jumps back', -tooLong],
  ])('pauses all rules if it %s, including in later runs', async (_, gap) => {
    const { flag } = await createRecording(60);
    await save();
    await runJob(undefined, undefined, gap);
    expect(await loadPauses()).toEqual(['clock']);
    await runJob(limits.retention.delayMs + hour + 1, undefined, null);
    expect(await isInBin(flag)).toBe(false);
  });

  it('may skip a few days', async () => {
    const { flag } = await createRecording(60);
    await save();
    await runJob(undefined, undefined, limits.retention.maxGapMs - hour);
    expect(await loadPauses()).toEqual([null]);
    expect(await isInBin(flag)).toBe(true);
  });

  it('is the database’s clock, measured from the first rule', async () => {
    await server.db.deleteFrom('retention_clock').execute();
    const { acts_at } = await save();
    const { ran_at } = await server.db
      .selectFrom('retention_clock')
      .select('ran_at')
      .executeTakeFirstOrThrow();
    const offset = ran_at.getTime() - (await databaseTime(server.db)).getTime();
    expect(Math.abs(offset)).toBeLessThan(60_000);
    expect(Date.parse(acts_at)).toBe(ran_at.getTime() + limits.retention.delayMs);
    await save();
    await runJob(undefined, undefined, null);
    expect(await loadPauses()).toEqual([null, null]);
  });

  it('pauses rules without a known run, for example in a copied table', async () => {
    await save();
    await server.db.deleteFrom('retention_clock').execute();
    await runJob(undefined, undefined, null);
    expect(await loadPauses()).toEqual(['clock']);
  });
});

describe('many recordings', () => {
  it('are moved in batches within one run, up to the daily limit', async () => {
    const { id } = await createRecording(60);
    const template = await server.db
      .selectFrom('recordings')
      .select(['account_id', 'object_key', 'audio_sha256', 'object_stored_at'])
      .select(['recorded_at', 'created_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const count = limits.retention.moves + 5;
    for (let start = 0; start < count; start += 500) {
      const values = Array.from({ length: Math.min(500, count - start) }, () => ({
        ...template,
        // Each object belongs to a single recording.
        object_key: `voice/${crypto.randomUUID()}`,
        id: crypto.randomUUID(),
        client_flag: crypto.randomUUID(),
        keywords: '[]',
        tags: '[]',
        words: '[]',
        speakers: '{}',
        proposals: '{}',
        markers: '[]',
        notes: '[]',
        ticks: '{}',
        unplaced: '[]',
        rev: 1,
        updated_at: server.now(),
      }));
      await server.db.insertInto('recordings').values(values).execute();
    }
    await save();
    expect(await runJob()).toEqual([]);
    expect(await runs()).toMatchObject([{ moved: limits.retention.moves }]);
    expect(await preview()).toMatchObject({ total: 6 });
    // Another run on the same day moves no more recordings, even if recordings have been deleted since.
    const { flag } = await oldestMoved();
    await phone.applyOne({ type: 'recording.delete', recording: flag });
    await runJob();
    expect(await runs()).toMatchObject([{ moved: limits.retention.moves - 1 }]);
    await runJob(limits.retention.delayMs + day + hour);
    expect(await runs()).toMatchObject([{ moved: 6 }, { moved: limits.retention.moves - 1 }]);
    const [, first] = await runs();
    const undone = await server.call('retention/undo', { id: first?.id }, token());
    expect(undone.data).toEqual({ recovered: limits.retention.moves - 1 });
  });
});

describe('undoing a run', () => {
  async function runAndGetMover(days = 60) {
    const recording = await createRecording(days);
    await save();
    await runJob();
    const [run] = await runs();
    return { ...recording, run: run?.id };
  }
  const undo = async (id: string | undefined) =>
    (await server.call('retention/undo', { id }, token())).data.recovered;

  it('restores its recordings, whose age counts from then on', async () => {
    const { flag, run } = await runAndGetMover();
    expect(await undo(run)).toBe(1);
    expect(await isInBin(flag)).toBe(false);
    expect(await runs()).toMatchObject([{ moved: 1, in_bin: 0 }]);
    await runJob();
    expect(await isInBin(flag)).toBe(false);
    expect(await undo(run)).toBe(0);
    await runJob(31 * day);
    expect(await isInBin(flag)).toBe(true);
  });

  it('skips recordings that the user has restored and deleted again', async () => {
    const { id, flag, run } = await runAndGetMover();
    await server.call('radio/recover', { ids: [id] }, token());
    await server.call('radio/delete', { id }, token());
    expect(await runs()).toMatchObject([{ moved: 1, in_bin: 0 }]);
    expect(await undo(run)).toBe(0);
    expect(await isInBin(flag)).toBe(true);
  });

  it('omits permanently deleted recordings', async () => {
    const { id, run } = await runAndGetMover();
    await server.call('radio/batchDelete', { ids: [id] }, token());
    expect(await runs()).toMatchObject([{ moved: 0, in_bin: 0 }]);
    expect(await undo(run)).toBe(0);
  });
});

describe('protection that arrives after a rule has acted', () => {
  it('restores the recording, unless the user has deleted it', async () => {
    const [moved, deleted] = [await createRecording(60), await createRecording(60)];
    await server.call('radio/delete', { id: deleted.id }, token());
    await save();
    await runJob();
    for (const { flag } of [moved, deleted]) {
      const edit = { type: 'recording.protect', recording: flag, on: true };
      expect(await phone.applyOne({ ...edit, at: daysAgo(1).toISOString() })).toMatchObject({
        outcome: 'applied',
      });
    }
    expect(await phone.recording(moved.flag)).toMatchObject({ is_del: 0, is_protected: 1 });
    expect(await phone.recording(deleted.flag)).toMatchObject({ is_del: 1, is_protected: 1 });
  });
});

describe('housekeeping', () => {
  it('deletes old runs, and leaves their recordings in the recycle bin', async () => {
    const { flag } = await createRecording(60);
    await save();
    await runJob();
    const timeAfter = (days: number) => new Date(server.now().getTime() + days * day);
    await deleteOldRuns(server.db, timeAfter(limits.retention.runDays - 1));
    expect(await runs()).toHaveLength(1);
    await deleteOldRuns(server.db, timeAfter(limits.retention.runDays + 2));
    expect(await runs()).toEqual([]);
    expect(await isInBin(flag)).toBe(true);
  });
});

it('a month before the last day of a longer month is the last day of the shorter month', () => {
  const rule = { tag: null, after: 1, unit: 'month' } as const;
  const cutoff = computeCutoff(rule, new Date('2026-03-31T12:00:00Z'));
  expect(cutoff.toISOString()).toBe('2026-02-28T12:00:00.000Z');
});

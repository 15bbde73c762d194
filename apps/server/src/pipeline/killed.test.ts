import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { writeWave } from '@linnet/audio/wave';
import type { Task } from '@linnet/contract';
import { taskStatus } from '@linnet/contract/statuses';
import { type TaskStep, taskSteps } from '@linnet/contract/structures';
import { sql } from 'kysely';
import { v5 as uuidv5 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Account, TestServer } from '../../test/server.ts';
import { startTestServer } from '../../test/server.ts';
import { uploadRecording } from '../../test/uploads.ts';
import { startWorker, stopWorker, waitForTask } from '../../test/worker.ts';
import { SPEECH_SAMPLE_RATE } from '../providers/speech/port.ts';
import { readScene } from '../providers/speech/scene-audio.ts';

const killedWorker = new URL('../../test/killed-worker.ts', import.meta.url);

let server: TestServer;
let account: Account;
let speech: Uint8Array<ArrayBuffer>;
let reference: unknown;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.register();
  const { samples } = await readScene('hotel-call');
  speech = writeWave(samples.subarray(0, 3 * SPEECH_SAMPLE_RATE), SPEECH_SAMPLE_RATE);
  // Step rows are deleted when their task ends, so a trigger keeps copies of them.
  await sql`create table written_steps as select * from task_steps`.execute(server.db);
  await sql`create function note_step() returns trigger language plpgsql as
    'begin insert into written_steps select new.*; return new; end'`.execute(server.db);
  await sql`create trigger note_step after insert or update on task_steps
    for each row execute function note_step()`.execute(server.db);
  const taskId = await createTask();
  const worker = await startWorker(server);
  const task = await waitForTask(server, account, taskId);
  expect(task.paragraphs).not.toEqual([]);
  reference = pickResult(task);
  await stopWorker(worker);
});
afterAll(() => server.close());

async function createTask(): Promise<string> {
  const { id } = await uploadRecording(server, account, speech, { ext: 'wav' });
  const body = { id, language: 'en' };
  return (await server.call('task/create', body, { token: account.access })).data.id;
}

async function writtenSteps(taskId: string): Promise<string[]> {
  const { rows } = await sql<{ step: string }>`
    select step from written_steps where task_id = ${taskId} order by finished_at`.execute(
    server.db,
  );
  return rows.map(({ step }) => step);
}

const jobState = async (taskId: string) => {
  const { rows } = await sql<{ state: string }>`
    select state from pgboss.job where data->>'taskId' = ${taskId}`.execute(server.db);
  return rows.map(({ state }) => state);
};

/** Returns a task's result, with paragraph positions instead of IDs, because the IDs depend on the task. */
function pickResult({ id, status, minutes, error, progress, step, ...task }: Task): unknown {
  const { paragraphs, title, brief, summary, summary_json, keywords, xmind_json, engine } = task;
  const ids = paragraphs.map((_, index) => uuidv5(`paragraph ${index}`, id));
  expect(paragraphs.map((paragraph) => paragraph.id)).toEqual(ids);
  const parts = { paragraphs, title, brief, summary, summary_json, keywords, xmind_json, engine };
  const text = JSON.stringify({ status, minutes, error, progress, step, ...parts });
  return JSON.parse(
    ids.reduce((all, paragraphId, index) => all.replaceAll(paragraphId, `#${index}`), text),
  );
}

/** A task whose worker was killed. */
type KilledTask = {
  readonly id: string;
  readonly signal: NodeJS.Signals | null;
  /** The checkpoints that the killed worker had saved. */
  readonly savedSteps: readonly string[];
};

/** Sets when the workers of running jobs last reported, as an interval from now. */
const setHeartbeats = (interval: string) =>
  sql`update pgboss.job set heartbeat_on = now() + ${interval}::interval
    where state = 'active'`.execute(server.db);

describe('task of a worker killed right after a checkpoint', () => {
  const killedTasks = new Map<TaskStep, KilledTask>();
  const resumedTasks = new Map<TaskStep, Task>();

  beforeAll(async () => {
    for (const lastStep of taskSteps) {
      const id = await createTask();
      const killedProcess = await startWorker(server, { KILL_AFTER: lastStep }, [], killedWorker);
      if (killedProcess.signalCode === null) await once(killedProcess, 'exit');
      const { signalCode: signal } = killedProcess;
      killedTasks.set(lastStep, { id, signal, savedSteps: await writtenSteps(id) });
      // The workers that are killed next must not take over the task.
      await setHeartbeats('1 hour');
    }
    // Skip the time until the dead workers are detected.
    await setHeartbeats('-1 hour');
    const worker = await startWorker(server);
    for (const [lastStep, { id }] of killedTasks) {
      resumedTasks.set(lastStep, await waitForTask(server, account, id));
      await vi.waitUntil(async () => (await jobState(id)).includes('completed'), {
        timeout: 60_000,
      });
    }
    await stopWorker(worker);
    // The long timeout is for eight processes that run one after another.
  }, 450_000);

  it.each(taskSteps)(
    'resumes after the step %s with the same result and a single charge',
    async (lastStep) => {
      const { id, signal, savedSteps } = killedTasks.get(lastStep) ?? expect.fail('no task');
      const task = resumedTasks.get(lastStep) ?? expect.fail('no result');
      expect(signal).toBe('SIGKILL');
      // The last step ends the task, which deletes all checkpoints.
      const completedSteps = taskSteps
        .slice(0, taskSteps.indexOf(lastStep) + 1)
        .filter((step) => step !== 'store');
      expect(savedSteps).toEqual(completedSteps);

      expect(task.status).toBe(taskStatus.transcribed);
      expect(pickResult(task)).toEqual(reference);
      expect(await writtenSteps(id)).toEqual(taskSteps.filter((step) => step !== 'store'));
      const charges = await server.db
        .selectFrom('minute_charges')
        .select(['state', 'minutes'])
        .where('task_id', '=', id)
        .execute();
      expect(charges).toEqual([{ state: 'settled', minutes: 1 }]);
    },
  );

  it('leaves no temporary data', async () => {
    expect(await server.db.selectFrom('task_steps').selectAll().execute()).toEqual([]);
    expect(await readdir(path.join(server.config.DATA_DIR, 'scratch'))).toEqual([]);
  });
});

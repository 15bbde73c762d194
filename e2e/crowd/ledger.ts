/** Records workers' operations in the database, and finally compares the results with the phones' uploads. */
import { minutesFor } from '@linnet/contract/durations';
import { taskStatus } from '@linnet/contract/statuses';
import { execute } from '@linnet/server/testing/database';
import { waitUntil } from '../support/wait-until.ts';
import type { StoredRecording } from './phone.ts';

/** How long jobs may remain after the last transcript, in milliseconds. A lost worker's job is taken over after ten seconds. */
const SETTLE_MS = 30_000;
const MINUTES = 100_000;

/** A transcription that a worker has finished. */
export type FinishedTranscription = {
  readonly serverId: string;
  readonly worker: string;
  readonly at: Date;
};

export class Ledger {
  readonly #url: string;

  constructor(databaseUrl: string) {
    this.#url = databaseUrl;
  }

  /** Creates the triggers that record each finished transcription, and each worker that claims a live session. */
  async open(): Promise<void> {
    for (const statement of [
      `create table bench_finished (task_id uuid, worker text default host(inet_client_addr()),
         at timestamptz default clock_timestamp())`,
      `create function bench_finish() returns trigger language plpgsql as
         'begin insert into bench_finished (task_id) values (new.id); return null; end'`,
      `create trigger bench_finish after update of status on tasks for each row
         when (new.status = ${taskStatus.transcribed} and old.status <> new.status)
         execute function bench_finish()`,
      `create table bench_claimed (client_flag text, worker text default host(inet_client_addr()),
         at timestamptz default clock_timestamp())`,
      `create function bench_claim() returns trigger language plpgsql as
         'begin insert into bench_claimed (client_flag) values (new.client_flag); return null; end'`,
      `create trigger bench_claim after update of held_by on live_sessions for each row
         when (new.held_by is not null and new.held_by is distinct from old.held_by)
         execute function bench_claim()`,
    ]) {
      await execute(this.#url, statement);
    }
  }

  /** Gives accounts a membership and enough minutes. */
  async grant(accounts: readonly string[]): Promise<void> {
    await execute(
      this.#url,
      `update accounts set vip_plan = 'granted', vip_started_at = now(),
         vip_expires_at = now() + interval '1 day' where id = any($1::uuid[])`,
      [accounts],
    );
    await execute(
      this.#url,
      `insert into minute_grants (id, account_id, purse, minutes, ref)
       select gen_random_uuid(), id, 'package', $2, 'bench' from unnest($1::uuid[]) as id`,
      [accounts, MINUTES],
    );
  }

  /** Counts the recordings whose transcription has neither succeeded nor failed. */
  async countUnfinished(recordings: readonly StoredRecording[]): Promise<number> {
    const [row] = await execute<{ count: number }>(
      this.#url,
      `select count(*)::int as count from tasks
       where recording_id = any($1::uuid[]) and status = any($2::int[])`,
      [recordings.map(({ serverId }) => serverId), [taskStatus.queued, taskStatus.working]],
    );
    return row?.count ?? 0;
  }

  /** Returns the finished transcriptions of recordings, earliest first. */
  async finished(recordings: readonly StoredRecording[]): Promise<FinishedTranscription[]> {
    return execute<FinishedTranscription>(
      this.#url,
      `select recording_id as "serverId", worker, at from bench_finished
       join tasks on tasks.id = task_id where recording_id = any($1::uuid[]) order by at`,
      [recordings.map(({ serverId }) => serverId)],
    );
  }

  /** Returns when the first transcription of the recordings was requested. */
  async firstRequest(recordings: readonly StoredRecording[]): Promise<Date> {
    const [row] = await execute<{ at: Date }>(
      this.#url,
      'select min(created_at) as at from tasks where recording_id = any($1::uuid[])',
      [recordings.map(({ serverId }) => serverId)],
    );
    if (!row) throw new Error('no transcription was requested');
    return row.at;
  }

  /** Counts how many times a live session moved to a different worker. */
  async countLiveMoves(): Promise<number> {
    const rows = await execute<{ client_flag: string; worker: string }>(
      this.#url,
      'select client_flag, worker from bench_claimed order by client_flag, at',
    );
    return rows.filter(({ client_flag, worker }, index) => {
      const previousRow = rows[index - 1];
      return previousRow?.client_flag === client_flag && previousRow.worker !== worker;
    }).length;
  }

  /**
   * Compares the database with the recordings that phones have uploaded. Checks that each uploaded recording exists
   * once, was transcribed once and was charged once, and that no work is left.
   * @returns the differences
   */
  async differences(recordings: readonly StoredRecording[]): Promise<string[]> {
    const problems: string[] = [];
    const report = (problem: string) => void problems.push(problem);
    const rows = await execute<{
      client_flag: string;
      server_id: string;
      statuses: number[];
      finished: number;
      charges: number[];
    }>(
      this.#url,
      `select client_flag, recordings.id as server_id,
         array(select status from tasks where recording_id = recordings.id) as statuses,
         (select count(*)::int from bench_finished join tasks on tasks.id = task_id
          where recording_id = recordings.id) as finished,
         array(select minute_charges.minutes from minute_charges join tasks on tasks.id = task_id
          where recording_id = recordings.id and minute_charges.state = 'settled') as charges
       from recordings where object_stored_at is not null`,
    );
    if (rows.length !== recordings.length) {
      report(`${recordings.length} uploads resulted in ${rows.length} recordings`);
    }
    const byId = new Map(rows.map((row) => [row.client_flag, row]));
    for (const { id, serverId, file } of recordings) {
      const row = byId.get(id);
      if (row?.server_id !== serverId) {
        report(`${id} is not stored`);
        continue;
      }
      const { statuses, finished, charges } = row;
      if (statuses.join() !== `${taskStatus.transcribed}`) {
        report(`${id} has tasks with the statuses ${statuses.join()}`);
      }
      if (finished !== 1) report(`${id} was transcribed ${finished} times`);
      if (charges.join() !== `${minutesFor(file.seconds)}`) {
        report(`${id} (${file.seconds} s) was charged ${charges.join() || 'nothing'}`);
      }
    }
    const remaining = () => this.#remaining();
    await waitUntil(
      'no work is left',
      async () => (await remaining()).length === 0,
      SETTLE_MS,
    ).catch(async () => problems.push(...(await remaining())));
    return problems;
  }

  /** Returns what is left to do or to clean up. */
  async #remaining(): Promise<string[]> {
    const counts = await execute<{ name: string; count: number }>(
      this.#url,
      `select 'job ' || name || ' in state ' || state as name, count(*)::int as count from pgboss.job
       where name like 'transcribe%' and state not in ('completed', 'cancelled') group by 1
       union all select 'checkpoint', count(*)::int from task_steps having count(*) > 0
       union all select 'live session', count(*)::int from live_sessions having count(*) > 0
       union all select 'reservation of minutes', count(*)::int from minute_charges
         where state = 'reserved' having count(*) > 0`,
    );
    return counts.map(({ name, count }) => `${count} × ${name} left`);
  }
}

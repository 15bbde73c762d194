/** Measures the jobs that look for work in all accounts, as the number of accounts grows. */
import { sql } from 'kysely';
import { pino } from 'pino';
import type { Database } from '../../src/db/database.ts';
import { housekeepingJob } from '../../src/jobs/housekeeping.ts';
import { openQueue } from '../../src/jobs/queue.ts';
import { createMinutes } from '../../src/modules/minutes/service.ts';
import { openLocalStore } from '../../src/providers/storage/local.ts';
import { createPassageIndex } from '../../src/retrieval/passage-index.ts';

/** The numbers of accounts to measure. */
const steps = [3000, 10_000, 30_000];
/** Devices per account, and refresh tokens per device: one for each start of the app in the last 30 days. */
const devices = 2;
const tokensPerDevice = 30;
/** Maximum number of accounts whose recordings are indexed in one run of the job. */
const indexedAccounts = 100;

/** The durations of jobs in seconds. */
export interface JobSeconds {
  readonly accounts: number;
  /** The search for changed accounts, every minute. */
  readonly changed: number;
  /** Housekeeping, every hour. */
  readonly housekeeping: number;
}

/** @param onStep called after each step */
export async function measureAccounts(
  { db, url, dataDir }: { db: Database; url: string; dataDir: string },
  onStep: (seconds: JobSeconds) => void,
): Promise<JobSeconds[]> {
  const log = pino({ level: 'silent' });
  const queue = await openQueue(url, 'api', log);
  const now = () => new Date();
  const runHousekeeping = housekeepingJob({
    ...{ db, queue, log, now, store: await openLocalStore(dataDir) },
    minutes: createMinutes({ unlimited: false, now }),
    config: { DATA_DIR: dataDir, HISTORY_DAYS: 1095 },
  });
  const index = createPassageIndex(db);
  const measured: JobSeconds[] = [];
  try {
    let storedCount = 0;
    for (const accounts of steps) {
      await addAccounts(db, storedCount + 1, accounts);
      storedCount = accounts;
      // The first runs delete expired data, and read pages from the disk.
      await runHousekeeping({}, new AbortController().signal);
      await index.outdatedAccounts(indexedAccounts);
      const seconds = {
        accounts,
        changed: await timeSeconds(() => index.outdatedAccounts(indexedAccounts)),
        housekeeping: await timeSeconds(() => runHousekeeping({}, new AbortController().signal)),
      };
      measured.push(seconds);
      onStep(seconds);
    }
    return measured;
  } finally {
    await queue.stop();
  }
}

async function timeSeconds(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return (performance.now() - startedAt) / 1000;
}

/** Adds accounts without recordings, whose devices are signed in. */
async function addAccounts(db: Database, first: number, last: number): Promise<void> {
  await sql`
    with added as (
      insert into accounts (id, email, password_hash, agreement_version, agreement_accepted_at, rev)
      select uuidv7(), n || '@example.com', repeat('x', 97), '1', now(), 1
      from generate_series(${first}::int, ${last}::int) as n
      returning id
    ), indexed as (
      insert into passage_revisions (account_id, rev) select id, 1 from added
    ), signed_in as (
      insert into sessions (id, account_id, device)
      select uuidv7(), id, 'Android' from added, generate_series(1, ${devices}::int)
      returning id
    )
    insert into refresh_tokens (hash, session_id, created_at, expires_at, used_at)
    select sha256((id::text || n)::bytea), id, now() - n * interval '1 day', now() + (90 - n) * interval '1 day',
      case when n > 0 then now() - n * interval '1 day' end
    from signed_in, generate_series(0, ${tokensPerDevice - 1}::int) as n`.execute(db);
  await sql`vacuum (analyze) accounts, passage_revisions, sessions, refresh_tokens`.execute(db);
}

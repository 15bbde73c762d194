import { foldedWords } from '@linnet/contract/folding';
import type { SqlDatabase } from '../src/database.ts';
import { createStores } from '../src/stores.ts';
import { Talks } from './many-recordings.ts';

const QUERIES = 200;
/** Recordings that the app requests at a time. */
const LIMIT = 50;
const uid = 'owner';

export type SearchTimes = {
  readonly indexSeconds: number;
  readonly ours: number[];
  readonly scan: number[];
};

/** Fills a migrated, empty database, and measures searches with the index and by a scan, in milliseconds. */
export async function measureSearch(database: SqlDatabase): Promise<SearchTimes> {
  const talks = new Talks();
  await talks.fill(database, uid);
  const { search } = createStores(database);
  const start = performance.now();
  while ((await search.catchUp()).left > 0);
  const indexSeconds = (performance.now() - start) / 1000;
  const ours: number[] = [];
  const scan: number[] = [];
  const queries = Array.from({ length: QUERIES }, () => talks.query());
  for (const query of queries) {
    ours.push(await timed(() => search.find(uid, foldedWords(query), LIMIT)));
  }
  // Only every tenth query, because scans are slow and take about the same time each.
  for (const query of queries.filter((_, nth) => nth % 10 === 0)) {
    scan.push(await timed(() => plainScan(database, query)));
  }
  return { indexSeconds, ours, scan };
}

/** Finds recordings without an index: no folding, and no excerpts. */
function plainScan(database: SqlDatabase, query: string): Promise<unknown> {
  const words = query.split(' ').map((word) => `%${word}%`);
  const has = `(title like ? or tags like ? or keywords like ? or summary like ? or exists (
    select 1 from paragraph where task_id = results_task and body ->> '$.content' like ?))`;
  return database.query(
    `select id from record where uid = ? and is_del = 0 and ${words.map(() => has).join(' and ')}
     order by create_date desc limit ${LIMIT}`,
    [uid, ...words.flatMap((word) => Array(5).fill(word))],
  );
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Returns the time within which the given fraction of all searches finished. */
export function percentile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] as number;
}

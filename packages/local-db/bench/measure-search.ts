import { foldedWords } from '@linnet/contract/folding';
import type { SqlDatabase } from '../src/database.ts';
import { createStores } from '../src/stores.ts';
import { RecordingGenerator } from './many-recordings.ts';

const QUERIES = 200;
/** The number of recordings that the app requests at a time. */
const LIMIT = 50;
const uid = 'owner';

export type SearchTimes = {
  readonly indexSeconds: number;
  readonly indexed: number[];
  readonly scan: number[];
};

/** Fills a migrated, empty database and measures searches with the index and with a scan, in milliseconds. */
export async function measureSearch(database: SqlDatabase): Promise<SearchTimes> {
  const generator = new RecordingGenerator();
  await generator.fill(database, uid);
  const { search } = createStores(database);
  const start = performance.now();
  while ((await search.catchUp()).remaining > 0);
  const indexSeconds = (performance.now() - start) / 1000;
  const indexed: number[] = [];
  const scan: number[] = [];
  const queries = Array.from({ length: QUERIES }, () => generator.query());
  for (const query of queries) {
    indexed.push(await measureMs(() => search.find(uid, foldedWords(query), LIMIT)));
  }
  // Scan for only every tenth query, because scans are slow and take about the same time for every query.
  for (const query of queries.filter((_, nth) => nth % 10 === 0)) {
    scan.push(await measureMs(() => plainScan(database, query)));
  }
  return { indexSeconds, indexed: indexed, scan };
}

/** Finds recordings without the index. Doesn't fold text or return excerpts. */
function plainScan(database: SqlDatabase, query: string): Promise<unknown> {
  const words = query.split(' ').map((word) => `%${word}%`);
  const containsWord = `(title like ? or tags like ? or keywords like ? or summary like ? or exists (
    select 1 from paragraph where task_id = results_task and body ->> '$.content' like ?))`;
  return database.query(
    `select id from record where uid = ? and is_del = 0 and ${words.map(() => containsWord).join(' and ')}
     order by create_date desc limit ${LIMIT}`,
    [uid, ...words.flatMap((word) => Array(5).fill(word))],
  );
}

async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Returns the time within which the given fraction of searches finished. */
export function percentile(times: readonly number[], fraction: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] as number;
}

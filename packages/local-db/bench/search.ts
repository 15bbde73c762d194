import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openNodeSqlite } from '../src/adapters/node-sqlite.ts';
import { migrate } from '../src/migrations.ts';
import { RECORDINGS } from './many-recordings.ts';
import { measureSearch, percentile } from './measure-search.ts';

/** A benchmark result. */
type Measurement = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly note?: string;
};

/** Measures searches in many recordings and many languages, and compares them with scans. */
export async function run(): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-bench-'));
  const database = await openNodeSqlite(join(folder, 'phone.sqlite3'));
  try {
    await migrate(database);
    const { indexSeconds, indexed: ours, scan } = await measureSearch(database);
    const note = `${RECORDINGS} recordings`;
    const [p50, p95] = [percentile(ours, 0.5), percentile(ours, 0.95)];
    return [
      { name: 'search.p50', value: p50, unit: 'ms', note },
      { name: 'search.p95', value: p95, unit: 'ms', note },
      { name: 'search.max', value: percentile(ours, 1), unit: 'ms', note },
      { name: 'search.index', value: RECORDINGS / indexSeconds, unit: 'recordings/s' },
      {
        name: 'search.scan/linnet',
        value: percentile(scan, 0.95) / p95,
        unit: 'ratio',
        note: 'p95',
      },
    ];
  } finally {
    await database.close();
    rmSync(folder, { recursive: true });
  }
}

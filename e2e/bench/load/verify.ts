import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execute } from '@linnet/server/testing/database';
import type { LoadClient } from './client.ts';
import type { LoadServer } from './server.ts';

/**
 * Compares the database and the store with what the clients have sent. Checks that each recording exists once with its
 * content, and that each edit was applied once.
 * @returns the differences
 */
export async function findLosses(
  { databaseUrl, dataDir }: LoadServer,
  clients: readonly LoadClient[],
): Promise<string[]> {
  const problems: string[] = [];
  const accounts = clients.map(({ account }) => account.id);
  const rows = await execute<{ client_flag: string; object_key: string }>(
    databaseUrl,
    `select client_flag, object_key from recordings
     where account_id = any($1::uuid[]) and object_stored_at is not null`,
    [accounts],
  );
  const keys = new Map(rows.map(({ client_flag, object_key }) => [client_flag, object_key]));
  const uploads = clients.flatMap((client) => client.uploads);
  if (rows.length !== uploads.length) {
    problems.push(`${uploads.length} uploads resulted in ${rows.length} recordings`);
  }
  for (const { id, sha256 } of uploads) {
    const key = keys.get(id);
    const bytes = key && (await readFile(join(dataDir, 'objects', key)).catch(() => null));
    if (!bytes) problems.push(`${id} has no object`);
    else if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
      problems.push(`${id} has different content`);
    }
  }
  const operations = await execute<{ op_id: string; outcome: string; rev: number }>(
    databaseUrl,
    'select op_id, outcome, rev from operations where account_id = any($1::uuid[])',
    [accounts],
  );
  const edits = new Set(clients.flatMap((client) => client.edits));
  const applied = operations.filter(
    ({ op_id, outcome }) => edits.has(op_id) && outcome === 'applied',
  );
  if (applied.length !== edits.size) {
    problems.push(`of ${edits.size} edits, ${applied.length} were applied`);
  }
  const revisions = new Map(operations.map(({ op_id, rev }) => [op_id, rev]));
  const outcomes = clients.flatMap(({ changes }) => changes.outcomes);
  const changed = outcomes.filter(({ op_id, rev }) => revisions.get(op_id) !== rev);
  if (changed.length > 0) problems.push(`${changed.length} edits have another revision`);
  return problems;
}

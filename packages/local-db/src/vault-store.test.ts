import { expect, it } from 'vitest';
import { openNodeSqlite } from './adapters/node-sqlite.ts';
import type { SqlDatabase } from './database.ts';
import { migrate } from './migrations.ts';
import { accountDeletionStatements } from './statements.ts';
import { createStores } from './stores.ts';

const uid = 'owner';
const vault = { id: 'v', uid, name: 'Notes', template: null };

async function open() {
  const database = await openNodeSqlite(':memory:');
  await migrate(database);
  const { vaults } = createStores(database);
  const add = (id: string, owner = uid) =>
    database.query(
      `insert into record (id, uid, create_date, update_date, title) values (?, ?, 'd', 'd', ?)`,
      [id, owner, id],
    );
  const staleIds = async () => (await vaults.stale('v')).map(({ recordId }) => recordId);
  const settleAll = async () => {
    for (const note of await vaults.stale('v')) await vaults.settle('v', note);
    expect(await staleIds()).toEqual([]);
  };
  return { database, vaults, add, staleIds, settleAll };
}

const insertParagraph = (database: SqlDatabase, id: string, content: string) =>
  database.query(
    `insert into paragraph (task_id, ordinal, record_id, id, body) values (?, 0, ?, 'p', ?)
     on conflict (task_id, ordinal) do update set body = excluded.body`,
    [id, id, JSON.stringify({ content })],
  );

it('stores one folder per account, and replaces it', async () => {
  const { vaults } = await open();
  expect(await vaults.get(uid)).toBeNull();
  await vaults.put(vault);
  await vaults.put({ ...vault, id: 'w', uid: 'another' });
  await vaults.setTemplate('v', '# {{title}}');
  await vaults.setWrittenAt('v', '2026-11-29T10:00:00.000Z');
  expect(await vaults.get(uid)).toEqual({
    ...vault,
    template: '# {{title}}',
    writtenAt: '2026-11-29T10:00:00.000Z',
  });
  await vaults.put({ ...vault, id: 'x' });
  expect(await vaults.get(uid)).toEqual({ ...vault, id: 'x', writtenAt: null });
  expect(await vaults.ids()).toEqual(new Set(['w', 'x']));
  await vaults.remove('x');
  expect(await vaults.get(uid)).toBeNull();
});

it("lists the account's changed recordings", async () => {
  const { database, vaults, add, staleIds, settleAll } = await open();
  await add('a');
  await add('other', 'another');
  expect(await staleIds()).toEqual([]);
  await vaults.put(vault);
  expect(await staleIds()).toEqual(['a']);
  await settleAll();
  await add('b');
  await add('others', 'another');
  expect(await staleIds()).toEqual(['b']);
  await settleAll();
  await database.query(`update record set tags = '["x"]' where id = 'a'`);
  expect(await staleIds()).toEqual(['a']);
  await settleAll();
  // A note depends on whether a rule or the user moved the recording to the recycle bin.
  await database.query(`update record set binned_by = '{}' where id = 'a'`);
  expect(await staleIds()).toEqual(['a']);
  await settleAll();
  // Notes contain neither the progress of a transcription nor the times of changes.
  await database.query(
    `update record set process = 7, update_date = 'e', title = 'a' where id = 'a'`,
  );
  await insertParagraph(database, 'others', 'not mine');
  expect(await staleIds()).toEqual([]);
  await insertParagraph(database, 'b', 'one');
  expect(await staleIds()).toEqual(['b']);
  await settleAll();
  await insertParagraph(database, 'b', 'two');
  expect(await staleIds()).toEqual(['b']);
  await settleAll();
  await database.query(`delete from record where id = 'b'`);
  expect(await staleIds()).toEqual(['b']);
  await settleAll();
  await vaults.setTemplate('v', '{{title}}');
  expect(await staleIds()).toEqual(['a']);
});

it('does not lose a change during an update', async () => {
  const { database, vaults, add, staleIds } = await open();
  await vaults.put(vault);
  await add('a');
  const [read] = await vaults.stale('v');
  await database.query(`update record set title = 'new' where id = 'a'`);
  if (read) await vaults.settle('v', read);
  expect(await staleIds()).toEqual(['a']);
});

it('stores the states of files, and lists failed files last', async () => {
  const { vaults, add, staleIds } = await open();
  await vaults.put(vault);
  for (const id of ['a', 'b']) await add(id);
  const states = vaults.states('v');
  expect(await states.read('a')).toBeNull();
  const added = await states.add('a', 'A (1).md');
  expect(await states.read('a')).toEqual(added);
  await states.store('a', { nextName: 'B.md', nextDigest: 'cd' });
  await states.store('a', {});
  await states.store('a', { digest: 'ab', failure: 'busy' });
  expect(await states.read('a')).toEqual({
    ...{ recordingId: 'a', name: 'A (1).md', digest: 'ab' },
    ...{ nextName: 'B.md', nextDigest: 'cd', failure: 'busy' },
  });
  expect(await states.isFree('a', 'B.md')).toBe(true);
  // Some file systems ignore case in names.
  for (const name of ['a (1).md', 'b.md']) expect(await states.isFree('b', name)).toBe(false);
  expect(await vaults.count('v')).toEqual({ files: 1, failed: 1 });
  expect(await staleIds()).toEqual(['b', 'a']);
  await states.store('a', { name: 'B.md', nextName: null, nextDigest: null, failure: null });
  expect(await states.isFree('b', 'a (1).md')).toBe(true);
  await states.remove('a');
  expect(await states.read('a')).toBeNull();
});

it('stores no state for a removed folder', async () => {
  const { vaults } = await open();
  await vaults.put(vault);
  await vaults.states('v').add('a', 'A.md');
  await vaults.remove('v');
  await vaults.states('v').add('b', 'B.md');
  expect(await vaults.count('v')).toEqual({ files: 0, failed: 0 });
});

it("deletes the account's folder and its file states with the account", async () => {
  const { database, vaults, add, staleIds } = await open();
  await vaults.put(vault);
  await vaults.put({ ...vault, id: 'w', uid: 'another' });
  await add('a');
  await vaults.states('v').add('a', 'A.md');
  await database.batch(accountDeletionStatements(uid));
  expect(await vaults.ids()).toEqual(new Set(['w']));
  expect(await staleIds()).toEqual([]);
  expect(await vaults.count('v')).toEqual({ files: 0, failed: 0 });
});

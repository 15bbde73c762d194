/** Tests the folder of Markdown files on a device, with a real database and a real folder. */
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDeviceVault, type VaultPicker } from '@linnet/app/device-vault';
import en from '@linnet/app/words/en';
import type { Change } from '@linnet/contract';
import { taskStatus } from '@linnet/contract/statuses';
import { createStores, migrate } from '@linnet/local-db';
import { openNodeSqlite } from '@linnet/local-db/node-sqlite';
import { createLocalFolder } from '@linnet/server/local-folder';
import { VaultFailure } from '@linnet/vault/folder';
import i18next from 'i18next';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { waitUntil } from '../support/wait-until.ts';

const uid = 'owner';
const at = '2026-11-29T10:12:00.000Z';
/** Waits up to a second for a condition. */
const waitSoon = (description: string, poll: () => Promise<boolean> | boolean) =>
  waitUntil(description, poll, 15_000);
let folder: string;
let parts: Awaited<ReturnType<typeof start>>;

beforeAll(async () => {
  await i18next.init({ lng: 'en', resources: { en: { translation: en } } });
});
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'linnet-vault-'));
  parts = await start();
});
afterEach(async () => {
  parts.vaults.stop();
  await rm(folder, { recursive: true, force: true });
});

async function start() {
  const database = await openNodeSqlite(':memory:');
  await migrate(database);
  const { records, changes, vaults: store } = createStores(database);
  const access = { isGranted: true };
  /** Counts how many times the folder was checked. */
  const checks = { count: 0 };
  const disk = { beforeWrite: async (_name: string) => {}, closed: 0 };
  const handles = new Map<string, string>();
  /** The latest cursor of each account's changes. */
  const cursors = new Map<string, string>();
  let owner: string | null = uid;
  let watcher = () => {};
  const errors: unknown[] = [];
  /** The platform's folder picker. The user always picks the test's folder. */
  const picker: VaultPicker = {
    canPick: true,
    async pick() {
      const id = crypto.randomUUID();
      handles.set(id, folder);
      return { id, name: 'Notes' };
    },
    request: async () => {
      access.isGranted = true;
      return true;
    },
    async open(id) {
      const folderPath = handles.get(id);
      if (folderPath === undefined) return 'forgotten';
      if (!access.isGranted) return 'permission';
      const opened = createLocalFolder(folderPath);
      return {
        ...opened,
        open(create) {
          checks.count += 1;
          return opened.open(create);
        },
        async write(name, ...args) {
          await disk.beforeWrite(name);
          return opened.write(name, ...args);
        },
        close() {
          opened.close();
          disk.closed += 1;
        },
      };
    },
    ids: async () => [...handles.keys()],
    async forget(id) {
      handles.delete(id);
    },
    watch(listener) {
      watcher = listener;
      return () => {
        watcher = () => {};
      };
    },
  };
  const vaults = createDeviceVault({
    ...{ store, records, picker, uid: () => owner, origin: 'https://linnet.example.org' },
    clock: {
      now: () => Date.parse('2026-11-29T12:00:00Z'),
      elapsed: () => 0,
      sleep: async () => {},
    },
    onError: (error) => errors.push(error),
  });
  vaults.start();
  const { service } = vaults;
  const signIn = (next: string | null) => {
    vaults.stop();
    owner = next;
    if (next !== null) vaults.start();
  };
  const isCurrent = () =>
    waitSoon('the folder is up to date', async () => {
      const vault = await store.get(owner ?? '');
      return (
        service.vault.get()?.state.status === 'current' &&
        vault !== null &&
        (await store.stale(vault.id)).length === 0
      );
    });
  return {
    ...{
      database,
      records,
      changes,
      cursors,
      store,
      access,
      checks,
      disk,
      handles,
      vaults,
      service,
      errors,
      signIn,
    },
    isCurrent,
    becomeVisible: () => watcher(),
  };
}

/** Adds a transcribed recording, as received from the server. */
async function add(
  id: string,
  title: string,
  brief = 'It waits.',
  account = uid,
  changed: Partial<Extract<Change, { kind: 'recording' }>['recording']> = {},
): Promise<void> {
  const changes: Change[] = [
    {
      kind: 'recording',
      rev: 1,
      recording: {
        ...{ id: `server-${id}`, client_flag: id, name: '', ai_title: title, source: 0, url: null },
        ...{ file_size: 0, sha256: null, audio_sha256: null, mime_type: 'audio/ogg', ext: 'ogg' },
        ...{ total_time: 65, peaks: '', sn: '', status: null, progress: 0, keywords: [], tags: [] },
        ...{ brief, is_del: 0, recorded_at: at, created_at: at, updated_at: at, rev: 1 },
        ...{ task: null, place: null, speakers: {}, markers: [], ticks: {}, mind_map: null },
        ...changed,
      },
    },
    {
      kind: 'task',
      rev: 1,
      client_flag: id,
      task: {
        ...{ id: `task-${id}`, radio_file_id: `server-${id}`, language: 'en', title, brief },
        ...{ status: taskStatus.transcribed, progress: 100, step: null, error: null, summary: '' },
        ...{ keywords: [], summary_json: null, xmind_url: null, summarizing: null, engine: 'e' },
        ...{ xmind_json: [], minutes: 1, created_at: at, updated_at: at },
      },
    },
    {
      kind: 'paragraph',
      rev: 1,
      ...{ client_flag: id, task_id: `task-${id}`, ordinal: 0 },
      paragraph: {
        ...{ id: `p-${id}`, start_time: 1, end_time: 2, is_tag: 0, speaker: '1' },
        content: 'The heron waits.',
      },
    },
  ];
  const cursor = parts.cursors.get(account);
  await parts.changes.applyPage(account, cursor, { changes, cursor: id, more: false });
  parts.cursors.set(account, id);
}

const names = async () => (await readdir(folder)).sort();
const text = (name: string) => readFile(path.join(folder, name), 'utf8');
const rename1 = (id: string, name: string) =>
  parts.changes.edit(uid, { type: 'recording.rename', recording: id, name });

/** Adds a recording and picks the folder. @returns the name of the recording's file */
async function writeFirstNote(): Promise<string> {
  await add('a', 'Choir');
  expect(await parts.service.pick()).toBe('picked');
  await parts.isCurrent();
  const [name = ''] = await names();
  return name;
}

it('writes a file for each of the account’s recordings, and updates it after changes', async () => {
  await add('other', 'Theirs', 'Not mine.', 'another');
  const name = await writeFirstNote();
  expect(name).toMatch(/^2026-11-29 Choir \([0-9a-z]{7}\)\.md$/);
  const note = await text(name);
  expect(note).toContain('\nid: "a"\n');
  expect(note).toContain('\nlanguage: "en"\n');
  expect(note).toContain('\nlink: "https://linnet.example.org/pages/fileDetail?id=a"\n');
  expect(note).toContain('\n## Summary\n\nIt waits.\n');
  expect(note).toContain('\n**Speaker 1** *0:01*  \nThe heron waits.\n');
  expect(parts.service.vault.get()).toMatchObject({ name: 'Notes', files: 1, refused: 0 });

  const paragraph = { recording: 'a', paragraph: 'p-a' };
  await parts.changes.edit(uid, { type: 'paragraph.edit', ...paragraph, content: 'It flies.' });
  await parts.changes.edit(uid, {
    ...{ type: 'recording.speaker', recording: 'a', speaker: '1', name: 'Zoë' },
  });
  await rename1('a', 'Heron');
  await parts.isCurrent();
  const [renamed = '', ...others] = await names();
  expect(others).toEqual([]);
  expect(renamed).toBe(name.replace('Choir', 'Heron'));
  expect(await text(renamed)).toContain('\n**[[Zoë]]** *0:01*  \nIt flies.\n');

  await parts.changes.edit(uid, { type: 'recording.bin', recording: 'a' });
  await parts.isCurrent();
  expect(await names()).toEqual([]);
  await parts.changes.edit(uid, { type: 'recording.recover', recording: 'a' });
  await parts.isCurrent();
  expect(await names()).toEqual([renamed]);
  expect(parts.errors).toEqual([]);
});

it('keeps the file of a recording that a rule moved to the recycle bin, until the user deletes the recording', async () => {
  const name = await writeFirstNote();
  const move = { run: 'run', tag: null, after: 30, unit: 'day', at } as const;
  await add('a', 'Choir', 'It waits.', uid, { is_del: 1, binned_by: move });
  await parts.isCurrent();
  expect(await names()).toEqual([name]);
  // The user has restored the recording and deleted it on another device.
  await add('a', 'Choir', 'It waits.', uid, { is_del: 1, binned_by: null });
  await parts.isCurrent();
  expect(await names()).toEqual([]);
  await add('b', 'Later');
  await parts.isCurrent();
  await add('b', 'Later', 'It waits.', uid, { is_del: 1, binned_by: move });
  await parts.isCurrent();
  expect(await names()).toHaveLength(1);
  await parts.changes.edit(uid, { type: 'recording.delete', recording: 'b' });
  await parts.isCurrent();
  expect(await names()).toEqual([]);
});

it('keeps a copy of a file that the user has edited', async () => {
  const name = await writeFirstNote();
  await writeFile(path.join(folder, name), 'my edits');
  await add('b', 'Another');
  await parts.isCurrent();
  expect(await text(name)).toBe('my edits');
  await rename1('a', 'Heron');
  await parts.isCurrent();
  const copies = (await names()).filter((each) => each.includes('(edited 2026-11-29 '));
  expect(copies).toHaveLength(1);
  expect(await text(copies[0] ?? '')).toBe('my edits');
  expect(await names()).toHaveLength(3);
});

it('continues where it stopped after a restart, and rewrites nothing', async () => {
  const name = await writeFirstNote();
  await rm(path.join(folder, name));
  parts.vaults.stop();
  await add('b', 'Later');
  parts.vaults.start();
  await parts.isCurrent();
  // The deleted file isn't written again, because its recording hasn't changed.
  expect((await names()).map((each) => each.slice(11, 16))).toEqual(['Later']);
});

it('asks for access again, and then catches up', async () => {
  await writeFirstNote();
  parts.access.isGranted = false;
  await add('b', 'Later');
  await waitUntil(
    'the state changes',
    () => parts.service.vault.get()?.state.status === 'permission',
  );
  expect(await names()).toHaveLength(1);
  await parts.service.resume();
  await parts.isCurrent();
  expect(await names()).toHaveLength(2);
});

it('writes nothing while the folder is missing, and catches up when it is back', async () => {
  await writeFirstNote();
  await rename(folder, `${folder}-away`);
  await add('b', 'Later');
  await waitSoon('the state changes', () => parts.service.vault.get()?.state.status === 'failed');
  expect(parts.service.vault.get()?.state).toEqual({ status: 'failed', code: 'missing' });
  await rename(`${folder}-away`, folder);
  parts.becomeVisible();
  await parts.isCurrent();
  expect(await names()).toHaveLength(2);
  expect(parts.errors).toEqual([]);
});

it('writes the other files after one has timed out', async () => {
  for (const id of ['a', 'b']) await add(id, id);
  parts.disk.beforeWrite = async (name) => {
    if (name.startsWith('2026-11-29 a ')) throw new VaultFailure('timeout');
  };
  await parts.service.pick();
  const state = () => parts.service.vault.get()?.state;
  await waitSoon('the state changes', () => state()?.status === 'failed');
  expect(state()).toEqual({ status: 'failed', code: 'timeout' });
  expect(await names()).toEqual([]);
  await add('c', 'c');
  await waitSoon('the others are written', () => state()?.status === 'current');
  expect((await names()).map((name) => name.slice(11, 13))).toEqual(['b ', 'c ']);
  parts.disk.beforeWrite = async () => {};
  parts.becomeVisible();
  await parts.isCurrent();
  expect(await names()).toHaveLength(3);
});

it('reports no errors from a stopped pass', async () => {
  const [begun, failing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  parts.disk.beforeWrite = () => {
    begun.resolve();
    return failing.promise;
  };
  await add('a', 'Choir');
  await parts.service.pick();
  await begun.promise;
  const { closed } = parts.disk;
  parts.vaults.stop();
  await parts.database.close();
  failing.reject(new Error('the write has failed'));
  await waitSoon('the pass has ended', () => parts.disk.closed > closed);
  expect(parts.errors).toEqual([]);
});

it('checks the folder when the app becomes visible, but not after changes that affect no file', async () => {
  await writeFirstNote();
  await rename(folder, `${folder}-away`);
  const { count } = parts.checks;
  const shown = parts.service.vault.get();
  await parts.records.update('a', { process: 7 });
  await waitSoon('a pass has ended', () => parts.service.vault.get() !== shown);
  expect(parts.checks.count).toBe(count);
  parts.becomeVisible();
  await waitSoon('the state changes', () => parts.service.vault.get()?.state.status === 'failed');
  await rename(`${folder}-away`, folder);
});

it('rewrites all files when the template changes, and keeps the template for the next folder', async () => {
  const name = await writeFirstNote();
  await parts.service.setTemplate('{{title}}!');
  await parts.isCurrent();
  expect(await text(name)).toContain('---\n\nChoir!\n');
  await parts.service.pick();
  await parts.isCurrent();
  expect(parts.service.vault.get()?.template).toBe('{{title}}!');
  // The next folder is the same one, and its existing files are adopted.
  expect(await names()).toEqual([name]);
  expect(parts.handles.size).toBe(1);
});

it('leaves the files when the folder is disconnected', async () => {
  const name = await writeFirstNote();
  await parts.service.disconnect();
  expect(parts.service.vault.get()).toBeNull();
  await rename1('a', 'Heron');
  await add('b', 'Later');
  expect(await names()).toEqual([name]);
  expect(parts.handles.size).toBe(0);
});

it('writes nothing for another account, and forgets the folder when its own account is closed', async () => {
  const name = await writeFirstNote();
  parts.signIn('another');
  await waitSoon('the state changes', () => parts.service.vault.get() === null);
  await add('theirs', 'Theirs', 'Not mine.', 'another');
  parts.signIn(null);
  await parts.records.deleteAccountData(uid);
  parts.signIn(uid);
  await waitUntil(
    'the state changes',
    () => parts.service.vault.get() === null && parts.handles.size === 0,
  );
  expect(await names()).toEqual([name]);
});

it('waits until a recording is complete', async () => {
  await writeFirstNote();
  await parts.database.query(
    `insert into record (id, uid, create_date, update_date, title) values ('now', ?, ?, ?, 'Now')`,
    [uid, at, at],
  );
  await add('b', 'Later');
  await parts.isCurrent();
  expect(await names()).toHaveLength(2);
  await parts.records.update('now', { localfile: 'now.wav' });
  await parts.isCurrent();
  expect(await names()).toHaveLength(3);
});

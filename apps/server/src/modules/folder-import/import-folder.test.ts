import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileRecordingId } from '@linnet/contract/file-identity';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeTones } from '../../../test/encoded-audio.ts';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { toneWave } from '../../../test/uploads.ts';
import { type Ffmpeg, findFfmpeg } from '../../audio/ffmpeg.ts';
import { importFoldersJob } from '../../jobs/import-folders.ts';
import { forgetUnsupportedFiles, importFolder } from './import-folder.ts';
import { createFolderImport } from './index.ts';

const silentLog = pino({ level: 'silent' });
/** Age of the files, in seconds before the server's time. */
const AGE = 3600;

let server: TestServer;
let account: Account;
let root: string;
beforeEach(async () => {
  server = await startTestServer();
  account = await server.register();
  root = await mkdtemp(path.join(tmpdir(), 'linnet-import-'));
});
afterEach(async () => {
  await server.close();
  await rm(root, { recursive: true });
});

async function put(name: string, bytes: Uint8Array, age = AGE): Promise<void> {
  const file = path.join(root, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, bytes);
  const at = server.now().getTime() / 1000 - age;
  await utimes(file, at, at);
}

/**
 * Imports the folder as the command-line tool does.
 * @returns the outcomes by path
 */
async function importAll(
  accountBytes = 0,
  ffmpeg: Ffmpeg | null = null,
): Promise<Record<string, unknown>> {
  const { db, queue, store, now } = server;
  const config = { ACCOUNT_BYTES: accountBytes };
  const deps = createFolderImport({ config, db, queue, store, ffmpeg, log: silentLog, now });
  const { signal } = new AbortController();
  const outcomes: Record<string, unknown> = {};
  for await (const file of importFolder(deps, account.id, root, null, signal)) {
    const { outcome } = file;
    outcomes[file.path] = outcome.status === 'failed' ? outcome.code : outcome.status;
  }
  return outcomes;
}

const recordings = async () => {
  const query = { limit: 100, page: 1 };
  const { data } = await server.call('task/index', query, { token: account.access });
  return data.list;
};

describe('a folder import', () => {
  it('stores each distinct file once, unchanged, with its name and date', async () => {
    const [first, second] = [toneWave(1), toneWave(2)];
    await put('One.WAV', first);
    await put('A/Two.wav', second, AGE + 60);
    await put('A/Copy of one.wav', first);
    expect(await importAll()).toEqual({
      'A/Copy of one.wav': 'imported',
      'A/Two.wav': 'imported',
      'One.WAV': 'known',
    });
    const list = await recordings();
    const named = list.map(({ name, file_size, total_time }) => [name, file_size, total_time]);
    expect(named.sort()).toEqual([
      ['Copy of one', first.length, 1],
      ['Two', second.length, 2],
    ]);
    const two = list.find(({ name }) => name === 'Two');
    const sha256 = createHash('sha256').update(second).digest('hex');
    expect(two).toMatchObject({ sha256, client_flag: fileRecordingId(account.id, sha256) });
    const { mtime } = await stat(path.join(root, 'A/Two.wav'));
    expect(two?.recorded_at).toBe(mtime.toISOString());
    await rename(path.join(root, 'One.WAV'), path.join(root, 'Renamed.wav'));
    expect(new Set(Object.values(await importAll()))).toEqual(new Set(['known']));
  });

  it('takes the date from the name or content, if either contains one', async () => {
    await put('20240229_083000.wav', toneWave(1));
    await importAll();
    const [recording] = await recordings();
    expect(recording?.recorded_at).toBe(new Date(2024, 1, 29, 8, 30).toISOString());
  });

  it('does not import a permanently deleted recording again', async () => {
    await put('One.wav', toneWave(1));
    await importAll();
    const ids = (await recordings()).map(({ id }) => id);
    await server.call('radio/batchDelete', { ids }, { token: account.access });
    expect(await importAll()).toEqual({ 'One.wav': 'deleted' });
    expect(await recordings()).toEqual([]);
  });

  it('lists the files that it cannot import, and imports all others', async () => {
    await put('broken.wav', Buffer.from('RIFF....WAVEnothing'));
    await put('empty.wav', Buffer.alloc(0));
    await put('growing.wav', toneWave(3), 2);
    await put('notes.txt', Buffer.from('no audio'));
    await put('.hidden.wav', toneWave(4));
    await put('talk.mp3', Buffer.from('ID3\x04'.padEnd(40)));
    await put('tone.wav', toneWave(1));
    await symlink('/etc/hostname', path.join(root, 'link.wav'));
    expect(await importAll()).toEqual({
      'broken.wav': 'unreadable',
      'empty.wav': 'format_unsupported',
      'growing.wav': 'growing',
      'talk.mp3': 'format_unsupported',
      'tone.wav': 'imported',
    });
    server.advanceClock(10);
    expect(await importAll()).toMatchObject({ 'growing.wav': 'imported' });
  });

  it('imports formats that ffmpeg decodes, with their decoded duration', async () => {
    const tones = await encodeTones(3);
    const ffmpeg = await findFfmpeg('ffmpeg');
    await put('talk.mp3', tones.mp3);
    await put('memo.m4a', tones.mp4);
    await put('playlist.mp3', Buffer.from('#EXTM3U\n#EXTINF:3,\ntalk.mp3\n'));
    await put('half.m4a', tones.mp4.subarray(0, tones.mp4.length / 2));
    const imported = { 'talk.mp3': 'imported', 'memo.m4a': 'imported', 'half.m4a': 'unreadable' };
    expect(await importAll(0, ffmpeg)).toEqual({
      ...imported,
      'playlist.mp3': 'format_unsupported',
    });
    const list = await recordings();
    expect(list.map(({ mime_type, ext }) => [mime_type, ext]).sort()).toEqual([
      ['audio/mp4', 'm4a'],
      ['audio/mpeg', 'mp3'],
    ]);
    for (const { total_time } of list) expect(Math.abs(total_time - 3)).toBeLessThan(0.1);
  });

  it('stops when the account has no space left, and leaves no object behind', async () => {
    await put('a.wav', toneWave(2));
    await put('b.wav', toneWave(3));
    await put('c.wav', toneWave(1));
    const space = toneWave(2).length + 100;
    expect(await importAll(space)).toEqual({ 'a.wav': 'imported', 'b.wav': 'quota_exceeded' });
    const keys = [];
    for await (const { key } of server.store.list(`voice/${account.id}/`)) keys.push(key);
    expect(keys).toHaveLength(1);
    expect(await importAll()).toEqual({
      'a.wav': 'known',
      'b.wav': 'imported',
      'c.wav': 'imported',
    });
  });
});

it('the job reports a folder that cannot be read, and does not fail', async () => {
  const warnings: unknown[] = [];
  const { db, queue, store, now } = server;
  const job = importFoldersJob({
    ...createFolderImport({
      config: { ACCOUNT_BYTES: 0 },
      db,
      queue,
      store,
      ffmpeg: null,
      log: silentLog,
      now,
    }),
    folder: path.join(root, 'missing'),
    log: { info: () => {}, warn: (...args: unknown[]) => void warnings.push(args.at(-1)) },
  });
  await job({}, new AbortController().signal);
  expect(warnings).toEqual(['failed to read IMPORT_DIR']);
});

it('the job imports new files of each account, and reads unchanged files only once', async () => {
  const warnings: string[] = [];
  const { db, queue, store, now } = server;
  const run = () =>
    importFoldersJob({
      ...createFolderImport({
        config: { ACCOUNT_BYTES: 0 },
        db,
        queue,
        store,
        ffmpeg: null,
        log: silentLog,
        now,
      }),
      folder: root,
      log: {
        info: () => {},
        warn: (...args: unknown[]) => void warnings.push(String(args.at(-1))),
      },
    })({}, new AbortController().signal);
  await put(`${account.email}/One.wav`, toneWave(1));
  await put(`${account.id}/Two.wav`, toneWave(2));
  await put('unknown@example.org/Three.wav', toneWave(3));
  await run();
  expect((await recordings()).map(({ name }) => name).sort()).toEqual(['One', 'Two']);
  expect(warnings).toEqual([expect.stringContaining('matches no account')]);

  // If the file were read again, it would be reported as damaged.
  const file = path.join(root, account.email, 'One.wav');
  const { mtime } = await stat(file);
  await writeFile(file, Buffer.alloc(toneWave(1).length));
  await utimes(file, mtime, mtime);
  warnings.length = 0;
  await run();
  expect(warnings).toHaveLength(1);
  await utimes(file, 1_770_000_000, 1_770_000_000);
  await put(`${account.email}/New.wav`, toneWave(4));
  await put(`${account.email}/Talk.mp3`, Buffer.from('ID3\x04'.padEnd(40)));
  await run();
  await forgetUnsupportedFiles(db);
  const remembered = await db.selectFrom('imported_files').select('path').execute();
  expect(remembered.map(({ path }) => path).sort()).toEqual(['New.wav', 'Two.wav']);
  expect(warnings).toContain('failed to import a file');
  expect((await recordings()).map(({ name }) => name).sort()).toEqual(['New', 'One', 'Two']);
});

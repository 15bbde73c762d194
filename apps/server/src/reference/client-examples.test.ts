import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, startTestServer, type TestServer } from '../../test/server.ts';
import { endTask } from '../../test/transcripts.ts';
import { toneWave } from '../../test/uploads.ts';

const run = promisify(execFile);
const examples = new URL('../../../../packages/client/examples/', import.meta.url);

let server: TestServer;
let owner: Account;
let folder: string;
let environment: Record<string, string>;
beforeAll(async () => {
  server = await startTestServer();
  folder = await mkdtemp(path.join(tmpdir(), 'linnet-examples-'));
  owner = await server.register();
  const body = { name: 'Examples', scopes: ['read', 'write'] };
  const { data } = await server.call('user/createKey', body, { token: owner.access });
  environment = {
    LINNET_SERVER: await server.app.listen({ host: '127.0.0.1', port: 0 }),
    LINNET_KEY: data.key,
  };
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const runExample = (name: string, ...args: string[]) =>
  run(process.execPath, [fileURLToPath(new URL(name, examples)), ...args], { env: environment });
const recordings = async () =>
  (await server.call('task/index', {}, { token: owner.access })).data.list;

describe('the client examples', () => {
  it('upload a folder once, and request transcripts', async () => {
    const source = path.join(folder, 'source');
    await mkdir(source);
    await writeFile(path.join(source, 'b.wav'), toneWave(2, 8000));
    await writeFile(path.join(source, 'a.wav'), toneWave(1, 8000));
    await writeFile(path.join(source, 'notes.txt'), 'No audio');
    const { stdout } = await runExample('upload-folder.ts', source, 'en');
    expect(stdout).toBe('a.wav: uploaded\nb.wav: uploaded\n');
    const list = await recordings();
    expect(list.map(({ name, task }) => [name, task?.status]).sort()).toEqual([
      ['a.wav', 0],
      ['b.wav', 0],
    ]);
    await runExample('upload-folder.ts', source, 'en');
    expect(await recordings()).toHaveLength(2);
  });

  it('report a file that the server refuses, and continue', async () => {
    const source = await mkdtemp(path.join(folder, 'broken-'));
    await writeFile(path.join(source, 'a.wav'), 'no audio');
    await writeFile(path.join(source, 'c.wav'), toneWave(3, 8000));
    await expect(runExample('upload-folder.ts', source, 'en')).rejects.toMatchObject({
      code: 1,
      stdout: 'c.wav: uploaded\n',
      stderr: expect.stringMatching(/^a\.wav: upload\/radioFile: .+ \(\d+\)\n$/),
    });
  });

  it('export everything, and continue an interrupted export', async () => {
    const [recording] = await recordings();
    const task = recording?.task;
    if (!recording || !task) throw new Error('the first test uploads and transcribes');
    await endTask(server, task.id, ['The heron waits.', 'Quite so.']);
    const target = path.join(folder, 'target');
    const count = (await recordings()).length;
    await runExample('export-everything.ts', target);
    const names = await readdir(target);
    expect(names.filter((name) => name.endsWith('.json'))).toHaveLength(count);
    expect(names.filter((name) => name.endsWith('.wav'))).toHaveLength(count);
    const [text] = names.filter(
      (name) => name.endsWith('.txt') && name.includes(recording.id.slice(-8)),
    );
    expect(await readFile(path.join(target, text ?? ''), 'utf8')).toBe(
      'The heron waits.\n\nQuite so.',
    );
    const audio = names.find((name) => name.endsWith('.wav')) ?? '';
    await rm(path.join(target, audio));
    await runExample('export-everything.ts', target);
    expect(await readdir(target)).toEqual(names);
  });
});

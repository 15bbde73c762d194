import { link, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { vaultFolderContract } from '@linnet/vault/testing';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../../test/folder.ts';
import { createLocalFolder, runExclusively } from './local-folder.ts';

const newPath = async () => path.join(await makeFolder(), 'someone@example.com');

describe('the folder contract: a disk', () => {
  vaultFolderContract({
    test: it,
    async create() {
      const folder = await newPath();
      return {
        folder: createLocalFolder(folder),
        edit: (name, text) => writeFile(path.join(folder, name), text),
        async files() {
          const names = (await readdir(folder)).sort();
          const texts = names.map(async (name) => [
            name,
            await readFile(path.join(folder, name), 'utf8'),
          ]);
          return Object.fromEntries(await Promise.all(texts));
        },
        remove: () => rm(folder, { recursive: true }),
      };
    },
  });
});

describe('a folder on a disk', () => {
  it('is not created on a disk that is not mounted', async () => {
    const folder = createLocalFolder(path.join(await newPath(), 'inner'));
    await expect(folder.open(true)).rejects.toMatchObject({ code: 'missing' });
  });

  it('does not follow links out of the folder', async () => {
    const folderPath = await newPath();
    const folder = createLocalFolder(folderPath);
    await folder.open(true);
    const secret = path.join(await makeFolder(), 'secret');
    await writeFile(secret, 'secret');
    await symlink(secret, path.join(folderPath, 'a.md'));
    await expect(folder.read('a.md')).rejects.toMatchObject({ code: 'refused' });
    expect(await folder.write('a.md', Buffer.from('a'), null)).toBe('conflict');
    expect(await readFile(secret, 'utf8')).toBe('secret');
    expect(await folder.list()).toEqual([]);
  });

  it('finishes a move interrupted by killing a worker', async () => {
    const folderPath = await newPath();
    const folder = createLocalFolder(folderPath);
    await folder.open(true);
    await folder.write('a.md', Buffer.from('a'), null);
    await link(path.join(folderPath, 'a.md'), path.join(folderPath, 'b.md'));
    expect(await folder.move('a.md', 'b.md')).toBe('done');
    expect(await folder.list()).toEqual(['b.md']);
  });

  it('is busy while an operation on another disk hangs, and recovers later', async () => {
    const folderPath = await newPath();
    const folder = createLocalFolder(folderPath, { limitMs: 50 });
    const released = Promise.withResolvers<void>();
    const hanging = runExclusively(() => released.promise);
    await expect(folder.open(true)).rejects.toMatchObject({ code: 'busy' });
    released.resolve();
    await hanging;
    // An operation that timed out in the queue isn't run later.
    await expect(createLocalFolder(folderPath).open(false)).rejects.toMatchObject({
      code: 'missing',
    });
    await createLocalFolder(folderPath).open(true);
  });

  it('starts no operation after its timeout', async () => {
    const folder = createLocalFolder(await newPath(), { getSignal: () => AbortSignal.abort() });
    await expect(folder.open(true)).rejects.toMatchObject({ code: 'timeout' });
  });

  it('does not mistake a folder for a file', async () => {
    const folderPath = await newPath();
    await mkdir(path.join(folderPath, 'a.md'), { recursive: true });
    await expect(createLocalFolder(folderPath).read('a.md')).rejects.toMatchObject({
      code: 'refused',
    });
  });

  it('removes temporary files left behind by a killed worker', async () => {
    const folderPath = await newPath();
    const folder = createLocalFolder(folderPath);
    await folder.open(true);
    const [old, recent] = ['.linnet-0123', '.linnet-4567'];
    for (const name of [old, recent]) await writeFile(path.join(folderPath, name), 'half');
    const hoursAgo = new Date(Date.now() - 2 * 3_600_000);
    await utimes(path.join(folderPath, old), hoursAgo, hoursAgo);
    await folder.open(true);
    expect(await readdir(folderPath)).toEqual([recent]);
  });
});

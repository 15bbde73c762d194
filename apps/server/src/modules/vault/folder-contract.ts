import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { VaultFailure, VaultFolder } from './folder.ts';

/** A folder under test, and the access of the owner to the same files. */
export interface FolderUnderTest {
  readonly folder: VaultFolder;
  /** Writes a file as another program does. */
  edit(name: string, text: string): Promise<void>;
  /** Returns the files with their contents. */
  files(): Promise<Record<string, string>>;
  /** Removes the folder with its files. */
  remove(): Promise<void>;
}

const bytes = (text: string) => Buffer.from(text);
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
/** Resolves to the code of the failure. */
const failureOf = (operation: Promise<unknown>) =>
  operation.then(
    () => null,
    ({ code }: VaultFailure) => code,
  );

/** Registers the tests that every folder must pass. `create` returns a folder that doesn't exist yet. */
export function vaultFolderContract(name: string, create: () => Promise<FolderUnderTest>): void {
  const opened = async () => {
    const under = await create();
    await under.folder.open(true);
    return under;
  };
  const read = async ({ folder }: FolderUnderTest, file: string) => {
    const found = await folder.read(file);
    if (!found) throw new Error(`${file} doesn't exist`);
    return found;
  };

  describe(`folder of a vault: ${name}`, () => {
    it('is created only on request', async () => {
      const { folder, files, remove } = await create();
      expect(await failureOf(folder.open(false))).toBe('missing');
      await folder.open(true);
      await folder.open(true);
      await folder.open(false);
      expect(await files()).toEqual({});
      await remove();
      expect(await failureOf(folder.open(false))).toBe('missing');
    });

    it('writes, reads and lists files with names in any script', async () => {
      const under = await opened();
      const { folder } = under;
      const names = [
        '2026-11-29 Keys & 50% + #1 (a).md',
        '2026-11-29 会议 (b).md',
        'اجتماع; a=b.md',
      ];
      for (const each of names) {
        expect(await folder.read(each)).toBeNull();
        expect(await folder.write(each, bytes(each), null)).toBe('done');
        expect(await read(under, each)).toMatchObject({ digest: digestOf(each) });
      }
      expect([...(await folder.list())].sort()).toEqual([...names].sort());
      expect(await under.files()).toEqual(Object.fromEntries(names.map((each) => [each, each])));
    });

    it('writes an empty file and a large one', async () => {
      const under = await opened();
      const large = 'ten bytes\n'.repeat(200_000);
      for (const [file, text] of Object.entries({ 'empty.md': '', 'large.md': large })) {
        expect(await under.folder.write(file, bytes(text), null)).toBe('done');
        expect((await read(under, file)).digest).toBe(digestOf(text));
      }
    });

    it('replaces only the file that was read', async () => {
      const under = await opened();
      const { folder, edit, files } = under;
      await folder.write('a.md', bytes('one'), null);
      const one = await read(under, 'a.md');
      expect(await folder.write('a.md', bytes('two'), one)).toBe('done');
      expect(await folder.write('a.md', bytes('new'), null)).toBe('conflict');
      await edit('a.md', 'by the owner, longer');
      expect(await folder.write('a.md', bytes('three'), one)).toBe('conflict');
      expect(await folder.write('b.md', bytes('three'), one)).toBe('conflict');
      expect(await files()).toEqual({ 'a.md': 'by the owner, longer' });
    });

    it('renames a file, but not to a name that is taken', async () => {
      const { folder, files } = await opened();
      await folder.write('a b.md', bytes('a'), null);
      await folder.write('c.md', bytes('c'), null);
      expect(await folder.move('a b.md', 'c.md')).toBe('exists');
      expect(await folder.move('missing.md', 'd.md')).toBe('missing');
      expect(await folder.move('a b.md', '会 #1?.md'.replace('?', ''))).toBe('done');
      expect(await files()).toEqual({ '会 #1.md': 'a', 'c.md': 'c' });
    });

    it('deletes only the file that was read', async () => {
      const under = await opened();
      const { folder, edit, files } = under;
      await folder.write('a.md', bytes('one'), null);
      const one = await read(under, 'a.md');
      await edit('a.md', 'by the owner, longer');
      expect(await folder.delete('a.md', one)).toBe('conflict');
      expect(await files()).toEqual({ 'a.md': 'by the owner, longer' });
      expect(await folder.delete('a.md', await read(under, 'a.md'))).toBe('done');
      expect(await folder.delete('a.md', one)).toBe('done');
      expect(await files()).toEqual({});
    });

    it('fails if the folder has disappeared', async () => {
      const { folder, remove } = await opened();
      await folder.write('a.md', bytes('a'), null);
      await remove();
      expect(await failureOf(folder.write('b.md', bytes('b'), null))).toBe('missing');
      expect(await failureOf(folder.list())).toBe('missing');
    });
  });
}

import { computeDigest } from '../digest.ts';
import { VaultFailure, type VaultFolder } from '../folder.ts';

/** A folder under test, and a user's direct access to its files. */
export type FolderUnderTest = {
  readonly folder: VaultFolder;
  /** Writes a file as another program would. */
  edit(name: string, text: string): Promise<void>;
  /** Returns the contents of all files by name. */
  files(): Promise<Record<string, string>>;
  /** Removes the folder with its files. */
  remove(): Promise<void>;
};

/** The interface to the test runner. The suite runs in Node and in a browser page. */
export type FolderHarness = {
  test(name: string, run: () => Promise<void>): void;
  /** Returns a folder that doesn't exist yet, or an empty one if {@link isPicked}. */
  create(): Promise<FolderUnderTest>;
  /** True if the user picks an existing folder because the code can't create one. */
  readonly isPicked?: boolean;
};

/** Serializes a value with sorted keys. */
function toText(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

function expectEqual(actual: unknown, expected: unknown): void {
  if (toText(actual) !== toText(expected)) {
    throw new Error(`expected ${toText(expected)}, got ${toText(actual)}`);
  }
}

const bytes = (text: string) => new TextEncoder().encode(text);
/** Resolves to the failure code of an operation, or to null if it succeeds. */
const catchFailure = (operation: Promise<unknown>) =>
  operation.then(
    () => null,
    (error: unknown) => (error instanceof VaultFailure ? error.code : String(error)),
  );

/** Tests that every {@link VaultFolder} must pass. */
export function vaultFolderContract({ test, create, isPicked = false }: FolderHarness): void {
  const openFolder = async () => {
    const fixture = await create();
    await fixture.folder.open(true);
    return fixture;
  };
  const read = async ({ folder }: FolderUnderTest, file: string) => {
    const found = await folder.read(file);
    if (!found) throw new Error(`${file} doesn't exist`);
    return found;
  };

  test('is created only on request', async () => {
    const { folder, files, remove } = await create();
    if (!isPicked) expectEqual(await catchFailure(folder.open(false)), 'missing');
    await folder.open(true);
    await folder.open(true);
    await folder.open(false);
    expectEqual(await files(), {});
    await remove();
    expectEqual(await catchFailure(folder.open(false)), 'missing');
  });

  test('writes, reads and lists files with names in any script', async () => {
    const fixture = await openFolder();
    const { folder } = fixture;
    const names = ['2026-11-29 Keys & 50% + #1 (a).md', '2026-11-29 会议 (b).md', 'اجتماع; a=b.md'];
    for (const fileName of names) {
      expectEqual(await folder.read(fileName), null);
      expectEqual(await folder.write(fileName, bytes(fileName), null), 'done');
      expectEqual((await read(fixture, fileName)).digest, await computeDigest(bytes(fileName)));
    }
    expectEqual([...(await folder.list())].sort(), [...names].sort());
    expectEqual(await fixture.files(), Object.fromEntries(names.map((each) => [each, each])));
  });

  test('writes an empty file and a large one', async () => {
    const fixture = await openFolder();
    const largeText = 'ten bytes\n'.repeat(200_000);
    for (const [file, text] of Object.entries({ 'empty.md': '', 'large.md': largeText })) {
      expectEqual(await fixture.folder.write(file, bytes(text), null), 'done');
      expectEqual((await read(fixture, file)).digest, await computeDigest(bytes(text)));
    }
  });

  test('replaces only the file that was read', async () => {
    const fixture = await openFolder();
    const { folder, edit, files } = fixture;
    await folder.write('a.md', bytes('one'), null);
    const one = await read(fixture, 'a.md');
    expectEqual(await folder.write('a.md', bytes('two'), one), 'done');
    expectEqual(await folder.write('a.md', bytes('new'), null), 'conflict');
    await edit('a.md', 'by the user, longer');
    expectEqual(await folder.write('a.md', bytes('three'), one), 'conflict');
    expectEqual(await folder.write('b.md', bytes('three'), one), 'conflict');
    expectEqual(await files(), { 'a.md': 'by the user, longer' });
  });

  test('renames a file, but not to a name that is taken', async () => {
    const { folder, files } = await openFolder();
    await folder.write('a b.md', bytes('a'), null);
    await folder.write('c.md', bytes('c'), null);
    expectEqual(await folder.move('a b.md', 'c.md'), 'exists');
    expectEqual(await folder.move('missing.md', 'd.md'), 'missing');
    expectEqual(await folder.move('a b.md', '会 #1.md'), 'done');
    expectEqual(await folder.move('c.md', 'C.md'), 'done');
    expectEqual(await files(), { '会 #1.md': 'a', 'C.md': 'c' });
  });

  test('deletes only the file that was read', async () => {
    const fixture = await openFolder();
    const { folder, edit, files } = fixture;
    await folder.write('a.md', bytes('one'), null);
    const one = await read(fixture, 'a.md');
    await edit('a.md', 'by the user, longer');
    expectEqual(await folder.delete('a.md', one), 'conflict');
    expectEqual(await files(), { 'a.md': 'by the user, longer' });
    expectEqual(await folder.delete('a.md', await read(fixture, 'a.md')), 'done');
    expectEqual(await folder.delete('a.md', one), 'done');
    expectEqual(await files(), {});
  });

  test('fails if the folder has disappeared', async () => {
    const { folder, remove } = await openFolder();
    await folder.write('a.md', bytes('a'), null);
    await remove();
    expectEqual(await catchFailure(folder.write('b.md', bytes('b'), null)), 'missing');
    expectEqual(await catchFailure(folder.list()), 'missing');
  });
}

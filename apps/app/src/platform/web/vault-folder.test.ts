import { computeDigest } from '@linnet/vault/digest';
import { VaultFailure } from '@linnet/vault/folder';
import { vaultFolderContract } from '@linnet/vault/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createPickedFolder } from './vault-folder.ts';

type Bytes = Uint8Array<ArrayBuffer>;
type Handle = Parameters<typeof createPickedFolder>[0];

const bytes = (text: string): Bytes => new TextEncoder().encode(text);
const notFound = () => new DOMException('not found', 'NotFoundError');

/** A folder as Chromium shows one on disk, which tests can't pick. Real handles pass the contract in `e2e/browser`. */
class Disk {
  /** Null if the folder has disappeared. */
  files: Map<string, Bytes> | null = new Map();
  /** How many times the folder was listed. */
  lists = 0;

  #open(name: string): Map<string, Bytes> {
    if (/[\p{Cf}\p{Noncharacter_Code_Point}]/u.test(name)) throw new TypeError('not allowed');
    return this.#list();
  }
  #list(): Map<string, Bytes> {
    if (!this.files) throw notFound();
    return this.files;
  }

  #file(name: string): FileSystemFileHandle {
    return {
      ...{ kind: 'file', name, isSameEntry: async (other) => other.name === name },
      getFile: async () => {
        const content = this.#open(name).get(name);
        if (!content) throw notFound();
        return new File([content], name);
      },
      createWritable: async () => {
        let draft: BlobPart[] = [];
        const stream = new WritableStream<BlobPart>({
          close: async () => {
            this.#open(name).set(name, new Uint8Array(await new Blob(draft).arrayBuffer()));
          },
        });
        return Object.assign(stream, {
          write: async (content: FileSystemWriteChunkType) => {
            if (!ArrayBuffer.isView(content)) throw new TypeError('not bytes');
            draft = [content];
          },
          seek: async () => {},
          truncate: async () => {},
        });
      },
    };
  }

  readonly handle: Handle = {
    getFileHandle: async (name, { create = false } = {}) => {
      const files = this.#open(name);
      if (!files.has(name)) {
        if (!create) throw notFound();
        files.set(name, bytes(''));
      }
      return this.#file(name);
    },
    removeEntry: async (name) => {
      if (!this.#open(name).delete(name)) throw notFound();
    },
    keys: () => {
      this.lists += 1;
      return iterateKeys(() => this.#list());
    },
    entries: () =>
      iterateEntries(
        () => this.#list(),
        (name) => this.#file(name),
      ),
  };

  texts(): Record<string, string> {
    return Object.fromEntries(
      [...this.#list()].map(([name, content]) => [name, new TextDecoder().decode(content)]),
    );
  }
}

async function* iterateKeys(list: () => Map<string, Bytes>): AsyncGenerator<string, undefined> {
  yield* list().keys();
}
async function* iterateEntries(
  list: () => Map<string, Bytes>,
  file: (name: string) => FileSystemFileHandle,
): AsyncGenerator<[string, FileSystemFileHandle], undefined> {
  for (const name of list().keys()) yield [name, file(name)];
}

/** Resolves to the code of the failure. */
const catchFailure = (operation: Promise<unknown>) =>
  operation.then(
    () => null,
    (error: unknown) => (error instanceof VaultFailure ? error.code : String(error)),
  );

afterEach(() => {
  vi.useRealTimers();
});

describe('a picked folder', () => {
  vaultFolderContract({
    test: it,
    isPicked: true,
    async create() {
      const disk = new Disk();
      return {
        folder: createPickedFolder(disk.handle),
        edit: async (name, text) => {
          disk.files?.set(name, bytes(text));
        },
        files: async () => disk.texts(),
        remove: async () => {
          disk.files = null;
        },
      };
    },
  });

  it('removes invisible characters from names, because Chromium rejects them in file names', async () => {
    const disk = new Disk();
    const folder = createPickedFolder(disk.handle);
    const [family, hyphenated] = ['\u{1f468}\u200d\u{1f469} a.md', 'Do\u00ad\u{e007f}nau\ufdd0.md'];
    expect(await folder.write(family, bytes('a'), null)).toBe('done');
    expect(disk.texts()).toEqual({ '\u{1f468}\u{1f469} a.md': 'a' });
    const found = await folder.read(family);
    expect(await folder.move(family, '\u{1f468}\u{1f469} a.md')).toBe('done');
    expect(await folder.move(hyphenated, 'Donau.md')).toBe('missing');
    expect(await folder.move(family, hyphenated)).toBe('done');
    expect(disk.texts()).toEqual({ 'Donau.md': 'a' });
    expect(found && (await folder.delete(hyphenated, found))).toBe('done');
    expect(disk.texts()).toEqual({});
  });

  it('times out if the disk doesn’t respond, and changes no file afterwards', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const disk = new Disk();
    const response = Promise.withResolvers<void>();
    const folder = createPickedFolder({
      ...disk.handle,
      getFileHandle: async (...args) => {
        await response.promise;
        return disk.handle.getFileHandle(...args);
      },
    });
    // The copy of a move that was interrupted.
    for (const name of ['a.md', 'copy.md']) disk.files?.set(name, bytes('a'));
    const found = { digest: await computeDigest(bytes('a')), version: null };
    const failures = Promise.all(
      [
        folder.write('new.md', bytes('new'), null),
        folder.write('a.md', bytes('b'), found),
        folder.move('a.md', 'copy.md'),
        folder.delete('a.md', found),
      ].map(catchFailure),
    );
    await vi.advanceTimersByTimeAsync(120_000);
    expect(await failures).toEqual(['timeout', 'timeout', 'timeout', 'timeout']);
    response.resolve();
    // The folder of a later pass, whose operations take longer than the rest of these.
    const next = createPickedFolder(disk.handle);
    await next.write('c.md', bytes('c'), null);
    await next.move('c.md', 'C.md');
    expect(disk.texts()).toEqual({ 'a.md': 'a', 'copy.md': 'a', 'C.md': 'c' });
  });

  it('moves a file over an empty file left by an interrupted move', async () => {
    const disk = new Disk();
    const folder = createPickedFolder(disk.handle);
    for (const name of ['b.md', 'C.md']) disk.files?.set(name, bytes(''));
    disk.files?.set('a.md', bytes('a'));
    expect(await folder.move('a.md', 'b.md')).toBe('done');
    expect(disk.texts()).toEqual({ 'b.md': 'a', 'C.md': '' });
    expect(await folder.write('C.md', bytes('c'), null)).toBe('done');
    expect(disk.texts()).toEqual({ 'b.md': 'a', 'C.md': 'c' });
  });

  it('is missing only if the folder has disappeared, not if a file disappears while being read', async () => {
    const disk = new Disk();
    let disappear = () => void disk.files?.clear();
    const folder = createPickedFolder({
      ...disk.handle,
      getFileHandle: async (...args) => {
        const file = await disk.handle.getFileHandle(...args);
        disappear();
        return file;
      },
    });
    disk.files?.set('a.md', bytes('a'));
    expect(await catchFailure(folder.read('a.md'))).toBe('busy');
    disk.files?.set('a.md', bytes('a'));
    disappear = () => {
      disk.files = null;
    };
    expect(await catchFailure(folder.read('a.md'))).toBe('missing');
  });

  it('is checked once a second, even if many files are missing', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const disk = new Disk();
    const folder = createPickedFolder(disk.handle);
    await folder.open(false);
    for (let number = 0; number < 10; number += 1) await folder.read(`${number}.md`);
    expect(disk.lists).toBe(1);
    disk.files = null;
    vi.advanceTimersByTime(1000);
    expect(await catchFailure(folder.read('a.md'))).toBe('missing');
  });
});

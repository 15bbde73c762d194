import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { Upload } from '@tus/server';
import { describe, expect, it } from 'vitest';
import type { ObjectStore } from './port.ts';

async function* chunks(...parts: Uint8Array[]): AsyncIterable<Uint8Array> {
  yield* parts;
}

async function* broken(): AsyncIterable<Uint8Array> {
  yield Buffer.from('half');
  throw new Error('the line dropped');
}

const plenty = { maxBytes: 1_000_000 };
const newKey = () => `voice/${crypto.randomUUID()}/${crypto.randomUUID()}.ogg`;
const text = async (store: ObjectStore, key: string, range?: { start: number; end: number }) =>
  Buffer.concat(await (await store.read(key, range)).toArray()).toString();

/** The contract of every object store. `open` returns the adapter under test. */
export function objectStoreContract(name: string, open: () => Promise<ObjectStore>): void {
  describe(`object store: ${name}`, () => {
    it('keeps bytes as they are, and says how many and which', async () => {
      const store = await open();
      const [key, bytes] = [newKey(), randomBytes(300_000)];
      const stored = await store.put(key, chunks(bytes.subarray(0, 7), bytes.subarray(7)), plenty);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      expect(stored).toMatchObject({ size: 300_000, sha256 });
      expect(await store.stat(key)).toMatchObject({ size: 300_000 });
      const read = Buffer.concat(await (await store.read(key)).toArray());
      expect(read.equals(bytes)).toBe(true);
    });

    it('reads parts, both ends included', async () => {
      const store = await open();
      const key = newKey();
      await store.put(key, chunks(Buffer.from('0123456789')), plenty);
      expect(await text(store, key, { start: 0, end: 0 })).toBe('0');
      expect(await text(store, key, { start: 3, end: 5 })).toBe('345');
      expect(await text(store, key, { start: 9, end: 9 })).toBe('9');
    });

    it('keeps an empty object', async () => {
      const store = await open();
      const key = newKey();
      await store.put(key, chunks(), plenty);
      expect(await store.stat(key)).toMatchObject({ size: 0 });
      expect(await text(store, key)).toBe('');
    });

    it('takes exactly the allowed size, and refuses a byte more without storing any', async () => {
      const store = await open();
      const [fits, over] = [newKey(), newKey()];
      await store.put(fits, chunks(Buffer.from('12345')), { maxBytes: 5 });
      const tooLarge = store.put(over, chunks(Buffer.from('123'), Buffer.from('456')), {
        maxBytes: 5,
      });
      await expect(tooLarge).rejects.toMatchObject({ code: 'too-large' });
      expect(await store.stat(over)).toBeNull();
    });

    it('stores nothing of an upload that broke, and keeps what was there before', async () => {
      const store = await open();
      const [fresh, before] = [newKey(), newKey()];
      await store.put(before, chunks(Buffer.from('whole')), plenty);
      for (const key of [fresh, before]) {
        await expect(store.put(key, broken(), plenty)).rejects.toThrow('the line dropped');
      }
      expect(await store.stat(fresh)).toBeNull();
      expect(await text(store, before)).toBe('whole');
    });

    it('replaces an object', async () => {
      const store = await open();
      const key = newKey();
      await store.put(key, chunks(Buffer.from('first')), plenty);
      await store.put(key, chunks(Buffer.from('second one')), plenty);
      expect(await text(store, key)).toBe('second one');
    });

    it('knows what it does not have, and forgets what is deleted, twice too', async () => {
      const store = await open();
      const key = newKey();
      expect(await store.stat(key)).toBeNull();
      await expect(store.read(key)).rejects.toMatchObject({ code: 'not-found' });
      await store.put(key, chunks(Buffer.from('x')), plenty);
      await store.delete(key);
      await store.delete(key);
      expect(await store.stat(key)).toBeNull();
    });

    describe('uploads that come in parts', () => {
      const begin = async (store: ObjectStore, size: number) => {
        const upload = await store.uploads.create(new Upload({ id: newKey(), size, offset: 0 }));
        return upload.id;
      };
      const send = (store: ObjectStore, id: string, bytes: Uint8Array, offset: number) =>
        store.uploads.write(Readable.from([bytes]), id, offset);
      const noSuchUpload = { status_code: 404 };

      it('become an object with the last byte, and not before', async () => {
        const store = await open();
        const bytes = randomBytes(300_000);
        const id = await begin(store, bytes.length);
        for (const [from, to] of [
          [0, 1],
          [1, 200_000],
          [200_000, 299_999],
        ] as const) {
          expect(await send(store, id, bytes.subarray(from, to), from)).toBe(to);
          expect((await store.uploads.getUpload(id)).offset).toBe(to);
          expect(await store.stat(id)).toBeNull();
        }
        for await (const object of store.list(id)) expect.unreachable(object.key);
        expect(await send(store, id, bytes.subarray(299_999), 299_999)).toBe(bytes.length);
        expect(Buffer.concat(await (await store.read(id)).toArray()).equals(bytes)).toBe(true);
        expect(await store.uploads.getUpload(id)).toMatchObject({
          offset: bytes.length,
          size: bytes.length,
        });
      });

      it('may be empty', async () => {
        const store = await open();
        const id = await begin(store, 0);
        expect(await store.stat(id)).toMatchObject({ size: 0 });
      });

      it('can be ended, which leaves nothing', async () => {
        const store = await open();
        const id = await begin(store, 10);
        await send(store, id, Buffer.from('12345'), 0);
        await store.uploads.remove(id);
        await expect(store.uploads.getUpload(id)).rejects.toMatchObject(noSuchUpload);
        await expect(store.uploads.remove(id)).rejects.toMatchObject(noSuchUpload);
        expect(await store.stat(id)).toBeNull();
      });

      it('are over once they are whole: what comes after changes nothing', async () => {
        const store = await open();
        const id = await begin(store, 5);
        await send(store, id, Buffer.from('whole'), 0);
        expect(await send(store, id, Buffer.from('more'), 5)).toBe(5);
        await expect(store.uploads.remove(id)).rejects.toMatchObject(noSuchUpload);
        expect(await text(store, id)).toBe('whole');
      });

      it('may be begun again', async () => {
        const store = await open();
        const id = await begin(store, 5);
        await send(store, id, Buffer.from('old'), 0);
        await store.uploads.create(new Upload({ id, size: 6, offset: 0 }));
        expect(await store.uploads.getUpload(id)).toMatchObject({ offset: 0, size: 6 });
        await send(store, id, Buffer.from('newest'), 0);
        expect(await text(store, id)).toBe('newest');
      });

      it('are unknown before they begin, and have keys for names', async () => {
        const store = await open();
        await expect(store.uploads.getUpload(newKey())).rejects.toMatchObject(noSuchUpload);
        const odd = store.uploads.create(new Upload({ id: '../x', size: 1, offset: 0 }));
        await expect(odd).rejects.toMatchObject({ code: 'invalid-key' });
      });
    });

    it('lists what begins with a prefix, each once, with its size', async () => {
      const store = await open();
      const owner = `list/${crypto.randomUUID()}`;
      const keys = ['a.ogg', 'b/c.ogg', 'b/d.ogg', 'bc.ogg'].map((name) => `${owner}/${name}`);
      for (const key of keys) await store.put(key, chunks(Buffer.from(key)), plenty);
      await store.delete(`${owner}/b/d.ogg`);
      const listed = async (prefix: string) => {
        const found = [];
        for await (const { key, size, storedAt } of store.list(prefix)) {
          expect(size).toBe(key.length);
          expect(Math.abs(Date.now() - storedAt.getTime())).toBeLessThan(600_000);
          found.push(key.slice(owner.length + 1));
        }
        return found.sort();
      };
      expect(await listed(`${owner}/`)).toEqual(['a.ogg', 'b/c.ogg', 'bc.ogg']);
      expect(await listed(owner)).toEqual(['a.ogg', 'b/c.ogg', 'bc.ogg']);
      expect(await listed(`${owner}/b`)).toEqual(['b/c.ogg', 'bc.ogg']);
      expect(await listed(`${owner}/b/`)).toEqual(['b/c.ogg']);
      expect(await listed(`${owner}/x/`)).toEqual([]);
    });

    it('lists everything, and more than one page of it', async () => {
      const store = await open();
      const owner = `many/${crypto.randomUUID()}`;
      const keys = Array.from({ length: 1010 }, (_, n) => `${owner}/${n}.log`);
      for (let at = 0; at < keys.length; at += 10) {
        await Promise.all(keys.slice(at, at + 10).map((key) => store.put(key, chunks(), plenty)));
      }
      const found = new Set<string>();
      for await (const { key } of store.list('')) found.add(key);
      expect(keys.filter((key) => !found.has(key))).toEqual([]);
      for await (const { key } of store.list(owner)) found.delete(key);
      expect(keys.filter((key) => found.has(key))).toEqual([]);
    });

    it.each(['/', '../', 'a//', '.partial', 'A'])('refuses the prefix %j', async (prefix) => {
      const store = await open();
      const next = store.list(prefix)[Symbol.asyncIterator]().next();
      await expect(next).rejects.toMatchObject({ code: 'invalid-key' });
    });

    it.each([
      '../secret',
      '/etc/passwd',
      'a//b',
      'a/../b',
      '.partial/x',
      'a/.b',
      '',
      'A b',
      'a\0b',
    ])('refuses the key %j', async (key) => {
      const store = await open();
      const refusal = { code: 'invalid-key' };
      await expect(store.put(key, chunks(), plenty)).rejects.toMatchObject(refusal);
      await expect(store.stat(key)).rejects.toMatchObject(refusal);
      await expect(store.read(key)).rejects.toMatchObject(refusal);
      await expect(store.delete(key)).rejects.toMatchObject(refusal);
    });
  });
}

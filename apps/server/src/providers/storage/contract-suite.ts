import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { Upload } from '@tus/server';
import { describe, expect, it } from 'vitest';
import type { ObjectStore } from './port.ts';

async function* chunks(...parts: Uint8Array[]): AsyncIterable<Uint8Array> {
  yield* parts;
}

async function* failingStream(): AsyncIterable<Uint8Array> {
  yield Buffer.from('half');
  throw new Error('the line dropped');
}

const ampleLimit = { maxBytes: 1_000_000 };
const newKey = () => `voice/${crypto.randomUUID()}/${crypto.randomUUID()}.ogg`;
const readText = async (store: ObjectStore, key: string, range?: { start: number; end: number }) =>
  Buffer.concat(await (await store.read(key, range)).toArray()).toString();

/** Registers the tests that every object store must pass. `open` returns the adapter under test. */
export function objectStoreContract(name: string, open: () => Promise<ObjectStore>): void {
  describe(`object store: ${name}`, () => {
    it('stores bytes unchanged and returns their size and hash', async () => {
      const store = await open();
      const [key, bytes] = [newKey(), randomBytes(300_000)];
      const storedObject = await store.put(
        key,
        chunks(bytes.subarray(0, 7), bytes.subarray(7)),
        ampleLimit,
      );
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      expect(storedObject).toMatchObject({ size: 300_000, sha256 });
      expect(await store.stat(key)).toMatchObject({ size: 300_000 });
      const read = Buffer.concat(await (await store.read(key)).toArray());
      expect(read.equals(bytes)).toBe(true);
    });

    it('reads ranges with inclusive ends', async () => {
      const store = await open();
      const key = newKey();
      await store.put(key, chunks(Buffer.from('0123456789')), ampleLimit);
      expect(await readText(store, key, { start: 0, end: 0 })).toBe('0');
      expect(await readText(store, key, { start: 3, end: 5 })).toBe('345');
      expect(await readText(store, key, { start: 9, end: 9 })).toBe('9');
    });

    it('stores an empty object', async () => {
      const store = await open();
      const key = newKey();
      await store.put(key, chunks(), ampleLimit);
      expect(await store.stat(key)).toMatchObject({ size: 0 });
      expect(await readText(store, key)).toBe('');
    });

    it('accepts the maximum size, and rejects one more byte without storing anything', async () => {
      const store = await open();
      const [fittingKey, oversizedKey] = [newKey(), newKey()];
      await store.put(fittingKey, chunks(Buffer.from('12345')), { maxBytes: 5 });
      const tooLarge = store.put(oversizedKey, chunks(Buffer.from('123'), Buffer.from('456')), {
        maxBytes: 5,
      });
      await expect(tooLarge).rejects.toMatchObject({ code: 'too-large' });
      expect(await store.stat(oversizedKey)).toBeNull();
    });

    it('stores nothing from a failed upload and preserves the existing object', async () => {
      const store = await open();
      const [missingKey, existingKey] = [newKey(), newKey()];
      await store.put(existingKey, chunks(Buffer.from('whole')), ampleLimit);
      for (const key of [missingKey, existingKey]) {
        await expect(store.put(key, failingStream(), ampleLimit)).rejects.toThrow(
          'the line dropped',
        );
      }
      expect(await store.stat(missingKey)).toBeNull();
      expect(await readText(store, existingKey)).toBe('whole');
    });

    it('replaces an object', async () => {
      const store = await open();
      const key = newKey();
      await store.put(key, chunks(Buffer.from('first')), ampleLimit);
      await store.put(key, chunks(Buffer.from('second one')), ampleLimit);
      expect(await readText(store, key)).toBe('second one');
    });

    it('reports missing objects and deletes idempotently', async () => {
      const store = await open();
      const key = newKey();
      expect(await store.stat(key)).toBeNull();
      await expect(store.read(key)).rejects.toMatchObject({ code: 'not-found' });
      await store.put(key, chunks(Buffer.from('x')), ampleLimit);
      await store.delete(key);
      await store.delete(key);
      expect(await store.stat(key)).toBeNull();
    });

    describe('resumable uploads', () => {
      const createUpload = async (store: ObjectStore, size: number) => {
        const upload = await store.uploads.create(new Upload({ id: newKey(), size, offset: 0 }));
        return upload.id;
      };
      const send = (store: ObjectStore, id: string, bytes: Uint8Array, offset: number) =>
        store.uploads.write(Readable.from([bytes]), id, offset);
      const noSuchUpload = { status_code: 404 };

      it('become objects only when the last byte has been written', async () => {
        const store = await open();
        const bytes = randomBytes(300_000);
        const id = await createUpload(store, bytes.length);
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
        const id = await createUpload(store, 0);
        expect(await store.stat(id)).toMatchObject({ size: 0 });
      });

      it('can be terminated without leaving data', async () => {
        const store = await open();
        const id = await createUpload(store, 10);
        await send(store, id, Buffer.from('12345'), 0);
        await store.uploads.remove(id);
        await expect(store.uploads.getUpload(id)).rejects.toMatchObject(noSuchUpload);
        await expect(store.uploads.remove(id)).rejects.toMatchObject(noSuchUpload);
        expect(await store.stat(id)).toBeNull();
      });

      it('ignore writes and terminations after completion', async () => {
        const store = await open();
        const id = await createUpload(store, 5);
        await send(store, id, Buffer.from('whole'), 0);
        expect(await send(store, id, Buffer.from('more'), 5)).toBe(5);
        await expect(store.uploads.remove(id)).rejects.toMatchObject(noSuchUpload);
        expect(await readText(store, id)).toBe('whole');
      });

      it('can be restarted', async () => {
        const store = await open();
        const id = await createUpload(store, 5);
        await send(store, id, Buffer.from('old'), 0);
        await store.uploads.create(new Upload({ id, size: 6, offset: 0 }));
        expect(await store.uploads.getUpload(id)).toMatchObject({ offset: 0, size: 6 });
        await send(store, id, Buffer.from('newest'), 0);
        expect(await readText(store, id)).toBe('newest');
      });

      it('are unknown before creation and require a valid key', async () => {
        const store = await open();
        await expect(store.uploads.getUpload(newKey())).rejects.toMatchObject(noSuchUpload);
        const invalidUpload = store.uploads.create(new Upload({ id: '../x', size: 1, offset: 0 }));
        await expect(invalidUpload).rejects.toMatchObject({ code: 'invalid-key' });
      });
    });

    it('lists each object with the prefix once, with its size', async () => {
      const store = await open();
      const owner = `list/${crypto.randomUUID()}`;
      const keys = ['a.ogg', 'b/c.ogg', 'b/d.ogg', 'bc.ogg'].map((name) => `${owner}/${name}`);
      for (const key of keys) await store.put(key, chunks(Buffer.from(key)), ampleLimit);
      await store.delete(`${owner}/b/d.ogg`);
      const listObjects = async (prefix: string) => {
        const foundObjects = [];
        for await (const { key, size, storedAt } of store.list(prefix)) {
          expect(size).toBe(key.length);
          expect(Math.abs(Date.now() - storedAt.getTime())).toBeLessThan(600_000);
          foundObjects.push(key.slice(owner.length + 1));
        }
        return foundObjects.sort();
      };
      expect(await listObjects(`${owner}/`)).toEqual(['a.ogg', 'b/c.ogg', 'bc.ogg']);
      expect(await listObjects(owner)).toEqual(['a.ogg', 'b/c.ogg', 'bc.ogg']);
      expect(await listObjects(`${owner}/b`)).toEqual(['b/c.ogg', 'bc.ogg']);
      expect(await listObjects(`${owner}/b/`)).toEqual(['b/c.ogg']);
      expect(await listObjects(`${owner}/x/`)).toEqual([]);
    });

    it('lists all objects across several pages', async () => {
      const store = await open();
      const owner = `many/${crypto.randomUUID()}`;
      const keys = Array.from({ length: 1010 }, (_, n) => `${owner}/${n}.log`);
      for (let offset = 0; offset < keys.length; offset += 10) {
        await Promise.all(
          keys.slice(offset, offset + 10).map((key) => store.put(key, chunks(), ampleLimit)),
        );
      }
      const foundKeys = new Set<string>();
      for await (const { key } of store.list('')) foundKeys.add(key);
      expect(keys.filter((key) => !foundKeys.has(key))).toEqual([]);
      for await (const { key } of store.list(owner)) foundKeys.delete(key);
      expect(keys.filter((key) => foundKeys.has(key))).toEqual([]);
    });

    it.each(['/', '../', 'a//', '.partial', 'A'])('rejects the prefix %j', async (prefix) => {
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
    ])('rejects the key %j', async (key) => {
      const store = await open();
      const refusal = { code: 'invalid-key' };
      await expect(store.put(key, chunks(), ampleLimit)).rejects.toMatchObject(refusal);
      await expect(store.stat(key)).rejects.toMatchObject(refusal);
      await expect(store.read(key)).rejects.toMatchObject(refusal);
      await expect(store.delete(key)).rejects.toMatchObject(refusal);
    });
  });
}

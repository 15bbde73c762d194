import { createHash } from 'node:crypto';
import { muxOgg } from '@linnet/audio/ogg';
import { codes } from '@linnet/contract/codes';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { phoneOf } from '../../../test/sync.ts';
import { grantFor, postObject, toneWave } from '../../../test/uploads.ts';
import { inspectAllAudio } from './stored-audio.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** A recorder's packets and their Ogg file, as uploaded by a phone. */
const packets = new Uint8Array(160 * 50).fill(0x48);
const master = muxOgg(packets);

let server: TestServer;
let owner: Account;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.register();
});
const token = () => ({ token: owner.access });

/** Registers a file without its digest, like a client that follows only the specification. */
async function register(bytes: Uint8Array<ArrayBuffer>, ext = 'ogg', flag?: string) {
  const grant = await grantFor(server, owner, ext);
  await postObject(server, grant, bytes);
  const client_flag = flag ?? crypto.randomUUID();
  const body = { url: grant.url, file_size: bytes.length, client_flag };
  const { data, code } = await server.call('upload/ossFile', body, token());
  return { key: grant.key, flag: client_flag, data, code };
}
const check = async (client_flag: string) =>
  (await server.call('upload/checkOssFile', { client_flag }, token())).data;
const inspect = () =>
  inspectAllAudio(
    { ...server, log: { warn: () => undefined, info: () => undefined } },
    new AbortController().signal,
  );
const onPhones = (flag: string) => phoneOf(server, owner).recording(flag);

describe('digests of stored audio', () => {
  it('are computed by the server: of the file and of the recorder’s packets', async () => {
    const { data } = await register(master);
    expect(data).toMatchObject({ sha256: sha256(master), audio_sha256: sha256(packets) });
  });

  it('are equal for audio that is not a complete Ogg Opus file', async () => {
    for (const bytes of [toneWave(2), master.slice(0, -40), new Uint8Array([1])]) {
      const { data } = await register(bytes, 'wav');
      expect(data).toMatchObject({ sha256: sha256(bytes), audio_sha256: sha256(bytes) });
    }
  });

  it('are part of the changes sent to phones', async () => {
    const { flag } = await register(master);
    expect(await onPhones(flag)).toMatchObject({ audio_sha256: sha256(packets) });
  });
});

describe('audio lost by the store', () => {
  const gone = { url: null, sha256: null, audio_sha256: null };

  it('is detected when a phone queries it, and counts again after its restoration', async () => {
    const { key, flag } = await register(master);
    await server.store.delete(key);
    expect(await check(flag)).toMatchObject(gone);
    expect(await onPhones(flag)).toMatchObject(gone);
    await server.store.put(key, [master] as never, { maxBytes: master.length });
    expect(await check(flag)).toMatchObject({ url: expect.any(String), sha256: sha256(master) });
    expect(await onPhones(flag)).toMatchObject({ audio_sha256: sha256(packets) });
  });

  it('is detected when its URL is read', async () => {
    const { key, flag, data } = await register(master);
    await server.store.delete(key);
    const address = new URL(data.url ?? '');
    const answer = await server.app.inject({ url: `${address.pathname}${address.search}` });
    expect(answer.statusCode).toBe(404);
    expect(await onPhones(flag)).toMatchObject(gone);
  });

  it('is detected by the sweep, is not transcribed, and is replaced by the next upload', async () => {
    const { key, flag, data } = await register(master);
    const kept = await register(master);
    await server.store.delete(key);
    expect(await inspect()).toMatchObject({ lost: expect.any(Number) });
    expect(await onPhones(flag)).toMatchObject(gone);
    expect(await onPhones(kept.flag)).toMatchObject({ url: expect.any(String) });
    const asked = { id: data.id, language: 'en' };
    expect((await server.call('task/create', asked, token())).code).toBe(codes.notUploaded);
    const again = await register(master, 'ogg', flag);
    expect(again.data).toMatchObject({ id: data.id, audio_sha256: sha256(packets) });
    expect(again.key).not.toBe(key);
  });

  it('is not considered registered if the same URL is registered again', async () => {
    const { key, flag } = await register(master);
    await server.store.delete(key);
    const body = { url: `/${key}`, file_size: master.length, client_flag: flag };
    expect((await server.call('upload/ossFile', body, token())).code).not.toBe(codes.ok);
  });
});

describe('replaced audio', () => {
  it('gets a new digest, so that it no longer counts as a copy of the recording', async () => {
    const { key, flag } = await register(master);
    const other = muxOgg(new Uint8Array(160 * 50).fill(0x49));
    await server.store.put(key, [other] as never, { maxBytes: other.length });
    expect(other.length).toBe(master.length);
    expect((await check(flag))?.audio_sha256).not.toBe(sha256(packets));
    expect((await onPhones(flag))?.sha256).toBe(sha256(other));
  });

  it('from before digests were computed gets one from the sweep', async () => {
    const { flag } = await register(master);
    await server.db
      .updateTable('recordings')
      .set({ sha256: null, audio_sha256: null, object_stored_at: null })
      .where('client_flag', '=', flag)
      .execute();
    await inspect();
    expect(await onPhones(flag)).toMatchObject({ audio_sha256: sha256(packets) });
  });
});

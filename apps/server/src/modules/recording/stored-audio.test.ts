import { createHash } from 'node:crypto';
import { muxOgg } from '@linnet/audio/ogg';
import { codes } from '@linnet/contract/codes';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { createPhone } from '../../../test/sync.ts';
import { grantFor, postObject, toneWave } from '../../../test/uploads.ts';
import { inspectAllAudio } from './stored-audio.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** A recorder's audio packets, and the Ogg file that a phone uploads them in. */
const packets = new Uint8Array(160 * 50).fill(0x48);
const oggFile = muxOgg(packets);

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

/** Uploads and registers a file without its digest, which the specification doesn't require. */
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
const syncedRecording = (flag: string) => createPhone(server, owner).recording(flag);

describe('digests of stored audio', () => {
  it('are computed for the file and for the recorder’s packets', async () => {
    const { data } = await register(oggFile);
    expect(data).toMatchObject({ sha256: sha256(oggFile), audio_sha256: sha256(packets) });
  });

  it('are equal for audio that is not a complete Ogg Opus file', async () => {
    for (const bytes of [toneWave(2), oggFile.slice(0, -40)]) {
      const { data } = await register(bytes, 'wav');
      expect(data).toMatchObject({ sha256: sha256(bytes), audio_sha256: sha256(bytes) });
    }
  });

  it('are synced to phones', async () => {
    const { flag } = await register(oggFile);
    expect(await syncedRecording(flag)).toMatchObject({ audio_sha256: sha256(packets) });
  });
});

describe('audio that disappeared from the store', () => {
  const missingAudio = { url: null, sha256: null, audio_sha256: null };

  it('is detected by upload/checkOssFile, and is available again once it is restored', async () => {
    const { key, flag } = await register(oggFile);
    await server.store.delete(key);
    expect(await check(flag)).toMatchObject(missingAudio);
    expect(await syncedRecording(flag)).toMatchObject(missingAudio);
    await server.store.put(key, [oggFile] as never, { maxBytes: oggFile.length });
    expect(await check(flag)).toMatchObject({ url: expect.any(String), sha256: sha256(oggFile) });
    expect(await syncedRecording(flag)).toMatchObject({ audio_sha256: sha256(packets) });
  });

  it('is detected when its URL is read', async () => {
    const { key, flag, data } = await register(oggFile);
    await server.store.delete(key);
    const address = new URL(data.url ?? '');
    const response = await server.app.inject({ url: `${address.pathname}${address.search}` });
    expect(response.statusCode).toBe(404);
    expect(await syncedRecording(flag)).toMatchObject(missingAudio);
  });

  it('is detected by the inspection, is not transcribed, and is replaced by the next upload', async () => {
    const { key, flag, data } = await register(oggFile);
    const intactRecording = await register(oggFile);
    await server.store.delete(key);
    expect(await inspect()).toMatchObject({ lost: expect.any(Number) });
    expect(await syncedRecording(flag)).toMatchObject(missingAudio);
    expect(await syncedRecording(intactRecording.flag)).toMatchObject({ url: expect.any(String) });
    const createBody = { id: data.id, language: 'en' };
    expect((await server.call('task/create', createBody, token())).code).toBe(codes.notUploaded);
    const reuploaded = await register(oggFile, 'ogg', flag);
    expect(reuploaded.data).toMatchObject({ id: data.id, audio_sha256: sha256(packets) });
    expect(reuploaded.key).not.toBe(key);
  });

  it('cannot be registered again under its old URL', async () => {
    const { key, flag } = await register(oggFile);
    await server.store.delete(key);
    const body = { url: `/${key}`, file_size: oggFile.length, client_flag: flag };
    expect((await server.call('upload/ossFile', body, token())).code).not.toBe(codes.ok);
  });
});

describe('replaced audio', () => {
  it('gets new digests and no longer counts as a copy of the recording', async () => {
    const { key, flag } = await register(oggFile);
    const other = muxOgg(new Uint8Array(160 * 50).fill(0x49));
    await server.store.put(key, [other] as never, { maxBytes: other.length });
    expect(other.length).toBe(oggFile.length);
    expect((await check(flag))?.audio_sha256).not.toBe(sha256(packets));
    expect((await syncedRecording(flag))?.sha256).toBe(sha256(other));
  });

  it('gets digests from the inspection if it has none', async () => {
    const { flag } = await register(oggFile);
    await server.db
      .updateTable('recordings')
      .set({ sha256: null, audio_sha256: null, object_stored_at: null })
      .where('client_flag', '=', flag)
      .execute();
    await inspect();
    expect(await syncedRecording(flag)).toMatchObject({ audio_sha256: sha256(packets) });
  });
});

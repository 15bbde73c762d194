import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { demuxOgg, muxOgg } from '@linnet/audio/ogg';
import type { CallInput, Recording, UploadGrant } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { signCosPost } from '@linnet/contract/cos-post';
import { prefixes } from '@linnet/contract/routes';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { grantFor, postObject, uploadRecording } from '../../../test/uploads.ts';

let server: TestServer;
let account: Account;
let stranger: Account;
let packets: readonly Uint8Array[];
let recording: Recording;
/** The given number of packets of real speech, 20 ms each. */
const speech = (count: number) => muxOgg(Buffer.concat(packets.slice(0, count)));
beforeAll(async () => {
  server = await startTestServer();
  account = await server.register();
  stranger = await server.register();
  const scene = '../../../../virtual-recorder/scenes/microphone.ogg';
  packets = demuxOgg(await readFile(new URL(scene, import.meta.url))).packets;
  recording = await uploadRecording(server, account, speech(100));
});
afterAll(() => server.close());

const formOf = (grant: UploadGrant, contentType = 'audio/mpeg', size = grant.maxSize) =>
  signCosPost(grant, { contentType, size });
async function bodyFor(
  change: Partial<CallInput<'convert'>> = {},
  grant?: UploadGrant,
): Promise<CallInput<'convert'>> {
  const target = grant ?? (await grantFor(server, account, 'mp3'));
  return {
    fileUrl: recording.url ?? '',
    postUrl: target.uploadUrl,
    iurl: target.url,
    uploadObj: await formOf(target),
    ...change,
  };
}
const convert = (body: object, prefix: string = prefixes.recorder, { access } = account) =>
  server.call('convert', body, { token: access, prefix });
const get = (url: string) => {
  const { pathname, search } = new URL(url);
  return server.app.inject(pathname + search);
};
/** Blocks the next read of audio until it is released. */
function holdNextRead(): { readonly reading: Promise<void>; readonly letGo: () => void } {
  const [reading, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const read = server.store.read.bind(server.store);
  vi.spyOn(server.store, 'read').mockImplementationOnce(async (key, range) => {
    const [audio, held] = [await read(key, range), new PassThrough()];
    held.once('close', () => audio.destroy());
    void free.promise.then(() => audio.pipe(held));
    reading.resolve();
    return held;
  });
  return { reading: reading.promise, letGo: free.resolve };
}
async function scratchLeft(): Promise<string[]> {
  return readdir(path.join(server.config.DATA_DIR, 'scratch', 'convert'));
}

describe.each(Object.values(prefixes))('convert under %s', (prefix) => {
  it('stores an mp3 under the grant and returns its URL', async () => {
    const grant = await grantFor(server, account, 'mp3');
    expect(grant.key).toMatch(new RegExp(`^converted/${account.id}/[0-9a-f-]{36}\\.mp3$`));
    const { code, data } = await convert(await bodyFor({}, grant), prefix);
    expect(code).toBe(codes.ok);
    const { rawPayload, headers } = await get(data.iurl);
    expect(headers['content-type']).toBe('audio/mpeg');
    expect(rawPayload.length).toBe(data.file_size);
    // 64 kbit/s: 8,000 bytes per second.
    expect(Math.abs(data.file_size - recording.total_time * 8000)).toBeLessThan(1500);
    expect(await server.store.stat(grant.key)).toMatchObject({ size: data.file_size });
    expect(await scratchLeft()).toEqual([]);
  });
});

describe('convert', () => {
  it('cannot create a recording: ossFile rejects the mp3', async () => {
    const grant = await grantFor(server, account, 'mp3');
    const { data } = await convert(await bodyFor({}, grant));
    const facts = { url: grant.url, file_size: data.file_size, client_flag: crypto.randomUUID() };
    const answer = await server.call('upload/ossFile', facts, { token: account.access });
    expect(answer).toMatchObject({ code: codes.keyNotIssued, data: null });
  });

  it('returns specific codes for missing and invalid audio', async () => {
    const text = new Uint8Array(Buffer.from('this is no audio, whatever its name says'));
    const { url } = await uploadRecording(server, account, text);
    const unreadable = await convert(await bodyFor({ fileUrl: url ?? '' }));
    expect(unreadable).toMatchObject({ code: codes.conversionFailed, data: null });

    const lost = await uploadRecording(server, account, speech(9));
    await server.store.delete(new URL(lost.url ?? '').pathname.replace('/store/linnet/', ''));
    const missing = await convert(await bodyFor({ fileUrl: lost.url ?? '' }));
    expect(missing).toMatchObject({ code: codes.objectMissing, data: null });
    expect(await scratchLeft()).toEqual([]);
  });

  it('requires a token', async () => {
    const answer = await server.call('convert', await bodyFor());
    expect(answer.code).toBe(codes.tokenInvalid);
  });

  it('stops when the client disconnects, and removes its files', async () => {
    const address = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' }));
    const grant = await grantFor(server, account, 'mp3');
    const payload = JSON.stringify(await bodyFor({}, grant)).replaceAll(
      'http://localhost:8080',
      address.origin,
    );
    const { reading } = holdNextRead();
    const socket = connect(Number(address.port), address.hostname);
    socket.write(
      `POST /api/convert HTTP/1.1\r\nHost: ${address.host}\r\nAuthorization: Bearer ${account.access}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(payload)}\r\n\r\n${payload}`,
    );
    await reading;
    expect(await scratchLeft()).toHaveLength(1);
    socket.destroy();
    await vi.waitUntil(async () => (await scratchLeft()).length === 0, { timeout: 60_000 });
    expect(await server.store.stat(grant.key)).toBeNull();
  });

  it('runs one conversion at a time per account', async () => {
    const audio = await uploadRecording(server, stranger, speech(50));
    const grant = await grantFor(server, stranger, 'mp3');
    const theirs = await bodyFor({ fileUrl: audio.url ?? '' }, grant);
    const { reading, letGo } = holdNextRead();
    const first = convert(await bodyFor());
    await reading;
    const second = await convert(await bodyFor());
    expect(second).toMatchObject({ code: codes.tooManyRequests, data: null });
    expect((await convert(theirs, prefixes.recorder, stranger)).code).toBe(codes.ok);
    letGo();
    expect((await first).code).toBe(codes.ok);
    expect((await convert(await bodyFor())).code).toBe(codes.ok);
  });
});

describe('convert accesses only the server’s own store', () => {
  /** Requests received by a foreign server; there must be none. */
  let visits: string[];
  let elsewhere: string;
  beforeAll(async () => {
    visits = [];
    const other = createServer((request, response) => {
      visits.push(`${request.method} ${request.url}`);
      response.writeHead(200).end('OggS');
    });
    other.on('connection', () => visits.push('connection'));
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    return () => void other.close().closeAllConnections();
  });

  const at = (host: string) => (url: string) => {
    const { pathname, search } = new URL(url);
    return `${host}${pathname}${search}`;
  };
  const addresses: [string, () => Promise<Partial<CallInput<'convert'>>>][] = [
    ['audio elsewhere', async () => ({ fileUrl: `${elsewhere}/a.ogg` })],
    [
      'our address with another host',
      async () => ({ fileUrl: at(elsewhere)(recording.url ?? '') }),
    ],
    [
      'another host after an @',
      async () => ({
        fileUrl: (recording.url ?? '').replace('http://', 'http://localhost:8080@evil.example:'),
      }),
    ],
    [
      'our host as a name within another',
      async () => ({
        fileUrl: (recording.url ?? '').replace('localhost:8080', 'localhost:8080.evil.example'),
      }),
    ],
    ['a file', async () => ({ fileUrl: 'file:///etc/passwd' })],
    ['the metadata of a cloud', async () => ({ fileUrl: 'http://169.254.169.254/latest' })],
    ['no address', async () => ({ fileUrl: 'nothing' })],
    ['a path without a host', async () => ({ fileUrl: at('')(recording.url ?? '') })],
    [
      'an address without its signature',
      async () => ({ fileUrl: (recording.url ?? '').split('?')[0] ?? '' }),
    ],
    [
      'a changed signature',
      async () => ({ fileUrl: (recording.url ?? '').replace(/s=.{4}/, 's=AAAA') }),
    ],
    [
      "a stranger's audio",
      async () => ({ fileUrl: (await uploadRecording(server, stranger, speech(9))).url ?? '' }),
    ],
    [
      'an upload that is no recording',
      async () => {
        const grant = await grantFor(server, account);
        await postObject(server, grant, speech(9));
        const { pathname } = new URL(grant.url);
        return {
          fileUrl: `http://localhost:8080${pathname}?${new URL(recording.url ?? '').search}`,
        };
      },
    ],
    ['posting elsewhere', async () => ({ postUrl: `${elsewhere}/store/linnet` })],
    ['posting below our own address', async () => ({ postUrl: 'http://localhost:8080/api' })],
    ['naming an object elsewhere', async () => ({ iurl: `${elsewhere}/store/linnet/x.mp3` })],
    [
      'naming another object than the form',
      async () => ({ iurl: (await grantFor(server, account, 'mp3')).url }),
    ],
    [
      'a form for an object of another kind',
      async () => {
        const grant = await grantFor(server, account, 'ogg');
        return { iurl: grant.url, uploadObj: await formOf(grant, 'audio/ogg') };
      },
    ],
    [
      "a stranger's grant",
      async () => {
        const grant = await grantFor(server, stranger, 'mp3');
        return { iurl: grant.url, uploadObj: await formOf(grant) };
      },
    ],
    ['no form', async () => ({ uploadObj: {} })],
    [
      'two keys in the form',
      async () => {
        const grant = await grantFor(server, account, 'mp3');
        return { iurl: grant.url, uploadObj: { ...(await formOf(grant)), KEY: 'x' } };
      },
    ],
    [
      'a form with a wrong signature',
      async () => {
        const grant = await grantFor(server, account, 'mp3');
        return { iurl: grant.url, uploadObj: { ...(await formOf(grant)), 'q-signature': '00' } };
      },
    ],
    [
      'a form for another type',
      async () => {
        const grant = await grantFor(server, account, 'mp3');
        return { iurl: grant.url, uploadObj: await formOf(grant, 'text/html') };
      },
    ],
  ];
  it.each(addresses)('refuses %s', async (_what, change) => {
    const target = await grantFor(server, account, 'mp3');
    const answer = await convert({ ...(await bodyFor({}, target)), ...(await change()) });
    expect(answer).toMatchObject({ code: codes.addressNotOurs, data: null });
    expect(await server.store.stat(target.key)).toBeNull();
    expect(visits).toEqual([]);
  });

  it('rejects an expired form and one for a smaller file', async () => {
    const grant = await grantFor(server, account, 'mp3');
    const small = {
      ...(await bodyFor({}, grant)),
      uploadObj: await formOf(grant, 'audio/mpeg', 9),
    };
    expect((await convert(small)).code).toBe(codes.tooLarge);
    const body = await bodyFor({}, grant);
    server.pass(3700);
    const { data } = await server.call('user/login', account);
    const late = { ...account, access: data.access_token };
    expect((await convert(body, prefixes.recorder, late)).code).toBe(codes.addressNotOurs);
    server.pass(-3700);
    expect(await server.store.stat(grant.key)).toBeNull();
  });

  it('returns the same response for nonexistent and for foreign objects', async () => {
    const body = await bodyFor();
    const theirs = await convert(body, prefixes.recorder, stranger);
    const absent = await convert(
      { ...body, fileUrl: body.fileUrl.replace(/[^/]+\.ogg/, 'x.ogg') },
      prefixes.recorder,
      stranger,
    );
    expect(theirs).toMatchObject({ code: codes.addressNotOurs, data: null });
    expect(theirs).toEqual(absent);
  });
});

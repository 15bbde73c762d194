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
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { grantFor, postObject, randomOpus, uploadRecording } from '../../../test/uploads.ts';

let server: TestServer;
let account: Account;
let otherUser: Account;
let packets: readonly Uint8Array[];
let recording: Recording;
/** Returns an Ogg file with the given number of packets of recorded speech, 20 ms each. */
const speech = (count: number) => muxOgg(Buffer.concat(packets.slice(0, count)));
beforeAll(async () => {
  server = await startTestServer();
  account = await server.register();
  otherUser = await server.register();
  const scene = '../../../../virtual-recorder/scenes/microphone.ogg';
  packets = demuxOgg(await readFile(new URL(scene, import.meta.url))).packets;
  recording = await uploadRecording(server, account, speech(100));
});
afterAll(() => server.close());

const signForm = (grant: UploadGrant, contentType = 'audio/mpeg', size = grant.maxSize) =>
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
    uploadObj: await signForm(target),
    ...change,
  };
}
const convert = (body: object, { access } = account) =>
  server.call('convert', body, { token: access });
const get = (url: string) => {
  const { pathname, search } = new URL(url);
  return server.app.inject(pathname + search);
};
/** Delays the next read of audio from the store until the test releases it. */
function holdNextRead(): { readonly reading: Promise<void>; readonly release: () => void } {
  const [reading, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const read = server.store.read.bind(server.store);
  vi.spyOn(server.store, 'read').mockImplementationOnce(async (key, range) => {
    const [audio, delayed] = [await read(key, range), new PassThrough()];
    delayed.once('close', () => audio.destroy());
    void released.promise.then(() => audio.pipe(delayed));
    reading.resolve();
    return delayed;
  });
  return { reading: reading.promise, release: released.resolve };
}
async function scratchFolders(): Promise<string[]> {
  return readdir(path.join(server.config.DATA_DIR, 'scratch', 'convert'));
}

describe('convert', () => {
  it('stores an mp3 under the grant and returns its URL', async () => {
    const grant = await grantFor(server, account, 'mp3');
    expect(grant.key).toMatch(new RegExp(`^converted/${account.id}/[0-9a-f-]{36}\\.mp3$`));
    const { code, data } = await convert(await bodyFor({}, grant));
    expect(code).toBe(codes.ok);
    const { rawPayload, headers } = await get(data.iurl);
    expect(headers['content-type']).toBe('audio/mpeg');
    expect(rawPayload.length).toBe(data.file_size);
    // 64 kbit/s: 8,000 bytes per second.
    expect(Math.abs(data.file_size - recording.total_time * 8000)).toBeLessThan(1500);
    expect(await server.store.stat(grant.key)).toMatchObject({ size: data.file_size });
    expect(await scratchFolders()).toEqual([]);
  });
});

describe('convert', () => {
  it('creates an object that cannot be registered as a recording', async () => {
    const grant = await grantFor(server, account, 'mp3');
    const { data } = await convert(await bodyFor({}, grant));
    const metadata = {
      url: grant.url,
      file_size: data.file_size,
      client_flag: crypto.randomUUID(),
    };
    const response = await server.call('upload/ossFile', metadata, { token: account.access });
    expect(response).toMatchObject({ code: codes.keyNotIssued, data: null });
  });

  it('returns specific codes for missing and invalid audio', async () => {
    const damagedFile = randomOpus(1000);
    const { url } = await uploadRecording(server, account, damagedFile);
    const unreadable = await convert(await bodyFor({ fileUrl: url ?? '' }));
    expect(unreadable).toMatchObject({ code: codes.conversionFailed, data: null });

    const deleted = await uploadRecording(server, account, speech(9));
    await server.store.delete(new URL(deleted.url ?? '').pathname.replace('/store/linnet/', ''));
    const missingResponse = await convert(await bodyFor({ fileUrl: deleted.url ?? '' }));
    expect(missingResponse).toMatchObject({ code: codes.objectMissing, data: null });
    expect(await scratchFolders()).toEqual([]);
  });

  it('requires a token', async () => {
    const response = await server.call('convert', await bodyFor());
    expect(response.code).toBe(codes.tokenInvalid);
  });

  it('stops when the client disconnects, and deletes its temporary files', async () => {
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
    expect(await scratchFolders()).toHaveLength(1);
    socket.destroy();
    await vi.waitUntil(async () => (await scratchFolders()).length === 0, { timeout: 60_000 });
    expect(await server.store.stat(grant.key)).toBeNull();
  });

  it('runs one conversion at a time per account', async () => {
    const audio = await uploadRecording(server, otherUser, speech(50));
    const grant = await grantFor(server, otherUser, 'mp3');
    const theirBody = await bodyFor({ fileUrl: audio.url ?? '' }, grant);
    const { reading, release } = holdNextRead();
    const first = convert(await bodyFor());
    await reading;
    const secondResponse = await convert(await bodyFor());
    expect(secondResponse).toMatchObject({ code: codes.tooManyRequests, data: null });
    expect((await convert(theirBody, otherUser)).code).toBe(codes.ok);
    release();
    expect((await first).code).toBe(codes.ok);
    expect((await convert(await bodyFor())).code).toBe(codes.ok);
  });
});

describe('convert, restricted to the server’s own store', () => {
  /** Counts the connections and requests received by a foreign server. There must be none. */
  let connections: string[];
  let foreignOrigin: string;
  beforeAll(async () => {
    connections = [];
    const other = createServer((request, response) => {
      connections.push(`${request.method} ${request.url}`);
      response.writeHead(200).end('OggS');
    });
    other.on('connection', () => connections.push('connection'));
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    foreignOrigin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    return () => void other.close().closeAllConnections();
  });

  const withOrigin = (host: string) => (url: string) => {
    const { pathname, search } = new URL(url);
    return `${host}${pathname}${search}`;
  };
  const invalidRequests: [string, () => Promise<Partial<CallInput<'convert'>>>][] = [
    ['audio elsewhere', async () => ({ fileUrl: `${foreignOrigin}/a.ogg` })],
    [
      'our URL with another host',
      async () => ({ fileUrl: withOrigin(foreignOrigin)(recording.url ?? '') }),
    ],
    [
      'another host after an @',
      async () => ({
        fileUrl: (recording.url ?? '').replace('http://', 'http://localhost:8080@evil.example:'),
      }),
    ],
    [
      'our host as a subdomain of another',
      async () => ({
        fileUrl: (recording.url ?? '').replace('localhost:8080', 'localhost:8080.evil.example'),
      }),
    ],
    ['a file URL', async () => ({ fileUrl: 'file:///etc/passwd' })],
    [
      'the metadata service of a cloud provider',
      async () => ({ fileUrl: 'http://169.254.169.254/latest' }),
    ],
    ['text that is not a URL', async () => ({ fileUrl: 'nothing' })],
    ['a path without a host', async () => ({ fileUrl: withOrigin('')(recording.url ?? '') })],
    [
      'a URL without its signature',
      async () => ({ fileUrl: (recording.url ?? '').split('?')[0] ?? '' }),
    ],
    [
      'a changed signature',
      async () => ({ fileUrl: (recording.url ?? '').replace(/s=.{4}/, 's=AAAA') }),
    ],
    [
      "a stranger's audio",
      async () => ({ fileUrl: (await uploadRecording(server, otherUser, speech(9))).url ?? '' }),
    ],
    [
      'an upload that is not registered as a recording',
      async () => {
        const grant = await grantFor(server, account);
        await postObject(server, grant, speech(9));
        const { pathname } = new URL(grant.url);
        return {
          fileUrl: `http://localhost:8080${pathname}?${new URL(recording.url ?? '').search}`,
        };
      },
    ],
    ['a foreign upload URL', async () => ({ postUrl: `${foreignOrigin}/store/linnet` })],
    [
      'another path of this server as the upload URL',
      async () => ({ postUrl: 'http://localhost:8080/api' }),
    ],
    ['a foreign object URL', async () => ({ iurl: `${foreignOrigin}/store/linnet/x.mp3` })],
    [
      'the URL of an object other than the form’s',
      async () => ({ iurl: (await grantFor(server, account, 'mp3')).url }),
    ],
    [
      'a form for another type of object',
      async () => {
        const grant = await grantFor(server, account, 'ogg');
        return { iurl: grant.url, uploadObj: await signForm(grant, 'audio/ogg') };
      },
    ],
    [
      "a stranger's grant",
      async () => {
        const grant = await grantFor(server, otherUser, 'mp3');
        return { iurl: grant.url, uploadObj: await signForm(grant) };
      },
    ],
    ['no form', async () => ({ uploadObj: {} })],
    [
      'two keys in the form',
      async () => {
        const grant = await grantFor(server, account, 'mp3');
        return { iurl: grant.url, uploadObj: { ...(await signForm(grant)), KEY: 'x' } };
      },
    ],
    [
      'a form with a wrong signature',
      async () => {
        const grant = await grantFor(server, account, 'mp3');
        return { iurl: grant.url, uploadObj: { ...(await signForm(grant)), 'q-signature': '00' } };
      },
    ],
    [
      'a form for another media type',
      async () => {
        const grant = await grantFor(server, account, 'mp3');
        return { iurl: grant.url, uploadObj: await signForm(grant, 'text/html') };
      },
    ],
  ];
  it.each(invalidRequests)('rejects %s', async (_case, change) => {
    const target = await grantFor(server, account, 'mp3');
    const response = await convert({ ...(await bodyFor({}, target)), ...(await change()) });
    expect(response).toMatchObject({ code: codes.addressNotOurs, data: null });
    expect(await server.store.stat(target.key)).toBeNull();
    expect(connections).toEqual([]);
  });

  it('rejects an expired form, and a form for a smaller file', async () => {
    const grant = await grantFor(server, account, 'mp3');
    const smallBody = {
      ...(await bodyFor({}, grant)),
      uploadObj: await signForm(grant, 'audio/mpeg', 9),
    };
    expect((await convert(smallBody)).code).toBe(codes.tooLarge);
    const body = await bodyFor({}, grant);
    server.advanceClock(3700);
    const { data } = await server.call('user/login', account);
    const signedIn = { ...account, access: data.access_token };
    expect((await convert(body, signedIn)).code).toBe(codes.addressNotOurs);
    server.advanceClock(-3700);
    expect(await server.store.stat(grant.key)).toBeNull();
  });

  it('returns the same response for unknown objects and for other accounts’ objects', async () => {
    const body = await bodyFor();
    const theirResponse = await convert(body, otherUser);
    const absentResponse = await convert(
      { ...body, fileUrl: body.fileUrl.replace(/[^/]+\.ogg/, 'x.ogg') },
      otherUser,
    );
    expect(theirResponse).toMatchObject({ code: codes.addressNotOurs, data: null });
    expect(theirResponse).toEqual(absentResponse);
  });
});

import { once } from 'node:events';
import { muxOgg } from '@linnet/audio/ogg';
import { loadOpus, type OpusModule } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import type { CallBody } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { encodeBursts, recognizeBursts } from '../../../test/bursts.ts';
import { liveClient } from '../../../test/live.ts';
import { type Account, startTestServer, type TestServer } from '../../../test/server.ts';
import { operation } from '../../../test/sync.ts';
import { scriptedEngines } from '../../../test/transcription.ts';
import { uploadRecording } from '../../../test/uploads.ts';
import { createLiveStore } from '../../live/store.ts';
import { startLiveWorker } from '../../live/worker.ts';

let server: TestServer;
let opus: OpusModule;
beforeAll(async () => {
  server = await startTestServer();
  opus = await loadOpus(readOpusWasm());
});
afterAll(() => server.close());

async function watch(account: Account, body: CallBody<'live/watch'> = {}) {
  const { data } = await server.call('live/watch', body, { token: account.access });
  return data;
}
const getFlags = ({ list }: Awaited<ReturnType<typeof watch>>) =>
  list.map(({ client_flag }) => client_flag);

/** Maximum wait of calls in these tests, in seconds. */
const wait = 25;

/** Rejects if a call only returned because its wait timed out. */
async function beforeEnd<Result>(call: Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  const result = await call;
  expect(performance.now() - startedAt).toBeLessThan((wait - 5) * 1000);
  return result;
}

/** Starts a call that waits for a version other than the current. */
async function waitForNext(account: Account, body: CallBody<'live/watch'> = {}) {
  const { version } = await watch(account, body);
  return { version, next: beforeEnd(watch(account, { wait, ...body, version })) };
}

function post(
  address: string,
  token: string,
  body: CallBody<'live/watch'>,
  signal: AbortSignal | null = null,
): Promise<Response> {
  return fetch(`${address}/api/live/watch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
}

describe('watching live text on a different device', () => {
  it('receives the text as it is recognized, even after a worker dies', async () => {
    const account = await server.register();
    const packets = encodeBursts(opus, [1, 1, 1, 1, 1, 1, 1, 1, 0.2]);
    const client = liveClient(server, account, packets);
    const { next } = await waitForNext(account);
    await client.send(0, 120);
    const first = await next;
    expect(first.list).toMatchObject([
      { client_flag: client.clientFlag, phase: 'recording', passages: [], tentative: null },
    ]);

    const store = createLiveStore(server.db);
    // Simulate a worker that dies while holding the session.
    const heldSession = await vi.waitUntil(store.claim, { timeout: 10_000 });
    expect(heldSession.client_flag).toBe(client.clientFlag);
    const stop = startLiveWorker({
      store,
      engines: scriptedEngines(recognizeBursts),
      detector: null,
      opus,
      log: pino({ level: 'silent' }),
    });
    onTestFinished(stop);
    const tentative = await beforeEnd(watch(account, { version: first.version, wait }));
    expect(tentative.list).toMatchObject([{ tentative: { text: 'burst' } }]);

    await client.send(120, packets.length / 160, { ended: true });
    const passages: string[] = [];
    const countWords = () => passages.join(' ').split(' ').length;
    let { version } = tentative;
    await vi.waitUntil(
      async () => {
        const known = [{ client_flag: client.clientFlag, passages: passages.length }];
        const data = await beforeEnd(watch(account, { version, wait, known }));
        version = data.version;
        const [session] = data.list;
        expect(session?.first).toBe(passages.length);
        passages.push(...(session?.passages.map(({ text }) => text) ?? []));
        return countWords() === 9 && session?.phase === 'ended';
      },
      { timeout: 30_000, interval: 1 },
    );
  });

  it('returns only recordings of the account, except excluded recordings', async () => {
    const [account, otherUser] = [await server.register(), await server.register()];
    const packets = encodeBursts(opus, [1]);
    const [own, other] = [
      liveClient(server, account, packets),
      liveClient(server, account, packets),
    ];
    await own.send(0, 20);
    const except = [own.clientFlag];
    const { next } = await waitForNext(account, { except });
    await own.send(20, 40, { ended: true });
    await liveClient(server, otherUser, packets).send(0, 20);
    await other.send(0, 20);
    expect(getFlags(await next)).toEqual([other.clientFlag]);
    expect(getFlags(await watch(account))).toEqual([own.clientFlag, other.clientFlag]);
    expect(getFlags(await watch(otherUser))).toHaveLength(1);
  });

  it('returns when the recording ends and when it is uploaded', async () => {
    const account = await server.register();
    const packets = encodeBursts(opus, [1, 1]);
    const client = liveClient(server, account, packets);
    await client.send(0, 50);
    const end = await waitForNext(account);
    await client.send(50, packets.length / 160, { ended: true });
    expect((await end.next).list).toMatchObject([{ phase: 'ended' }]);
    const upload = await waitForNext(account);
    await uploadRecording(server, account, muxOgg(packets), { clientFlag: client.clientFlag });
    expect((await upload.next).list).toEqual([]);
  });

  it('returns when the recording is deleted', async () => {
    const account = await server.register();
    const client = liveClient(server, account, encodeBursts(opus, [1, 1]));
    await client.send(0, 50, { ended: true });
    const { next } = await waitForNext(account);
    await server.call(
      'sync/apply',
      { ops: [operation({ type: 'recording.delete', recording: client.clientFlag })] },
      { token: account.access },
    );
    expect((await next).list).toEqual([]);
  });

  it('shows a pause, and drops a recording after ten minutes without packets', async () => {
    const account = await server.register();
    const client = liveClient(server, account, encodeBursts(opus, [1, 1]));
    await client.send(0, 50);
    const { next } = await waitForNext(account);
    server.advanceClock(11);
    expect((await next).list).toMatchObject([{ phase: 'waiting' }]);
    const resumed = await waitForNext(account);
    await client.send(50, 60);
    expect((await resumed.next).list).toMatchObject([{ phase: 'recording', received: 60 }]);
    const forgotten = await waitForNext(account);
    server.advanceClock(601);
    expect((await forgotten.next).list).toEqual([]);
  });

  it('returns the same version when the wait times out', async () => {
    const account = await server.register();
    const { version } = await watch(account);
    expect(await watch(account, { version, wait: 1 })).toEqual({ version, list: [] });
  });

  it('returns when the server shuts down', async () => {
    const closing = await startTestServer();
    const { access: token } = await closing.register();
    const { data } = await closing.call('live/watch', {}, { token });
    const address = await closing.app.listen({ port: 0 });
    const response = beforeEnd(post(address, token, { version: data.version, wait }));
    // The request has been read, so it is being processed.
    await once(closing.app.server, 'request');
    await closing.close();
    expect(await (await response).json()).toMatchObject({ code: codes.ok, data });
  });

  it('stops when the device disconnects', async () => {
    const account = await server.register();
    const { version } = await watch(account);
    const address = await server.app.listen({ port: 0 });
    const isRefused = async () => {
      const { code } = await server.call('live/watch', {}, { token: account.access });
      return code === codes.tooManyRequests;
    };
    // One more than can wait. A rejected device calls again, because the checks below also occupy a slot for a moment.
    const devices = Array.from({ length: 17 }, () => new AbortController());
    const connect = async ({ signal }: AbortController) => {
      while (!signal.aborted) {
        const response = await post(address, account.access, { version, wait }, signal);
        await response.text();
      }
    };
    const connected = Promise.allSettled(devices.map(connect));
    await vi.waitUntil(isRefused, { timeout: 60_000 });
    for (const device of devices) device.abort();
    await connected;
    await vi.waitUntil(async () => !(await isRefused()), { timeout: 5000 });
  });

  it('is possible for sixteen devices at a time', async () => {
    const account = await server.register();
    const { version } = await watch(account);
    const call = () => server.call('live/watch', { version, wait: 2 }, { token: account.access });
    const responses = await Promise.all(Array.from({ length: 17 }, call));
    expect(responses.map(({ code }) => code).filter((code) => code !== codes.ok)).toEqual([
      codes.tooManyRequests,
    ]);
  });
});

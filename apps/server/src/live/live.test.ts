import { createHash } from 'node:crypto';
import { PACKET_BYTES } from '@linnet/audio/format';
import { muxOgg } from '@linnet/audio/ogg';
import { loadOpus, type OpusModule } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { codes } from '@linnet/contract/codes';
import { taskStatus } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { encodeBursts, recognizeBursts } from '../../test/bursts.ts';
import { liveClient } from '../../test/live.ts';
import { type Account, startTestServer, type TestServer } from '../../test/server.ts';
import { operation } from '../../test/sync.ts';
import { createTranscriptionDependencies, scriptedEngines } from '../../test/transcription.ts';
import { uploadRecording } from '../../test/uploads.ts';
import { transcribeJob } from '../jobs/transcribe.ts';
import { deleteAbandonedSessions } from '../modules/live/service.ts';
import { createMinutes } from '../modules/minutes/service.ts';
import { removeScratch } from '../pipeline/scratch.ts';
import type { SpeechEngines } from '../providers/speech/index.ts';
import { SpeechFailure } from '../providers/speech/port.ts';
import { createLiveStore, HoldLost, type LiveHold } from './store.ts';
import { startLiveWorker } from './worker.ts';

let server: TestServer;
let opus: OpusModule;
beforeAll(async () => {
  server = await startTestServer();
  opus = await loadOpus(readOpusWasm());
});
afterAll(() => server.close());

const bursts = (pauses: readonly number[]) => encodeBursts(opus, pauses);

const engines = scriptedEngines(recognizeBursts);

/** Starts a worker that transcribes live sessions until the end of the test. */
function startWorker(recognizer = engines): void {
  const log = pino({ level: 'silent' });
  const store = createLiveStore(server.db);
  const stop = startLiveWorker({ store, engines: recognizer, detector: null, opus, log });
  onTestFinished(stop);
}

const waitUntil = <Value>(read: () => Promise<Value>, isMet: (value: Value) => boolean) =>
  vi.waitUntil(
    async () => {
      const value = await read();
      return isMet(value) ? { value } : null;
    },
    { timeout: 30_000, interval: 20 },
  );

async function transcribe(account: Account, clientFlag: string, packets: Uint8Array) {
  const recording = await uploadRecording(server, account, muxOgg(packets), { clientFlag });
  const { data: task } = await server.call(
    'task/create',
    { id: recording.id, language: 'en' },
    { token: account.access },
  );
  const recognized: number[] = [];
  const countingEngines = scriptedEngines(async (request) => {
    const result = await recognizeBursts(request);
    recognized.push(result.words.length);
    return result;
  });
  const deps = createTranscriptionDependencies(server, { engines: countingEngines });
  await transcribeJob(deps)({ taskId: task.id }, new AbortController().signal);
  const { data } = await server.call('task/detail', { id: task.id }, { token: account.access });
  return { task: data, recognized };
}

async function listSessions(account: Account): Promise<string[]> {
  const { data } = await server.call('live/list', {}, { token: account.access });
  return data.list.map(({ client_flag }) => client_flag);
}

async function getBalance(account: Account) {
  const { data } = await server.call('user/leftMinute', {}, { token: account.access });
  return { left: data.left_minutes, reserved: data.reserved_minutes };
}

const getStarts = (paragraphs: readonly { words?: readonly { start: number }[] | undefined }[]) =>
  paragraphs.flatMap(({ words }) => words?.map(({ start }) => Math.round(start * 10) / 10));

describe('live text', () => {
  it('appears while the recording is in progress, and becomes the transcript', async () => {
    const account = await server.register();
    const packets = bursts([1, 1, 1, 1, 1, 1, 1, 1, 0.2]);
    const total = packets.length / PACKET_BYTES;
    const client = liveClient(server, account, packets);
    startWorker();
    await client.send(0, 120);
    await waitUntil(client.poll, ({ tentative }) => tentative?.text === 'burst');
    await client.send(120, 615);
    await waitUntil(client.poll, ({ passages }) => passages.length === 1);
    await client.send(615, total, { ended: true });
    const { value } = await waitUntil(client.poll, ({ passages }) => passages.length === 2);
    expect(value.passages.map(({ text }) => text.split(' ').length)).toEqual([4, 5]);
    expect(value.tentative).toBeNull();

    const { task, recognized } = await transcribe(account, client.clientFlag, packets);
    expect(task.status).toBe(taskStatus.transcribed);
    expect(recognized).toEqual([]);
    expect(getStarts(task.paragraphs)).toEqual([0.5, 2.5, 4.5, 6.5, 8.5, 10.5, 12.5, 14.5, 16.5]);
    expect(task.minutes).toBe(1);
    expect((await getBalance(account)).reserved).toBe(0);
    const { data } = await server.call('live/list', {}, { token: account.access });
    expect(data.list).toEqual([]);
  });

  it('is completed by ordinary transcription if the connection was lost', async () => {
    const account = await server.register();
    const packets = bursts([1, 1, 1, 1, 1, 1, 1, 1, 0.2]);
    const client = liveClient(server, account, packets);
    startWorker();
    await client.send(0, 615);
    await waitUntil(client.poll, ({ passages }) => passages.length === 1);
    const { task, recognized } = await transcribe(account, client.clientFlag, packets);
    expect(recognized).toEqual([5]);
    expect(getStarts(task.paragraphs)).toEqual([0.5, 2.5, 4.5, 6.5, 8.5, 10.5, 12.5, 14.5, 16.5]);
    expect(task.minutes).toBe(1);
  });

  it('is checked again against the audio if another worker without the decoded audio retries the job', async () => {
    const account = await server.register();
    const packets = bursts([1, 1, 1, 1, 1, 1, 1, 1, 0.2]);
    const client = liveClient(server, account, packets);
    startWorker();
    await client.send(0, 615);
    await waitUntil(client.poll, ({ passages }) => passages.length === 1);
    const { id } = await uploadRecording(server, account, muxOgg(packets), {
      clientFlag: client.clientFlag,
    });
    const { data: task } = await server.call(
      'task/create',
      { id, language: 'en' },
      { token: account.access },
    );
    const run = (engines: SpeechEngines) =>
      transcribeJob(createTranscriptionDependencies(server, { engines }))(
        { taskId: task.id },
        new AbortController().signal,
      );
    const unavailable = scriptedEngines(async () => {
      throw new SpeechFailure('scratch-failed', 'scripted');
    });
    await expect(run(unavailable)).rejects.toThrow('scratch-failed');
    await removeScratch(server.config.DATA_DIR, task.id);
    // The queue retries a failed job.
    await expect(run(engines)).rejects.toThrow('decoded audio no longer exists');
    await run(engines);
    const { data } = await server.call('task/detail', { id: task.id }, { token: account.access });
    expect(getStarts(data.paragraphs)).toHaveLength(9);
  });

  it('is not used for other audio under the same ID', async () => {
    const account = await server.register();
    const client = liveClient(server, account, bursts([3]));
    startWorker();
    await client.send(0, 200, { ended: true });
    await waitUntil(client.poll, ({ passages }) => passages.length === 1);
    const { task } = await transcribe(account, client.clientFlag, bursts([0.5, 1.5, 1]));
    expect(getStarts(task.paragraphs)).toEqual([0.5, 2, 4.5]);
  });

  it('accepts each packet once, even if packets are repeated or missing', async () => {
    const account = await server.register();
    const packets = bursts([1, 1, 1, 1]);
    const client = liveClient(server, account, packets);
    expect((await client.send(0, 50)).data.received).toBe(50);
    expect((await client.send(0, 50)).data.received).toBe(50);
    expect((await client.send(80, 120)).data.received).toBe(50);
    expect((await client.send(30, 120)).data.received).toBe(120);
    const { data } = await client.send(120, 300, { ended: true });
    expect(data).toMatchObject({ received: 300, state: { status: 'listening' } });
    const rows = await server.db
      .selectFrom('live_packets')
      .innerJoin('live_sessions', 'live_sessions.id', 'session_id')
      .select('packets')
      .where('client_flag', '=', client.clientFlag)
      .orderBy('first')
      .execute();
    const stored = Buffer.concat(rows.map((row) => row.packets));
    expect(stored.equals(packets.subarray(0, 300 * PACKET_BYTES))).toBe(true);
  });

  it('starts over if the recording’s language changes', async () => {
    const account = await server.register();
    const client = liveClient(server, account, bursts([1, 1]));
    await client.send(0, 100);
    const setLanguage = () =>
      server.db
        .updateTable('live_sessions')
        .set({ language: 'fr' })
        .where('client_flag', '=', client.clientFlag)
        .execute();
    await setLanguage();
    expect((await client.send(0, 50)).data).toMatchObject({ language: 'en', received: 50 });
    // A late call with the previous language doesn't undo the change.
    await setLanguage();
    expect((await client.send(50, 100)).data).toMatchObject({ language: 'fr', received: 100 });
  });

  it('uses words that are added to the recording’s vocabulary while it is in progress', async () => {
    const account = await server.register();
    const packets = bursts([1, 1, 1, 1, 1, 1, 1, 1, 0.2]);
    const client = liveClient(server, account, packets);
    const vocabularies: string[][] = [];
    startWorker(
      scriptedEngines((request) => {
        vocabularies.push([...(request.vocabulary ?? [])]);
        return recognizeBursts(request);
      }),
    );
    await client.send(0, 615);
    await waitUntil(client.poll, ({ passages }) => passages.length === 1);
    await client.send(615, packets.length / PACKET_BYTES, { ended: true, words: ['Brambling'] });
    await waitUntil(client.poll, ({ passages }) => passages.length === 2);
    expect(vocabularies[0]).toEqual([]);
    expect(vocabularies.at(-1)).toEqual(['Brambling']);
  });

  it('is taken over by another worker when its worker dies', async () => {
    const account = await server.register();
    const packets = bursts([1, 1, 1, 1, 1, 1, 1, 1, 0.2]);
    const client = liveClient(server, account, packets);
    const deadWorkerStore = createLiveStore(server.db);
    const initialBalance = await getBalance(account);
    await client.send(0, 450);
    const { value: held } = await waitUntil(
      deadWorkerStore.claim,
      (session) => session?.client_flag === client.clientFlag,
    );
    const count = 415;
    const sha256 = createHash('sha256')
      .update(packets.subarray(0, count * PACKET_BYTES))
      .digest();
    const words = [{ text: 'before', start: 0.5, end: 1.5, confidence: 1 }];
    const result = { words, language: 'en', engine: 'scripted/one', punctuated: true } as const;
    await deadWorkerStore.settle(held as LiveHold, {
      first: 0,
      count,
      sha256,
      result,
      text: 'before',
    });
    // Other workers poll every half second, so that one takes over within ten seconds.
    const { seconds } = await server.db
      .selectFrom('live_sessions')
      .select(sql<number>`extract(epoch from held_until - now())::float`.as('seconds'))
      .where('client_flag', '=', client.clientFlag)
      .executeTakeFirstOrThrow();
    expect(seconds).toBeLessThan(9);
    startWorker();
    await client.send(450, packets.length / PACKET_BYTES, { ended: true });
    await waitUntil(client.poll, ({ passages }) => passages.length === 2);
    await expect(deadWorkerStore.renew(held as LiveHold)).rejects.toThrow(HoldLost);
    const { task, recognized } = await transcribe(account, client.clientFlag, packets);
    expect(recognized).toEqual([]);
    expect(getStarts(task.paragraphs)).toEqual([0.5, 8.5, 10.5, 12.5, 14.5, 16.5]);
    // The recording is charged once, although two workers held its session.
    const { left, reserved } = await getBalance(account);
    expect([initialBalance.left - left, reserved]).toEqual([1, 0]);
  });

  it('accepts audio at most ten minutes ahead of recognition', async () => {
    const account = await server.register();
    const client = liveClient(server, account, Buffer.alloc(33_000 * PACKET_BYTES));
    const received: number[] = [];
    for (let first = 0; first < 33_000; first += 3300) {
      received.push((await client.send(received.at(-1) ?? 0, first + 3300)).data.received);
    }
    expect(received.at(-1)).toBe(30_000);
    expect((await client.poll()).state.status).toBe('listening');
  });

  it('stops when the minutes run out, without affecting the recording', async () => {
    const account = await server.register();
    await server.db
      .updateTable('minute_grants')
      .set({ minutes: 1 })
      .where('account_id', '=', account.id)
      .execute();
    const packets = Buffer.alloc(3200 * PACKET_BYTES);
    const client = liveClient(server, account, packets);
    expect((await client.send(0, 2990)).data.state.status).toBe('listening');
    expect((await client.send(2990, 3200)).data.state).toMatchObject({
      status: 'stopped',
      error: { code: codes.notEnoughMinutes },
    });
  });

  it('reserves no minutes for packets that arrive after the recording’s task was created', async () => {
    const account = await server.register();
    const packets = bursts([1, 1]);
    const client = liveClient(server, account, packets);
    await client.send(0, 50);
    const { id } = await uploadRecording(server, account, muxOgg(packets), {
      clientFlag: client.clientFlag,
    });
    await server.call('task/create', { id, language: 'en' }, { token: account.access });
    expect((await client.send(50, 100)).data.received).toBe(100);
    expect((await getBalance(account)).reserved).toBe(1);
  });

  it('requires a membership', async () => {
    const account = await server.register();
    await server.db
      .updateTable('accounts')
      .set({ vip_plan: null, vip_started_at: null, vip_expires_at: null })
      .where('id', '=', account.id)
      .execute();
    const client = liveClient(server, account, bursts([1]));
    expect((await client.send(0, 50)).code).toBe(codes.membersOnly);
    expect(await listSessions(account)).toEqual([]);
  });

  it('requires neither a membership nor minutes with BILLING=off', async () => {
    const freeServer = await startTestServer({ BILLING: 'off', TRIAL_DAYS: '0' });
    onTestFinished(() => freeServer.close());
    const account = await freeServer.register();
    const client = liveClient(freeServer, account, bursts([1]));
    expect(await client.send(0, 50)).toMatchObject({
      code: codes.ok,
      data: { received: 50, state: { status: 'listening' } },
    });
  });

  it('accepts no packets after it has ended, and none for a deleted recording', async () => {
    const account = await server.register();
    const client = liveClient(server, account, bursts([1, 1]));
    expect((await client.send(0, 50, { ended: true })).data.received).toBe(50);
    expect((await client.send(50, 100)).data.received).toBe(50);
    await server.call(
      'sync/apply',
      { ops: [operation({ type: 'recording.delete', recording: client.clientFlag })] },
      { token: account.access },
    );
    expect((await client.send(0, 50)).code).toBe(codes.recordingDeleted);
    expect(await listSessions(account)).toEqual([]);
    expect((await getBalance(account)).reserved).toBe(0);
  });

  it('is limited to four recordings at a time', async () => {
    const account = await server.register();
    const packets = bursts([1]);
    const responseCodes = [];
    for (let count = 0; count < 5; count += 1) {
      responseCodes.push((await liveClient(server, account, packets).send(0, 10)).code);
    }
    expect(responseCodes).toEqual([0, 0, 0, 0, codes.tooManyRequests]);
  });

  it('is stored for a day, and longer while a task waits', async () => {
    const account = await server.register();
    const packets = bursts([1, 1]);
    const [abandonedClient, waitingClient] = [
      liveClient(server, account, packets),
      liveClient(server, account, packets),
    ];
    for (const client of [abandonedClient, waitingClient])
      await client.send(0, 100, { ended: true });
    const { id } = await uploadRecording(server, account, muxOgg(packets), {
      clientFlag: waitingClient.clientFlag,
    });
    await server.call('task/create', { id, language: 'en' }, { token: account.access });
    const minutes = createMinutes({ unlimited: false, now: server.now });
    const cutoff = new Date(server.now().getTime() + 1000);
    await deleteAbandonedSessions(server.db, minutes, cutoff);
    expect(await listSessions(account)).toEqual([waitingClient.clientFlag]);
    expect((await getBalance(account)).reserved).toBe(1);
  });

  it('stops if the engine keeps failing', async () => {
    const account = await server.register();
    const client = liveClient(server, account, bursts([3]));
    startWorker(
      scriptedEngines(async () => {
        throw new SpeechFailure('engine-crashed', 'scripted');
      }),
    );
    await client.send(0, 200, { ended: true });
    const { value } = await waitUntil(client.poll, ({ state }) => state.status === 'stopped');
    expect(value.state).toMatchObject({ error: { code: codes.engineFailed } });
  });
});

import { webhookMessage } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { webhookEvents } from '@linnet/contract/webhooks';
import type { KyselyPlugin } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ReceivedRequest, type Receiver, startReceiver } from '../../../test/receiver.ts';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { createPhone, operation } from '../../../test/sync.ts';
import { transcribe, transcribedRecording } from '../../../test/transcripts.ts';
import { toneWave, uploadRecording } from '../../../test/uploads.ts';
import {
  type CreatedWebhook,
  createDeliverDependencies,
  createWebhook,
  deliver,
  listDeliveries,
  wakeTime,
} from '../../../test/webhooks.ts';
import { createMinutes } from '../minutes/service.ts';
import { createOperations } from '../sync/operations.ts';
import { createSummaries } from '../task/summary.ts';
import { deliverDue } from './deliver.ts';
import { createWebhookSender } from './sender.ts';
import { createWebhooks } from './service.ts';
import { deleteOldDeliveries, wakeOverdue } from './upkeep.ts';

const second = 1;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

let server: TestServer;
let passed = 0;
beforeAll(async () => {
  server = await startTestServer({ WEBHOOKS_PRIVATE: 'on' });
});
afterAll(() => server.close());

let receiver: Receiver;
let owner: Account;
beforeEach(async () => {
  owner = await server.register();
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.close();
  server.advanceClock(-passed);
  passed = 0;
});

/** Advances the clock until the end of the test. */
function advanceClock(seconds: number): void {
  passed += seconds;
  server.advanceClock(seconds);
}

/** Advances the clock by more than the lifetime of an access token, and signs in again. */
async function advanceClockAndSignIn(seconds: number): Promise<void> {
  advanceClock(seconds);
  const { email, password } = owner;
  const { data } = await server.call('user/login', { email, password });
  owner = { ...owner, access: data.access_token };
}

const register = (events: Parameters<typeof createWebhook>[3] = webhookEvents) =>
  createWebhook(server, owner, receiver.url, events);
const upload = () => uploadRecording(server, owner, toneWave(3, 8000), { ext: 'wav' });
const parseMessage = ({ body }: ReceivedRequest) => webhookMessage.parse(JSON.parse(body));
const types = () => receiver.received.map((received) => parseMessage(received).type);
const edit = (recording: string, name: string) =>
  createPhone(server, owner).apply([operation({ type: 'recording.rename', recording, name })]);
const call = (name: 'webhook/test' | 'webhook/resend' | 'webhook/enable', id: string) =>
  server.call(name, { id }, { token: owner.access });
async function loadState(id: string) {
  const { data } = await server.call('webhook/index', {}, { token: owner.access });
  return data.list.find((webhook) => webhook.id === id);
}

/** Verifies a delivery with the specification's reference library, which rejects timestamps in the future. */
function verify(secret: string, { headers, body }: ReceivedRequest): unknown {
  return new Webhook(secret).verify(body, headers);
}

describe('a webhook', () => {
  it('sends events for a recording from its arrival to its deletion', async () => {
    const { id, secret } = await register();
    const recording = await upload();
    await deliver(server, id);
    const { taskId } = await transcribe(server, owner, recording.id, ['The heron waits.']);
    await deliver(server, id);
    await edit(recording.client_flag, 'Herons');
    advanceClock(minute);
    await deliver(server, id);
    await server.call('radio/batchDelete', { ids: [recording.id] }, { token: owner.access });
    await deliver(server, id);

    expect(types()).toEqual([
      'recording.arrived',
      'recording.transcribed',
      'recording.summarized',
      'recording.edited',
      'recording.deleted',
    ]);
    const [arrived, transcribed, , edited, deleted] = receiver.received.map(parseMessage);
    const ids = {
      radio_file_id: recording.id,
      client_flag: recording.client_flag,
      api_url: `${server.config.origin}/api`,
    };
    expect(arrived?.data).toMatchObject({
      ...ids,
      title: 'A recording',
      total_time: 3,
      task_id: null,
    });
    expect(arrived?.data).toMatchObject({
      url: `${server.config.origin}/pages/fileDetail?id=${recording.client_flag}`,
      recorded_at: recording.recorded_at,
    });
    expect(transcribed?.data).toMatchObject({ ...ids, title: 'A recording', task_id: taskId });
    expect(edited?.data).toMatchObject({ ...ids, title: 'Herons', is_del: 0 });
    expect(deleted?.data).toEqual(ids);
    for (const received of receiver.received) expect(received.body).not.toContain('waits');
    const [first] = receiver.received;
    expect(first && verify(secret, first)).toEqual(arrived);
  });

  it('receives only its events', async () => {
    const { id } = await register(['recording.deleted']);
    const { id: recording } = await upload();
    expect(await wakeTime(server, id)).toBeNull();
    await server.call('radio/batchDelete', { ids: [recording] }, { token: owner.access });
    await deliver(server, id);
    expect(types()).toEqual(['recording.deleted']);
  });

  it('receives an event for a requested summary when it is complete', async () => {
    const recording = await transcribedRecording(server, owner);
    const { id } = await register();
    const token = { token: owner.access };
    await server.call('task/summarize', { id: recording.id, structure: 'general' }, token);
    const summaries = createSummaries(server);
    const task = await summaries.begin(recording.taskId);
    if (!task) throw new Error('the summary was requested');
    await deliver(server, id);
    expect(receiver.received).toEqual([]);
    const { summary_json: document } = task;
    if (!document) throw new Error('the recording has a summary');
    const texts = {
      engine: 'builtin' as const,
      title: 'New',
      brief: '',
      summary: '',
      keywords: [],
    };
    await summaries.succeed(task, { ...texts, document });
    await deliver(server, id);
    expect(types()).toEqual(['recording.summarized']);
  });

  it('receives one event for many edits', async () => {
    const recordings = [await upload(), await upload()];
    const { id } = await register(['recording.edited', 'recording.transcribed']);
    for (let n = 0; n < 20; n += 1) {
      for (const { client_flag: flag } of recordings) await edit(flag, `Name ${n}`);
      advanceClock(second);
      await deliver(server, id);
    }
    expect(receiver.received).toEqual([]);
    advanceClock(minute);
    await deliver(server, id);
    expect(receiver.received.map((received) => parseMessage(received).data)).toEqual(
      recordings.map(({ id: radio_file_id }) =>
        expect.objectContaining({ radio_file_id, title: 'Name 19' }),
      ),
    );
    // Later edits cause another event.
    await edit(recordings[0]?.client_flag ?? '', 'Later');
    advanceClock(minute);
    await deliver(server, id);
    expect(receiver.received).toHaveLength(3);
  });

  it('receives an event every ten minutes while edits continue', async () => {
    const { client_flag: flag } = await upload();
    const { id } = await register(['recording.edited']);
    for (let n = 0; n < 40; n += 1) {
      await edit(flag, `Name ${n}`);
      await deliver(server, id);
      advanceClock(20 * second);
    }
    // Edits over 13 minutes.
    expect(receiver.received).toHaveLength(1);
  });

  it('receives no event for edits carried over to a new transcript, or for edits of a deleted recording', async () => {
    const recording = await transcribedRecording(server, owner);
    const [paragraph = ''] = recording.paragraphs;
    const change = { type: 'paragraph.edit', recording: recording.clientFlag, paragraph };
    await createPhone(server, owner).apply([operation({ ...change, content: 'A heron waits.' })]);
    const { id } = await register();
    await transcribe(server, owner, recording.id, ['The heron waits.', 'It waits.']);
    advanceClock(minute);
    await deliver(server, id);
    expect(types()).toEqual(['recording.transcribed', 'recording.summarized']);
    await edit(recording.clientFlag, 'Gone');
    await server.call('radio/batchDelete', { ids: [recording.id] }, { token: owner.access });
    advanceClock(minute);
    await deliver(server, id);
    expect(types().slice(2)).toEqual(['recording.deleted']);
  });

  it('receives no event for a rolled back transaction', async () => {
    const { id } = await register();
    const { id: recording } = await upload();
    await deliver(server, id);
    const absent = '0199aaaa-0000-7000-8000-000000000000';
    const token = { token: owner.access };
    const { code } = await server.call('radio/batchDelete', { ids: [recording, absent] }, token);
    expect(code).toBe(codes.notFound);
    expect(await wakeTime(server, id)).toBeNull();
    expect(await listDeliveries(server, owner, id)).toHaveLength(1);
  });

  it('costs accounts without webhooks one query per transaction', async () => {
    const recordings = [await upload(), await upload(), await upload()];
    const statements: string[] = [];
    const recorder: KyselyPlugin = {
      transformQuery({ node }) {
        statements.push(JSON.stringify(node));
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const { db, queue, now } = server;
    const minutes = createMinutes({ unlimited: false, now });
    const operations = createOperations({ db: db.withPlugin(recorder), queue, minutes, now });
    const ops = recordings.map(({ client_flag: recording }) =>
      operation({ type: 'recording.rename', recording, name: 'New' }),
    );
    await operations.apply(owner.id, ops as Parameters<typeof operations.apply>[1]);
    expect(statements.filter((statement) => statement.includes('webhook'))).toHaveLength(1);
  });
});

describe('a delivery', () => {
  it('is retried with the same ID until the receiver is available again', async () => {
    const { id, secret } = await register(['recording.arrived']);
    receiver.respond = () => 500;
    await upload();
    await deliver(server, id);
    const [first] = await listDeliveries(server, owner, id);
    expect(first).toMatchObject({
      type: 'recording.arrived',
      status: 'waiting',
      attempts: 1,
      response_status: 500,
      failure: 'status',
    });
    advanceClock(5 * second);
    await deliver(server, id);
    advanceClock(5 * minute - second);
    await deliver(server, id);
    expect(receiver.received).toHaveLength(2);
    receiver.respond = () => 204;
    advanceClock(second);
    await deliver(server, id);
    const ids = receiver.received.map((received) => received.id);
    expect(ids).toEqual(Array(3).fill(first?.id));
    const times = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(times[2]).toBeGreaterThan((times[0] ?? 0) + 5 * minute);
    const [, , thirdDelivery] = receiver.received;
    expect(parseMessage(thirdDelivery as ReceivedRequest).timestamp).toBe(first?.timestamp);
    expect(await listDeliveries(server, owner, id)).toEqual([
      expect.objectContaining({
        status: 'delivered',
        attempts: 3,
        response_status: 204,
        failure: null,
        next_attempt_at: null,
        duration_ms: expect.any(Number),
      }),
    ]);
    expect(await loadState(id)).toMatchObject({ failing_since: null });
    // The first attempt was made now, so the verifier accepts its timestamp.
    const [sent] = receiver.received;
    expect(() => verify(secret, sent as ReceivedRequest)).not.toThrow();
    expect(() => verify(secret, { ...(sent as ReceivedRequest), body: '{}' })).toThrow();
  });

  it('fails after ten attempts, and can be sent again', async () => {
    const { id } = await register(['recording.arrived']);
    receiver.respond = () => 404;
    await upload();
    for (let hours = 0; hours < 4 * 24; hours += 1) {
      await deliver(server, id);
      advanceClock(hour);
    }
    await advanceClockAndSignIn(0);
    expect(receiver.received).toHaveLength(10);
    const [failed] = await listDeliveries(server, owner, id);
    expect(failed).toMatchObject({ status: 'failed', attempts: 10, next_attempt_at: null });
    await call('webhook/resend', failed?.id ?? '');
    await deliver(server, id);
    advanceClock(minute);
    await deliver(server, id);
    expect(receiver.received).toHaveLength(12);
  });

  it('fails on a redirect, which is not followed', async () => {
    const { id } = await register(['recording.arrived']);
    receiver.respond = (_, response) => {
      response.writeHead(301, { location: '/other' }).end();
      return null;
    };
    await upload();
    await deliver(server, id);
    expect(await listDeliveries(server, owner, id)).toEqual([
      expect.objectContaining({ status: 'waiting', failure: 'redirect', response_status: 301 }),
    ]);
    expect(receiver.received).toHaveLength(1);
  });

  it('fails if the receiver is slow', async () => {
    const { id } = await register(['recording.arrived']);
    receiver.respond = () => null;
    await upload();
    await deliver(server, id, {
      sender: createWebhookSender({
        resolve: async () => [],
        allowsPrivate: true,
        version: '1',
        timeoutMs: 100,
      }),
    });
    expect(await listDeliveries(server, owner, id)).toEqual([
      expect.objectContaining({ status: 'waiting', failure: 'timeout', response_status: null }),
    ]);
  });

  it('fails if the sender returns no result', async () => {
    const { id } = await register(['recording.arrived']);
    await upload();
    const post = () => new Promise<never>(() => undefined);
    const sender = { open: async () => ({ post, close: () => undefined }) };
    await deliver(server, id, { sender, attemptMs: 100 });
    expect(await listDeliveries(server, owner, id)).toEqual([
      expect.objectContaining({ status: 'waiting', failure: 'timeout' }),
    ]);
  });

  it('can be resent, with the same ID and with retries', async () => {
    const { id } = await register(['recording.arrived']);
    await upload();
    await deliver(server, id);
    const [sent] = await listDeliveries(server, owner, id);
    receiver.respond = () => 500;
    const { data } = await call('webhook/resend', sent?.id ?? '');
    expect(data).toMatchObject({ id: sent?.id, status: 'waiting', attempts: 1 });
    await deliver(server, id);
    receiver.respond = () => 200;
    advanceClock(5 * second);
    await deliver(server, id);
    expect(receiver.received.map((received) => received.id)).toEqual(Array(3).fill(sent?.id));
    const [again] = await listDeliveries(server, owner, id);
    expect(again).toMatchObject({ status: 'delivered', attempts: 3, response_status: 200 });
  });

  it('is sent again by another worker if its worker was killed', async () => {
    const { id } = await register(['recording.arrived']);
    await upload();
    const wakesAt = (await wakeTime(server, id))?.toISOString() ?? '';
    // Sends the delivery, but doesn't store the result.
    const deps = await createDeliverDependencies(server);
    const sender = {
      open: async (url: string) => {
        const endpoint = await deps.sender.open(url);
        const post: typeof endpoint.post = async (...sent) => {
          await endpoint.post(...sent);
          throw new Error('killed');
        };
        return { ...endpoint, post };
      },
    };
    const neverAborted = new AbortController().signal;
    await expect(
      deliverDue({ ...deps, sender }, { webhookId: id, at: wakesAt }, neverAborted),
    ).rejects.toThrow('killed');
    expect(receiver.received).toHaveLength(1);
    // The queue runs the job again.
    await deliverDue(deps, { webhookId: id, at: wakesAt }, neverAborted);
    expect(receiver.received).toHaveLength(1);
    advanceClock(minute);
    await deliver(server, id);
    const [first, again, ...others] = receiver.received;
    expect(again?.id).toBe(first?.id);
    expect(others).toEqual([]);
  });

  it('to an unresponsive receiver occupies a single job', async () => {
    const { id } = await register(['recording.arrived']);
    await upload();
    const deps = await createDeliverDependencies(server);
    const stopping = new AbortController();
    const run = async (signal: AbortSignal) => {
      const wakesAt = (await wakeTime(server, id))?.toISOString() ?? '';
      await deliverDue(deps, { webhookId: id, at: wakesAt }, signal);
    };
    receiver.respond = () => null;
    const running = run(stopping.signal);
    await vi.waitUntil(() => receiver.received.length === 1);
    await upload();
    // Another job is only queued in case the first job dies.
    const next = await wakeTime(server, id);
    expect(next?.getTime()).toBeGreaterThan(server.now().getTime());
    await run(new AbortController().signal);
    expect(receiver.received).toHaveLength(1);
    expect(await wakeTime(server, id)).toEqual(next);
    receiver.respond = () => 204;
    stopping.abort();
    await running;
    await deliver(server, id);
    expect(new Set(receiver.received.map((received) => received.id)).size).toBe(2);
  });

  it('does not count an attempt aborted by the worker’s shutdown', async () => {
    const { id } = await register(['recording.arrived']);
    await upload();
    const stopping = new AbortController();
    receiver.respond = () => {
      stopping.abort();
      return null;
    };
    const wakesAt = (await wakeTime(server, id))?.toISOString() ?? '';
    await deliverDue(
      await createDeliverDependencies(server),
      { webhookId: id, at: wakesAt },
      stopping.signal,
    );
    receiver.respond = () => 204;
    await deliver(server, id);
    expect(receiver.received).toHaveLength(2);
    expect(await loadState(id)).toMatchObject({ failing_since: null });
  });

  it('waits longer when the receiver requests it', async () => {
    const { id } = await register(['recording.arrived']);
    receiver.respond = (_, response) => {
      response.writeHead(429, { 'retry-after': '600' }).end();
      return null;
    };
    await upload();
    await deliver(server, id);
    receiver.respond = () => 204;
    // Other deliveries wait too.
    await upload();
    advanceClock(30 * second);
    await deliver(server, id);
    expect(receiver.received).toHaveLength(1);
    advanceClock(30 * second);
    await deliver(server, id);
    expect(receiver.received).toHaveLength(2);
    advanceClock(9 * minute);
    await deliver(server, id);
    expect(receiver.received).toHaveLength(3);
  });
});

describe('a secret', () => {
  it('signs deliveries together with its successor for a day', async () => {
    const { id, secret } = await register();
    const test = async () => {
      await call('webhook/test', id);
      await deliver(server, id);
      return receiver.received.at(-1) as ReceivedRequest;
    };
    const token = { token: owner.access };
    const { data } = await server.call('webhook/rotateSecret', { id }, token);
    expect(data.secret).not.toBe(secret);
    expect(await loadState(id)).toMatchObject({ old_secret_until: expect.any(String) });
    const sent = await test();
    expect(sent.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    verify(secret, sent);
    verify(data.secret, sent);
    await advanceClockAndSignIn(day);
    const laterRequest = await test();
    expect(laterRequest.headers['webhook-signature']?.split(' ')).toHaveLength(1);
    expect(await loadState(id)).toMatchObject({ old_secret_until: null });
  });

  it('stays valid for the day even if its successor is replaced', async () => {
    const { id, secret } = await register();
    const token = { token: owner.access };
    const test = async () => {
      await call('webhook/test', id);
      await deliver(server, id);
      return receiver.received.at(-1) as ReceivedRequest;
    };
    const { data: second } = await server.call('webhook/rotateSecret', { id }, token);
    const { old_secret_until: oldSecretUntil } = (await loadState(id)) ?? {};
    const { data: thirdRotation } = await server.call('webhook/rotateSecret', { id }, token);
    const sent = await test();
    verify(secret, sent);
    verify(thirdRotation.secret, sent);
    expect(() => verify(second.secret, sent)).toThrow();
    expect(await loadState(id)).toMatchObject({ old_secret_until: oldSecretUntil });
    // After that day, the successor becomes the previous secret.
    await advanceClockAndSignIn(day);
    await server.call('webhook/rotateSecret', { id }, { token: owner.access });
    const signatures = (await test()).headers['webhook-signature'];
    expect(signatures?.split(' ')).toHaveLength(2);
    expect((await loadState(id))?.old_secret_until).not.toBe(oldSecretUntil);
  });

  it('keeps deliveries waiting until it is replaced if it was encrypted with a different SECRET', async () => {
    const { id } = await register();
    await server.db
      .updateTable('webhooks')
      .set({ secret: Buffer.alloc(64, 1) })
      .where('id', '=', id)
      .execute();
    await call('webhook/test', id);
    await deliver(server, id);
    await call('webhook/test', id);
    await deliver(server, id);
    const waiting = expect.objectContaining({ status: 'waiting', attempts: 0 });
    expect(await listDeliveries(server, owner, id)).toEqual([waiting, waiting]);
    const { data } = await server.call('webhook/rotateSecret', { id }, { token: owner.access });
    await call('webhook/test', id);
    await deliver(server, id);
    expect(receiver.received).toHaveLength(3);
    verify(data.secret, receiver.received.at(-1) as ReceivedRequest);
    expect(await loadState(id)).toMatchObject({ old_secret_until: null });
  });

  it('is stored encrypted, and has 32 bytes', async () => {
    const { id, secret } = await register();
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    expect(key).toHaveLength(32);
    const row = await server.db
      .selectFrom('webhooks')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row.secret.includes(key)).toBe(false);
    expect(JSON.stringify(await loadState(id))).not.toContain('whsec');
    expect(server.logged.join('\n')).not.toContain(secret);
  });
});

describe('a failing webhook', () => {
  it('is disabled when the receiver is gone, until it is enabled again', async () => {
    const { id } = await register(['recording.arrived']);
    receiver.respond = () => 410;
    await upload();
    await deliver(server, id);
    expect(await loadState(id)).toMatchObject({ disabled_reason: 'gone' });
    await upload();
    expect((await call('webhook/test', id)).code).toBe(codes.badRequest);
    const [failed, ...others] = await listDeliveries(server, owner, id);
    expect(failed).toMatchObject({ status: 'failed', response_status: 410 });
    expect(others).toEqual([]);
    expect((await call('webhook/resend', failed?.id ?? '')).code).toBe(codes.badRequest);

    receiver.respond = () => 204;
    const { data } = await call('webhook/enable', id);
    expect(data).toMatchObject({ disabled_at: null, disabled_reason: null, failing_since: null });
    await call('webhook/resend', failed?.id ?? '');
    await deliver(server, id);
    expect(receiver.received).toHaveLength(2);
  });

  it('is disabled after five days of failures', async () => {
    const { id } = await register(['recording.arrived']);
    receiver.respond = () => 500;
    await upload();
    await deliver(server, id);
    const { failing_since: since } = (await loadState(id)) ?? {};
    expect(since).not.toBeNull();
    await advanceClockAndSignIn(5 * day - minute);
    await deliver(server, id);
    await upload();
    await deliver(server, id);
    expect(await loadState(id)).toMatchObject({ disabled_at: null, failing_since: since });
    advanceClock(minute);
    await deliver(server, id);
    expect(await loadState(id)).toMatchObject({ disabled_reason: 'failing' });
    const deliveries = await listDeliveries(server, owner, id);
    expect(deliveries.map(({ status }) => status)).toEqual(['failed', 'failed']);
    expect(await wakeTime(server, id)).toBeNull();
  });

  it('is not disabled by a single failure long after another', async () => {
    const { id } = await register(['recording.arrived']);
    receiver.respond = () => 500;
    await upload();
    for (let hours = 0; hours < 4 * 24; hours += 1) {
      await deliver(server, id);
      advanceClock(hour);
    }
    await advanceClockAndSignIn(30 * day);
    expect(await loadState(id)).toMatchObject({ failing_since: null });
    await upload();
    await deliver(server, id);
    expect(await loadState(id)).toMatchObject({
      disabled_at: null,
      failing_since: expect.any(String),
    });
  });

  it('gets only a few deliveries at a time', async () => {
    const { id } = await register(['recording.edited']);
    const recordings = [];
    for (let n = 0; n < 25; n += 1) recordings.push(await upload());
    for (const { client_flag: flag } of recordings) await edit(flag, 'New');
    advanceClock(minute);
    receiver.respond = () => 500;
    await deliver(server, id);
    expect(receiver.received).toHaveLength(10);
    receiver.respond = () => 204;
    advanceClock(minute);
    await deliver(server, id);
    const ids = new Set(receiver.received.map((received) => received.id));
    expect(ids.size).toBe(25);
  });

  it('is disabled by a password change', async () => {
    const { id } = await register();
    const password = 'another good password';
    const change = { old_password: owner.password, password, repassword: password };
    await server.call('user/updatePassword', change, { token: owner.access });
    expect(await loadState(id)).toMatchObject({ disabled_reason: 'password' });
  });
});

describe('a private address', () => {
  const createDependencies = async (resolve: () => Promise<readonly string[]>) => {
    const { db, queue, now, secretKey } = await createDeliverDependencies(server);
    return { db, queue, now, secretKey, resolve, allowsPrivate: false };
  };
  const url = 'https://hooks.example/';

  it('is rejected when a webhook is created', async () => {
    const create = async (address: string) =>
      createWebhooks(await createDependencies(async () => [address])).create(owner.id, {
        url,
        events: ['recording.arrived'],
      });
    for (const address of ['10.0.0.1', '127.0.0.1', '::ffff:192.168.0.1', 'fd00::1']) {
      await expect(create(address)).rejects.toMatchObject({ reason: 'badRequest' });
    }
    await expect(create('192.0.32.7')).resolves.toMatchObject({ id: expect.any(String) });
  });

  it('is rejected if a host resolves to it later', async () => {
    const webhooks = createWebhooks(await createDependencies(async () => ['192.0.32.7']));
    const { id } = await webhooks.create(owner.id, {
      url: `https://hooks.example:${receiver.port}/`,
      events: ['recording.arrived'],
    });
    await upload();
    const sender = createWebhookSender({
      resolve: async () => ['127.0.0.1'],
      allowsPrivate: false,
      version: '1',
    });
    await deliver(server, id, { sender });
    expect(receiver.received).toEqual([]);
    expect(await listDeliveries(server, owner, id)).toEqual([
      expect.objectContaining({ status: 'waiting', failure: 'forbidden' }),
    ]);
  });

  it('is not assumed for a host that cannot be resolved yet', async () => {
    const fail = async () => Promise.reject(new Error('EAI_AGAIN'));
    const webhooks = createWebhooks(await createDependencies(fail));
    const created = webhooks.create(owner.id, { url, events: ['recording.arrived'] });
    await expect(created).resolves.toMatchObject({ id: expect.any(String) });
  });
});

describe('an account’s webhooks', () => {
  it('are limited to ten, and listed in pages', async () => {
    const created: CreatedWebhook[] = [];
    for (let n = 0; n < limits.webhooks.count; n += 1) created.push(await register());
    const body = { url: receiver.url, events: ['recording.arrived'] };
    const token = { token: owner.access };
    expect((await server.call('webhook/create', body, token)).code).toBe(codes.limitReached);
    // No hosts are resolved once the limit is reached.
    const { db, queue, now, secretKey } = await createDeliverDependencies(server);
    const resolve = vi.fn(async () => ['192.0.32.7']);
    const webhooks = createWebhooks({ db, queue, now, secretKey, resolve, allowsPrivate: false });
    const anotherWebhook = {
      url: 'https://hooks.example/',
      events: ['recording.arrived' as const],
    };
    await expect(webhooks.create(owner.id, anotherWebhook)).rejects.toMatchObject({
      reason: 'limitReached',
    });
    expect(resolve).not.toHaveBeenCalled();
    const { data } = await server.call('webhook/index', { limit: 4, page: 3 }, token);
    expect(data).toMatchObject({ total: 10, page: 3, limit: 4 });
    expect(data.list.map(({ id }) => id)).toEqual([created[1]?.id, created[0]?.id]);
  });

  it('are deleted with their deliveries', async () => {
    const { id } = await register();
    await upload();
    await server.call('webhook/delete', { id }, { token: owner.access });
    await deliverDue(
      await createDeliverDependencies(server),
      { webhookId: id, at: server.now().toISOString() },
      new AbortController().signal,
    );
    expect(receiver.received).toEqual([]);
    const rows = server.db.selectFrom('webhook_deliveries').selectAll();
    expect(await rows.where('webhook_id', '=', id).execute()).toEqual([]);
  });

  it('are deleted with the account', async () => {
    const { id } = await register();
    await upload();
    const body = { password: owner.password };
    const { code } = await server.call('user/deactivation', body, { token: owner.access });
    expect(code).toBe(codes.ok);
    const rows = (table: 'webhooks' | 'webhook_deliveries') =>
      server.db
        .selectFrom(table)
        .select('id')
        .where(table === 'webhooks' ? 'webhooks.id' : 'webhook_deliveries.webhook_id', '=', id)
        .execute();
    expect(await rows('webhooks')).toEqual([]);
    expect(await rows('webhook_deliveries')).toEqual([]);
    await deliver(server, id);
    expect(receiver.received).toEqual([]);
  });
});

describe('the maintenance of deliveries', () => {
  it('keeps waiting deliveries, and the latest finished deliveries for a month', async () => {
    const { id } = await register();
    const [old, other] = [await call('webhook/test', id), await call('webhook/test', id)];
    await deliver(server, id);
    await advanceClockAndSignIn(15 * day);
    const youngResponse = await call('webhook/test', id);
    await deliver(server, id);
    await advanceClockAndSignIn(15 * day);
    await call('webhook/resend', other.data.id);
    await deleteOldDeliveries(server.db, server.now());
    const ids = (await listDeliveries(server, owner, id)).map((delivery) => delivery.id);
    expect(ids).toEqual([youngResponse.data.id, other.data.id]);
    expect(ids).not.toContain(old.data.id);
  });

  it('keeps a limited number of finished deliveries per webhook', async () => {
    const [{ id }, { id: other }] = [await register(), await register()];
    await call('webhook/test', other);
    await deliver(server, other);
    const time = server.now();
    const rows = Array.from({ length: limits.webhooks.deliveries + 5 }, (_, n) => ({
      id: `0199aaaa-0000-7000-8000-${String(n).padStart(12, '0')}`,
      webhook_id: id,
      type: 'webhook.test' as const,
      status: 'delivered' as const,
      occurred_at: time,
      created_at: time,
    }));
    await server.db.insertInto('webhook_deliveries').values(rows).execute();
    expect(await deleteOldDeliveries(server.db, time)).toBe(5);
    const keptDeliveries = await listDeliveries(server, owner, id);
    expect(keptDeliveries.map((delivery) => delivery.id)).toEqual(
      rows
        .slice(5)
        .map((row) => row.id)
        .reverse(),
    );
    expect(await listDeliveries(server, owner, other)).toHaveLength(1);
  });

  it('enqueues lost jobs again', async () => {
    const { id } = await register();
    await call('webhook/test', id);
    const first = await wakeTime(server, id);
    await wakeOverdue(server.db, server.queue, server.now());
    expect(await wakeTime(server, id)).toEqual(first);
    // Simulate that the scheduled job was lost.
    advanceClock(20 * minute);
    const now = server.now();
    expect(await wakeOverdue(server.db, server.queue, now)).toBeGreaterThan(0);
    expect(await wakeTime(server, id)).toEqual(now);
    expect(await wakeOverdue(server.db, server.queue, now)).toBe(0);
    await deliver(server, id);
    expect(types()).toEqual(['webhook.test']);
  });
});

it('lists deliveries as failed if too many others are waiting', async () => {
  const { id } = await register(['recording.arrived']);
  const time = server.now();
  const { waiting } = limits.webhooks;
  const rows = Array.from({ length: waiting }, (_, n) => ({
    id: `0199bbbb-0000-7000-8000-${String(n).padStart(12, '0')}`,
    webhook_id: id,
    type: 'webhook.test' as const,
    status: 'waiting' as const,
    occurred_at: time,
    due_at: new Date(time.getTime() + 3_600_000),
    created_at: time,
  }));
  for (let start = 0; start < waiting; start += 2000) {
    const batch = rows.slice(start, start + 2000);
    await server.db.insertInto('webhook_deliveries').values(batch).execute();
  }
  await upload();
  const [latest] = await listDeliveries(server, owner, id, { limit: 1 });
  expect(latest).toMatchObject({ type: 'recording.arrived', status: 'failed', failure: 'full' });
  expect(await wakeTime(server, id)).toBeNull();
});

import type { CallBody } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { languageSetting } from '@linnet/contract/statuses';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Browser, createBrowser, verifyVapid } from '../../../test/browser-push.ts';
import { type ReceivedRequest, type Receiver, startReceiver } from '../../../test/receiver.ts';
import { type Account, startTestServer, type TestServer } from '../../../test/server.ts';
import { createPhone, operation } from '../../../test/sync.ts';
import { transcribe } from '../../../test/transcripts.ts';
import { toneWave, uploadRecording } from '../../../test/uploads.ts';
import { JobPostponed, type Jobs } from '../../jobs/jobs.ts';
import { loadKeys } from '../../secrets.ts';
import { webhookDestinations } from '../webhook/destination.ts';
import { createWebhookSender } from '../webhook/sender.ts';
import { notifyDueTodos } from './due-todos.ts';
import type { PushMessage } from './message.ts';
import { createPauses, type Pauses } from './pauses.ts';
import { type PushOutcome, type SendPushDependencies, sendPush } from './send.ts';
import { pushLookups } from './subscriptions.ts';
import { deriveVapidKeys } from './vapid.ts';

const hour = 3600;
const timeZone = 'Asia/Tokyo';
const neverAborted = new AbortController().signal;

let server: TestServer;
let passed = 0;
beforeAll(async () => {
  server = await startTestServer({ WEBHOOKS_PRIVATE: 'on' });
});
afterAll(() => server.close());

let service: Receiver;
let owner: Account;
let browser: Browser;
let outcomes: PushOutcome[];
let pauses: Pauses;
beforeEach(async () => {
  owner = await server.register();
  service = await startReceiver();
  service.respond = () => 201;
  browser = createBrowser();
  outcomes = [];
  pauses = createPauses(server.now);
});
afterEach(async () => {
  await service.close();
  await server.db.deleteFrom('push_subscriptions').execute();
  server.advanceClock(-passed);
  passed = 0;
});

function advanceClock(seconds: number): void {
  passed += seconds;
  server.advanceClock(seconds);
}

const token = () => ({ token: owner.access });
const subscribe = (replaced: Partial<CallBody<'push/subscribe'>> = {}) =>
  server.call(
    'push/subscribe',
    {
      ...{ endpoint: service.url, keys: browser.keys, events: ['transcript', 'todos'] },
      ...{ shows_titles: true, time_zone: timeZone, ...replaced },
    },
    token(),
  );
const get = async () => (await server.call('push/get', {}, token())).data;
const upload = () => uploadRecording(server, owner, toneWave(3, 8000), { ext: 'wav' });

/** Returns the queued notifications of the user's session. */
async function listQueued(): Promise<Jobs['send-push'][]> {
  const sessions = await server.db
    .selectFrom('sessions')
    .select('id')
    .where('account_id', '=', owner.id)
    .execute();
  const ids = sessions.map(({ id }) => id);
  const jobs = await server.queue.list(['waiting']);
  return jobs
    .filter(({ name }) => name === 'send-push')
    .map(({ payload }) => payload as Jobs['send-push'])
    .filter(({ sessionId }) => ids.includes(sessionId));
}

async function createDependencies(
  replaced: Partial<SendPushDependencies> = {},
): Promise<SendPushDependencies> {
  const { db, now, config } = server;
  return {
    ...{ db, now, origin: config.origin, contact: 'mailto:admin@example.com' },
    sender: createWebhookSender({
      ...webhookDestinations(config),
      version: config.version,
      timeoutMs: 2000,
    }),
    pauses,
    vapid: deriveVapidKeys((await loadKeys(config)).vapid),
    log: pino({ level: 'silent' }),
    onAttempt: (outcome) => outcomes.push(outcome),
    ...replaced,
  };
}

/** Sends the queued notifications, as a worker does. */
async function send(): Promise<void> {
  const jobs = await listQueued();
  if (jobs.length === 0) throw new Error('no notification is queued');
  for (const job of jobs) await sendPush(await createDependencies(), job, neverAborted);
}

const read = ({ bytes }: ReceivedRequest) =>
  (JSON.parse(browser.decrypt(bytes)) as PushMessage).notification;
function getOnlyMessage(): ReceivedRequest {
  const [first, ...others] = service.received;
  expect(others).toEqual([]);
  if (!first) throw new Error('nothing was sent');
  return first;
}

/** Uploads a recording with to-dos due on a day. */
async function recordTodos(due: string, texts: readonly string[]) {
  const recording = await upload();
  const { paragraphs } = await transcribe(server, owner, recording.id, ['Buy seeds.']);
  const todos = texts.map((text, index) => ({
    ...{ id: `todo-${index}`, text, paragraph_id: paragraphs[0] ?? '', start_time: 0 },
    ...{ who: null, when: 'today', due },
  }));
  await transcribe(server, owner, recording.id, ['Buy seeds.'], [], todos);
  return recording;
}

/** Advances the clock to an hour of the next day in the user's time zone. Returns the day. */
function moveTo(localHour: number): string {
  const local = new Date(server.now().getTime() + 9 * hour * 1000);
  const target = new Date(local);
  target.setUTCDate(target.getUTCDate() + 1);
  target.setUTCHours(localHour, 0, 1, 0);
  advanceClock((target.getTime() - local.getTime()) / 1000);
  return target.toISOString().slice(0, 10);
}
const notifyTodos = () =>
  notifyDueTodos(
    { ...server, origin: server.config.origin, log: pino({ level: 'silent' }) },
    pushLookups,
    neverAborted,
  );

describe('a subscription', () => {
  it('is read, replaced and deleted', async () => {
    expect(await get()).toMatchObject({ subscription: null });
    expect((await subscribe()).code).toBe(codes.ok);
    expect((await subscribe({ events: ['todos'], shows_titles: false })).code).toBe(codes.ok);
    expect((await get()).subscription).toMatchObject({
      ...{ endpoint: service.url, events: ['todos'], shows_titles: false, time_zone: timeZone },
    });
    await server.call('push/unsubscribe', {}, token());
    expect((await get()).subscription).toBeNull();
  });

  it('ends with its session', async () => {
    await subscribe();
    await server.call('push/test', {}, token());
    await server.call('user/logout', { refresh_token: owner.refresh }, token());
    await send();
    expect(service.received).toEqual([]);
  });

  it('moves to the account that signs in to the browser', async () => {
    await subscribe();
    const previousOwner = owner;
    owner = await server.register();
    await subscribe();
    expect((await get()).subscription).not.toBeNull();
    owner = previousOwner;
    expect((await get()).subscription).toBeNull();
  });

  it('is deleted with the account', async () => {
    await subscribe();
    await server.db.deleteFrom('accounts').where('id', '=', owner.id).execute();
    const rows = await server.db
      .selectFrom('push_subscriptions')
      .selectAll()
      .where('account_id', '=', owner.id)
      .execute();
    expect(rows).toEqual([]);
  });

  it('is rejected above the limit', async () => {
    for (let index = 0; index < limits.push.count; index += 1) {
      const id = crypto.randomUUID();
      await server.db.insertInto('sessions').values({ id, account_id: owner.id }).execute();
      await server.db
        .insertInto('push_subscriptions')
        .values({
          ...{ session_id: id, account_id: owner.id, events: '[]', shows_titles: false },
          ...{ endpoint: `https://example.com/${id}`, p256dh: '', auth: '' },
          ...{ time_zone: timeZone, created_at: server.now() },
        })
        .execute();
    }
    expect((await subscribe()).code).toBe(codes.limitReached);
  });
});

describe('a notification', () => {
  it('of a transcript is encrypted for the browser and signed by the server', async () => {
    await subscribe();
    const recording = await upload();
    await transcribe(server, owner, recording.id, ['The heron waits.']);
    await createPhone(server, owner).apply([
      operation({ type: 'recording.rename', recording: recording.client_flag, name: 'Herons' }),
    ]);
    await send();
    const received = getOnlyMessage();
    const notification = read(received);
    expect(notification).toMatchObject({
      ...{ title: 'Transcript ready', body: 'Herons', lang: 'en', dir: 'ltr' },
      navigate: `${server.config.origin}/pages/fileDetail?id=${recording.client_flag}`,
      data: { kind: 'transcript', recording: recording.client_flag },
    });
    const { public_key: key } = await get();
    const claims = verifyVapid(received, key);
    expect(claims).toMatchObject({
      aud: new URL(service.url).origin,
      sub: 'mailto:admin@example.com',
    });
    expect(received.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      ttl: String(24 * hour),
      urgency: 'normal',
      topic: notification.tag,
    });
    expect(received.bytes.length).toBeLessThanOrEqual(4096);
    expect(() => createBrowser().decrypt(received.bytes)).toThrow();
    expect(server.logged.join()).not.toContain(service.url);
  });

  it('is in the user’s language, and hides titles if requested', async () => {
    await subscribe({ shows_titles: false });
    const { group: group_name, key: config_key } = languageSetting;
    const setting = { group_name, config_key, config_value: 'ar' };
    await server.call('user/updateConfig', setting, token());
    await transcribe(server, owner, (await upload()).id, ['The heron waits.']);
    await send();
    const { title, body, lang, dir } = read(getOnlyMessage());
    expect({ title, body, lang, dir }).toEqual({
      ...{ title: 'النص جاهز', body: undefined, lang: 'ar', dir: 'rtl' },
    });
  });

  it('is not sent if the event is turned off or the recording was deleted', async () => {
    await subscribe({ events: ['todos'] });
    await transcribe(server, owner, (await upload()).id, ['The heron waits.']);
    expect(await listQueued()).toEqual([]);
    await subscribe({ events: ['transcript'] });
    const { id } = await upload();
    await transcribe(server, owner, id, ['The heron waits.']);
    await server.call('radio/batchDelete', { ids: [id] }, token());
    await send();
    expect(service.received).toEqual([]);
  });

  it('is replaced only by a later notification of the same recording', async () => {
    await subscribe();
    const { id } = await upload();
    await transcribe(server, owner, id, ['The heron waits.']);
    await transcribe(server, owner, id, ['The heron waited.']);
    await transcribe(server, owner, (await upload()).id, ['The wren sings.']);
    await send();
    const topics = service.received.map(({ headers }) => headers.topic);
    expect(topics).toHaveLength(3);
    expect(new Set(topics).size).toBe(2);
    for (const topic of topics) expect(topic).toMatch(/^[\w-]{32}$/);
  });

  it.each([404, 410])('ends the subscription if the response is %d', async (status) => {
    service.respond = () => status;
    await subscribe();
    await server.call('push/test', {}, token());
    await send();
    expect(outcomes).toEqual(['gone']);
    expect((await get()).subscription).toBeNull();
  });

  it.each([429, 500, 503])('is retried if the response is %d, until it expires', async (status) => {
    service.respond = () => status;
    await subscribe();
    await server.call('push/test', {}, token());
    await expect(send()).rejects.toBeInstanceOf(JobPostponed);
    expect(outcomes).toEqual(['retried']);
    expect((await get()).subscription).not.toBeNull();
    advanceClock(2 * hour);
    await send();
    expect(service.received).toHaveLength(1);
  });

  it('does not wait again for a service that has just timed out', async () => {
    service.respond = () => null;
    await subscribe();
    await server.call('push/test', {}, token());
    await expect(send()).rejects.toBeInstanceOf(JobPostponed);
    await expect(send()).rejects.toBeInstanceOf(JobPostponed);
    expect(outcomes).toEqual(['retried']);
    service.respond = () => 201;
    advanceClock(60);
    await send();
    expect(outcomes).toEqual(['retried', 'delivered']);
  });

  it('of a transcript is not retried after two hours', async () => {
    service.respond = () => 503;
    await subscribe();
    await transcribe(server, owner, (await upload()).id, ['The heron waits.']);
    advanceClock(2 * hour - 60);
    await expect(send()).rejects.toBeInstanceOf(JobPostponed);
    advanceClock(120);
    await send();
    expect(outcomes).toEqual(['retried', 'retried']);
  });

  it('is attempted only once if the subscription has failed for a day', async () => {
    service.respond = () => 503;
    await subscribe();
    await server.call('push/test', {}, token());
    await expect(send()).rejects.toBeInstanceOf(JobPostponed);
    advanceClock(25 * hour);
    await signInAgain();
    await transcribe(server, owner, (await upload()).id, ['The heron waits.']);
    await send();
    service.respond = () => 201;
    await send();
    service.respond = () => 503;
    await expect(send()).rejects.toBeInstanceOf(JobPostponed);
    expect(outcomes).toEqual(['retried', 'retried', 'delivered', 'retried']);
  });

  it.each([302, 400, 403, 413])('is not retried if the response is %d', async (status) => {
    service.respond = () => status;
    await subscribe();
    await server.call('push/test', {}, token());
    await send();
    expect(outcomes).toEqual(['refused']);
    expect((await get()).subscription).not.toBeNull();
  });

  it('is not sent to a private network once the operator has forbidden that', async () => {
    await subscribe();
    await server.call('push/test', {}, token());
    const [job] = await listQueued();
    if (!job) throw new Error('no notification is queued');
    const sender = createWebhookSender({
      resolve: async () => ['127.0.0.1'],
      allowsPrivate: false,
      version: '1',
    });
    await sendPush(await createDependencies({ sender }), job, neverAborted);
    expect(outcomes).toEqual(['refused']);
    expect(service.received).toEqual([]);
  });
});

describe('to-dos due today', () => {
  it('cause one notification, from 8 o’clock in the user’s time zone', async () => {
    await subscribe({ events: ['todos'] });
    const day = moveTo(7);
    await signInAgain();
    await subscribe({ events: ['todos'] });
    const { client_flag: flag } = await recordTodos(day, ['Water the beans', 'Weed the beds']);
    await recordTodos('2020-01-01', ['Long past']);
    expect(await notifyTodos()).toBe(0);
    advanceClock(hour);
    expect(await notifyTodos()).toBe(1);
    expect(await notifyTodos()).toBe(0);
    await send();
    const received = getOnlyMessage();
    expect(read(received)).toMatchObject({
      title: '2 to-dos due today',
      body: 'Water the beans\nWeed the beds',
      data: { kind: 'todos', recording: flag },
    });
    // The notification expires at midnight.
    expect(Number(received.headers.ttl)).toBeLessThanOrEqual(16 * hour);
    expect(Number(received.headers.ttl)).toBeGreaterThan(15 * hour);
  });

  it('cause no notification if all are done, or during the night after the server was down', async () => {
    await subscribe({ events: ['todos'] });
    const day = moveTo(9);
    await signInAgain();
    await subscribe({ events: ['todos'] });
    const { client_flag: recording } = await recordTodos(day, ['Water the beans']);
    await createPhone(server, owner).apply([
      operation({ type: 'recording.tick', recording, item: 'todo-0', done: true }),
    ]);
    await server.db.updateTable('push_subscriptions').set({ todos_at: server.now() }).execute();
    expect(await notifyTodos()).toBe(0);
    const next = moveTo(3);
    await signInAgain();
    await recordTodos(next, ['Weed the beds']);
    expect(await notifyTodos()).toBe(0);
    advanceClock(5 * hour);
    await signInAgain();
    // The session of the subscription is still active.
    expect(await notifyTodos()).toBe(1);
  });
});

describe('the to-dos of a traveling user', () => {
  /** Subscribes in Tokyo, and advances the clock to an hour there. */
  async function startInTokyo(localHour: number): Promise<string> {
    await subscribe({ events: ['todos'] });
    const day = moveTo(localHour);
    await signInAgain();
    await subscribe({ events: ['todos'] });
    await recordTodos(day, ['Water the beans']);
    return day;
  }
  /** The app registers the new time zone when it is opened. */
  const travelTo = (zone: string) => subscribe({ events: ['todos'], time_zone: zone });

  it('cause an immediate notification if the morning was skipped', async () => {
    await startInTokyo(6);
    // It is 9 o’clock in Auckland in winter, and 10 o’clock in summer.
    await travelTo('Pacific/Auckland');
    expect(await notifyTodos()).toBe(1);
    expect(await notifyTodos()).toBe(0);
  });

  it('cause no second notification if the morning is repeated', async () => {
    await startInTokyo(9);
    await server.db.updateTable('push_subscriptions').set({ todos_at: server.now() }).execute();
    expect(await notifyTodos()).toBe(1);
    // It is 8 o’clock in Shanghai, on the same day.
    await travelTo('Asia/Shanghai');
    expect(await notifyTodos()).toBe(0);
    await server.db.updateTable('push_subscriptions').set({ todos_at: server.now() }).execute();
    expect(await notifyTodos()).toBe(0);
  });
});

it('a failed lookup for one subscription doesn’t delay the others', async () => {
  await subscribe({ events: ['todos'] });
  const day = moveTo(9);
  await signInAgain();
  const id = crypto.randomUUID();
  await server.db.insertInto('sessions').values({ id, account_id: owner.id }).execute();
  await server.db
    .insertInto('push_subscriptions')
    .values({
      ...{ session_id: id, account_id: owner.id, events: '["todos"]', shows_titles: false },
      ...{ endpoint: 'https://example.com/a', p256dh: '', auth: '', created_at: server.now() },
      ...{ time_zone: 'Atlantis/Capital', todos_at: new Date(0) },
    })
    .execute();
  await recordTodos(day, ['Water the beans']);
  expect(await notifyTodos()).toBe(1);
  const row = await server.db
    .selectFrom('push_subscriptions')
    .select('todos_at')
    .where('session_id', '=', id)
    .executeTakeFirstOrThrow();
  const inSeconds = (Number(row.todos_at) - server.now().getTime()) / 1000;
  expect(inSeconds).toBeGreaterThan(hour / 2);
  expect(inSeconds).toBeLessThanOrEqual(hour);
});

/** Signs in again, because advancing the clock expires the access token. */
async function signInAgain(): Promise<void> {
  const { email, password } = owner;
  const { data } = await server.call('user/login', { email, password });
  owner = { ...owner, access: data.access_token, refresh: data.refresh_token };
}

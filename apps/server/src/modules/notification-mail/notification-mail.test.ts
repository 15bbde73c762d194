import { codes } from '@linnet/contract/codes';
import { interfaceLanguages } from '@linnet/contract/interface-languages';
import type { NotificationEvent } from '@linnet/contract/notifications';
import { languageSetting } from '@linnet/contract/statuses';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { englishWords } from '../../../test/english-words.ts';
import { type MailServer, startMailServer } from '../../../test/mail-server.ts';
import { type Account, startTestServer, type TestServer } from '../../../test/server.ts';
import { createPhone, operation } from '../../../test/sync.ts';
import { transcribe } from '../../../test/transcripts.ts';
import { toneWave, uploadRecording } from '../../../test/uploads.ts';
import { startWorker, stopWorker } from '../../../test/worker.ts';
import { JobPostponed, type Jobs } from '../../jobs/jobs.ts';
import { decodeMail } from '../../providers/mail/message.ts';
import type { Mailer } from '../../providers/mail/port.ts';
import { createSmtpMailer } from '../../providers/mail/smtp.ts';
import { loadKeys } from '../../secrets.ts';
import { notifyDueTodos } from '../push/due-todos.ts';
import { mailLookups } from './lookups.ts';
import { type SendMailDependencies, sendNotificationMail } from './send.ts';
import { createUnsubscribeAddresses } from './unsubscribe-address.ts';

const minute = 60;
const hour = 3600;
const timeZone = 'Asia/Tokyo';
const log = pino({ level: 'silent' });
const neverAborted = new AbortController().signal;

let mailServer: MailServer;
let mailer: Mailer;
let server: TestServer;
let withoutMail: TestServer;
let owner: Account;
let passed = 0;
beforeAll(async () => {
  mailServer = await startMailServer();
  mailer = createSmtpMailer(mailServer.url, 'Linnet <l@example.com>');
  withoutMail = await startTestServer();
  // Registering reads the code from the outbox, which a server with SMTP doesn't have.
  const { databaseUrl: DATABASE_URL, config } = withoutMail;
  server = await startTestServer({
    ...{ DATABASE_URL, DATA_DIR: config.DATA_DIR, SMTP_URL: mailServer.url },
  });
});
afterAll(async () => {
  mailer.close();
  await server.close();
  await withoutMail.close();
  await mailServer.close();
});
beforeEach(async () => {
  owner = await withoutMail.register();
  mailServer.received.length = 0;
  mailServer.rejectionCode = null;
});
afterEach(async () => {
  await server.db.deleteFrom('notification_mails').execute();
  server.advanceClock(-passed);
  passed = 0;
});

function advanceClock(seconds: number): void {
  passed += seconds;
  server.advanceClock(seconds);
}

const token = () => ({ token: owner.access });
const choose = (...events: NotificationEvent[]) =>
  server.call('mail/set', { events, time_zone: timeZone }, token());
const upload = () => uploadRecording(server, owner, toneWave(3, 8000), { ext: 'wav' });
/** Uploads recordings whose transcripts then become ready. */
async function record(count: number) {
  const recordings = [];
  for (let n = 0; n < count; n += 1) {
    const recording = await upload();
    await transcribe(server, owner, recording.id, ['The heron waits.']);
    recordings.push(recording);
  }
  return recordings;
}

/** Returns the user's queued emails, oldest first. */
async function listQueued(): Promise<Jobs['send-mail'][]> {
  const jobs = await server.queue.list(['waiting']);
  return jobs
    .filter(({ name }) => name === 'send-mail')
    .map(({ payload }) => payload as Jobs['send-mail'])
    .filter(({ accountId }) => accountId === owner.id)
    .toSorted((a, b) => a.at.localeCompare(b.at));
}

async function createDependencies(
  replaced: Partial<SendMailDependencies> = {},
): Promise<SendMailDependencies> {
  const { db, queue, now, config } = server;
  return {
    ...{ db, queue, now, log, mailer, origin: config.origin },
    addresses: createUnsubscribeAddresses((await loadKeys(config)).unsubscribeAddress),
    ...replaced,
  };
}

/** Runs the latest queued job, as a worker does when it is due. */
async function send(replaced?: Partial<SendMailDependencies>): Promise<void> {
  const job = (await listQueued()).at(-1);
  if (!job) throw new Error('no mail is queued');
  const wait = (new Date(job.at).getTime() - server.now().getTime()) / 1000;
  if (wait > 0) advanceClock(wait);
  await sendNotificationMail(await createDependencies(replaced), job);
  // The access token may have expired.
  await signInAgain();
}

const read = async (index = 0) => {
  const rawMail = mailServer.received[index]?.text ?? '';
  const unfolded = rawMail.replaceAll(/\r\n[ \t]+/g, ' ');
  const getHeader = (name: string) =>
    new RegExp(`^${name}: (.*)$`, 'im').exec(unfolded)?.[1]?.trim();
  const { text, ...mail } = await decodeMail(rawMail);
  return { ...mail, text: text.replaceAll('\r\n', '\n'), raw: rawMail, getHeader };
};
const createUrl = ({ client_flag: id }: { readonly client_flag: string }) =>
  `${server.config.origin}/pages/fileDetail?id=${id}`;
/** Returns the path of the unsubscribe URL. */
const unsubscribePath = async () =>
  new URL(/<(.*)>/.exec((await read()).getHeader('List-Unsubscribe') ?? '')?.[1] ?? '').pathname;

describe('the notification settings', () => {
  it('are off by default, and replaced as a whole', async () => {
    const { data } = await server.call('mail/get', {}, token());
    expect(data).toEqual({ available: true, email: owner.email, events: [] });
    expect((await choose('transcript', 'todos')).data.events).toEqual(['transcript', 'todos']);
    expect((await choose('todos')).data.events).toEqual(['todos']);
    expect((await server.call('mail/get', {}, token())).data.events).toEqual(['todos']);
    expect((await choose()).data.events).toEqual([]);
    expect((await server.call('mail/get', {}, token())).data.events).toEqual([]);
  });

  it('can only be off on a server that can’t send email', async () => {
    await choose('transcript');
    const body = { events: ['transcript'], time_zone: timeZone };
    expect((await withoutMail.call('mail/set', body, token())).code).toBe(codes.badRequest);
    const { data } = await withoutMail.call('mail/get', {}, token());
    expect(data).toMatchObject({ available: false, events: [] });
    await record(1);
    await send({ mailer: null });
    expect(mailServer.received).toEqual([]);
  });

  it('are deleted when the account is closed', async () => {
    await choose('transcript');
    await record(1);
    await server.call('user/deactivation', { password: owner.password }, token());
    const rows = await server.db.selectFrom('notification_mails').selectAll().execute();
    expect(rows).toEqual([]);
    const [job] = await listQueued();
    if (!job) throw new Error('no mail is queued');
    await sendNotificationMail(await createDependencies(), job);
    expect(mailServer.received).toEqual([]);
  });
});

describe('an email about transcripts', () => {
  it('is not sent unless turned on', async () => {
    await choose('todos');
    await record(1);
    expect(await listQueued()).toEqual([]);
  });

  it('identifies recordings by time, with a link and without any text', async () => {
    await choose('transcript');
    const [recording] = await record(1);
    if (!recording) throw new Error('nothing was recorded');
    await createPhone(server, owner).apply([
      operation({
        type: 'recording.rename',
        recording: recording.client_flag,
        name: 'Secret plan',
      }),
    ]);
    await send();
    expect(mailServer.received.map(({ to }) => to)).toEqual([[owner.email]]);
    const { subject, text, raw, getHeader } = await read();
    expect(subject).toBe('1 transcript is ready');
    expect(text).toContain(createUrl(recording));
    expect(text).toContain('You get this email because you turned it on in Linnet.');
    expect(raw).not.toMatch(/Secret|heron/);
    expect(raw).toContain('Content-Type: text/html');
    expect(raw).toMatch(/^[\x20-\x7e\r\n]+$/);
    expect(getHeader('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    expect(getHeader('Auto-Submitted')).toBe('auto-generated');
    expect(server.logged.join()).not.toContain(owner.email);
  });

  it('covers all transcripts of five minutes, and is sent at least an hour after the previous email', async () => {
    await choose('transcript');
    const first = server.now().getTime();
    const recordings = await record(3);
    const jobs = await listQueued();
    expect(jobs).toHaveLength(1);
    const waitMs = new Date(jobs[0]?.at ?? 0).getTime() - first;
    expect(waitMs).toBeGreaterThanOrEqual(5 * minute * 1000);
    await send();
    const { subject, text } = await read();
    expect(subject).toBe('3 transcripts are ready');
    for (const recording of recordings) expect(text).toContain(createUrl(recording));

    const { digest_sent_at: sentAt } = await server.db
      .selectFrom('notification_mails')
      .select('digest_sent_at')
      .where('account_id', '=', owner.id)
      .executeTakeFirstOrThrow();
    const [another] = await record(2);
    const [, next, ...others] = await listQueued();
    expect(others).toEqual([]);
    expect(new Date(next?.at ?? 0).getTime()).toBe(Number(sentAt) + hour * 1000);
    await send();
    expect(mailServer.received).toHaveLength(2);
    const secondMail = await read(1);
    expect(secondMail.subject).toBe('2 transcripts are ready');
    expect(another && secondMail.text).toContain(another && createUrl(another));
    expect(recordings[0] && secondMail.text).not.toContain(
      recordings[0] && createUrl(recordings[0]),
    );
  });

  it('lists twenty recordings of a large import', async () => {
    await choose('transcript');
    const [recording] = await record(1);
    const row = await server.db
      .selectFrom('recordings')
      .selectAll()
      .where('id', '=', recording?.id ?? '')
      .executeTakeFirstOrThrow();
    for (let n = 0; n < 24; n += 1) {
      const id = crypto.randomUUID();
      const { account_id, recorded_at, rev } = row;
      await server.db
        .insertInto('recordings')
        .values({ id, account_id, recorded_at, rev, client_flag: id })
        .execute();
      await server.db
        .insertInto('waiting_transcripts')
        .values({ recording_id: id, account_id, entry: crypto.randomUUID() })
        .execute();
    }
    await send();
    const { subject, text } = await read();
    expect(subject).toBe('25 transcripts are ready');
    expect(text.match(/fileDetail/g)).toHaveLength(20);
    expect(text).toContain(`5 more recordings\n${server.config.origin}/`);
  });

  it('omits deleted and archived recordings, and is not sent if none are left', async () => {
    await choose('transcript');
    const [deleted, archived, kept] = await record(3);
    await server.call('radio/delete', { id: deleted?.id }, token());
    await createPhone(server, owner).apply([
      operation({ type: 'recording.archive', recording: archived?.client_flag ?? '', on: true }),
    ]);
    await send();
    const { subject, text } = await read();
    expect(subject).toBe('1 transcript is ready');
    expect(text).toContain(kept && createUrl(kept));

    const [other] = await record(1);
    await server.call('radio/batchDelete', { ids: [other?.id] }, token());
    await send();
    expect(mailServer.received).toHaveLength(1);
    // Later transcripts don't wait for the email that wasn't sent.
    await record(1);
    await send();
    expect(mailServer.received).toHaveLength(2);
  });

  it('is retried while the mail server is unavailable, and sent only once', async () => {
    await choose('transcript');
    mailServer.rejectionCode = 451;
    await record(1);
    await expect(send()).rejects.toBeInstanceOf(JobPostponed);
    // A transcript completed before the retry is in the same email.
    await record(1);
    expect(await listQueued()).toHaveLength(1);
    await expect(send()).rejects.toBeInstanceOf(JobPostponed);
    mailServer.rejectionCode = null;
    await send();
    await send();
    expect(mailServer.received).toHaveLength(1);
    expect((await read()).subject).toBe('2 transcripts are ready');
  });

  it('has the same ID if a worker is killed before it records the success', async () => {
    await choose('transcript');
    await record(1);
    const killed = new Error('killed');
    const interrupted: SendMailDependencies['mailer'] = {
      async send(mail) {
        await mailer.send(mail);
        throw killed;
      },
    };
    await expect(send({ mailer: interrupted })).rejects.toBe(killed);
    await send();
    const ids = [(await read(0)).getHeader('Message-ID'), (await read(1)).getHeader('Message-ID')];
    expect(ids[0]).toMatch(/^<[0-9a-f]{32}@\S+>$/);
    expect(ids[1]).toBe(ids[0]);
  });

  it('leaves a transcript that becomes ready during sending to the next email', async () => {
    await choose('transcript');
    await record(1);
    await send({
      mailer: {
        async send(mail) {
          await record(1);
          await mailer.send(mail);
        },
      },
    });
    expect((await read()).subject).toBe('1 transcript is ready');
    expect(await listQueued()).toHaveLength(2);
    await send();
    expect((await read(1)).subject).toBe('1 transcript is ready');
  });

  it.each([
    ['is given up if the address is rejected', 550, 0],
    ['is given up after a day', 451, 24 * hour],
  ])('%s, and later emails are sent', async (_name, rejectionCode, seconds) => {
    await choose('transcript');
    await record(1);
    mailServer.rejectionCode = rejectionCode;
    const [job] = await listQueued();
    if (seconds > 0) await expect(send()).rejects.toBeInstanceOf(JobPostponed);
    advanceClock(seconds);
    if (job) await sendNotificationMail(await createDependencies(), job);
    mailServer.rejectionCode = null;
    await signInAgain();
    await record(1);
    await send();
    expect(mailServer.received).toHaveLength(1);
    expect((await read()).subject).toBe('1 transcript is ready');
  });

  it('is not sent after it was turned off, even if it was turned on again', async () => {
    await choose('transcript');
    await record(1);
    const [previous] = await listQueued();
    await choose('todos');
    await choose('transcript');
    await record(1);
    advanceClock(hour);
    if (previous) await sendNotificationMail(await createDependencies(), previous);
    expect(mailServer.received).toEqual([]);
    await send();
    expect((await read()).subject).toBe('1 transcript is ready');
  });

  it('is sent once when it was turned off and on again', async () => {
    await choose('transcript');
    await record(1);
    await send();
    // The next email follows an hour after the last one, even if it is requested twice.
    await record(1);
    await choose('todos');
    await choose('transcript');
    await record(1);
    expect(await listQueued()).toHaveLength(2);
    await send();
    expect((await read(1)).subject).toBe('1 transcript is ready');
  });

  it('is sent by a worker that logs no address', async () => {
    const accountId = owner.id;
    /** Requests an email that is due immediately. */
    async function requestNow(): Promise<void> {
      await record(1);
      const at = server.now();
      await server.db
        .updateTable('notification_mails')
        .set({ digest_at: at })
        .where('account_id', '=', accountId)
        .execute();
      await server.db.transaction().execute((trx) =>
        server.queue.enqueue(trx, 'send-mail', {
          ...{ kind: 'transcript', accountId, at: at.toISOString() },
        }),
      );
    }
    await choose('transcript');
    mailServer.rejectionCode = 550;
    await requestNow();
    const logged: string[] = [];
    const worker = await startWorker(server, { SMTP_URL: mailServer.url }, logged);
    try {
      await vi.waitFor(() => expect(logged.join('\n')).toContain('notification mail rejected'), {
        timeout: 30_000,
      });
      mailServer.rejectionCode = null;
      await requestNow();
      await vi.waitFor(() => expect(mailServer.received).toHaveLength(1), { timeout: 30_000 });
    } finally {
      await stopWorker(worker);
    }
    expect(logged.join('\n')).not.toContain(owner.email);
  }, 60_000);
});

it.each(interfaceLanguages.map(({ language }) => language))(
  'an email is entirely in %s',
  async (language) => {
    await choose('transcript');
    const { group: group_name, key: config_key } = languageSetting;
    const setting = { group_name, config_key, config_value: language };
    await server.call('user/updateConfig', setting, token());
    await record(2);
    await send();
    const { subject, text, language: header } = await read();
    expect(header).toBe(language);
    const mail = `${subject}\n${text.replaceAll(/https?:\S+/g, '')}`;
    expect(mail).not.toMatch(/[{}\ufffd]/);
    if (language !== 'en') expect(mail).not.toMatch(englishWords);
  },
);

describe('an email about to-dos due today', () => {
  /** Advances the clock to an hour of the next day in the user's time zone. Returns the day. */
  function moveTo(localHour: number): string {
    const local = new Date(server.now().getTime() + 9 * hour * 1000);
    const target = new Date(local);
    target.setUTCDate(target.getUTCDate() + 1);
    target.setUTCHours(localHour, 0, 1, 0);
    advanceClock((target.getTime() - local.getTime()) / 1000);
    return target.toISOString().slice(0, 10);
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
  const lookUp = () =>
    notifyDueTodos({ ...server, origin: server.config.origin, log }, mailLookups, neverAborted);

  it('is sent once, from 8 o’clock in the user’s time zone, without the texts of to-dos', async () => {
    await choose('todos');
    const day = moveTo(7);
    await signInAgain();
    const recording = await recordTodos(day, ['Water the beans', 'Weed the beds']);
    expect(await lookUp()).toBe(0);
    advanceClock(hour);
    expect(await lookUp()).toBe(1);
    expect(await lookUp()).toBe(0);
    await send();
    const { subject, text, raw } = await read();
    expect(subject).toBe('2 to-dos due today');
    expect(text.match(/fileDetail/g)).toHaveLength(1);
    expect(text).toContain(createUrl(recording));
    expect(raw).not.toMatch(/beans|beds/);
  });

  it('is not sent the next day, or once all to-dos are done', async () => {
    await choose('todos');
    const day = moveTo(9);
    await signInAgain();
    const { client_flag: recording } = await recordTodos(day, ['Water the beans']);
    expect(await lookUp()).toBe(1);
    mailServer.rejectionCode = 451;
    await expect(send()).rejects.toBeInstanceOf(JobPostponed);
    mailServer.rejectionCode = null;
    await createPhone(server, owner).apply([
      operation({ type: 'recording.tick', recording, item: 'todo-0', done: true }),
    ]);
    await send();
    advanceClock(16 * hour);
    await signInAgain();
    await createPhone(server, owner).apply([
      operation({ type: 'recording.tick', recording, item: 'todo-0', done: false }),
    ]);
    await send();
    expect(mailServer.received).toEqual([]);
  });
});

describe('the unsubscribe URL', () => {
  async function mailedPath(): Promise<string> {
    await choose('transcript', 'todos');
    await record(1);
    await send();
    return unsubscribePath();
  }
  const events = async () => (await server.call('mail/get', {}, token())).data.events;
  const request = (
    method: 'GET' | 'POST',
    url: string,
    payload?: string,
    headers: Record<string, string> = {},
  ) =>
    server.app.inject({
      ...{ method, url, headers: { host: 'localhost:8080', ...headers } },
      ...(payload !== undefined && { payload }),
    });

  it.each([
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
    ],
  ])('unsubscribes with one request, in the form %s', async (type, body) => {
    const path = await mailedPath();
    const response = await request('POST', path, body, { 'content-type': type });
    expect(response.statusCode).toBe(200);
    expect(response.body).toContain('These emails are off');
    expect(await events()).toEqual([]);
    await record(1);
    expect(await listQueued()).toHaveLength(1);
    // Links in old emails work more than once.
    expect((await request('POST', path)).statusCode).toBe(200);
  });

  it('changes nothing until the button on its page is pressed', async () => {
    const path = await mailedPath();
    expect((await read()).text).toContain(`${server.config.origin}${path}`);
    const response = await request('GET', path, undefined, { 'accept-language': 'fr' });
    expect(response.statusCode).toBe(200);
    expect(response.headers['referrer-policy']).toBe('no-referrer');
    expect(response.body).toContain('Désactiver ces e-mails');
    expect(response.body).toContain(`<form method="post" action="${path}">`);
    expect(await events()).toEqual(['transcript', 'todos']);
  });

  it('belongs to one account, and can’t be guessed', async () => {
    const path = await mailedPath();
    const other = owner;
    owner = await withoutMail.register();
    await choose('transcript');
    const digits = (id: string) => id.replaceAll('-', '');
    const forgedPath = path.replace(digits(other.id), digits(owner.id));
    expect(forgedPath).not.toBe(path);
    for (const wrongPath of [forgedPath, path.slice(0, -1), '/unsubscribe/x']) {
      expect((await request('GET', wrongPath)).statusCode).toBe(404);
      expect((await request('POST', wrongPath)).statusCode).toBe(404);
    }
    await request('POST', path);
    expect(await events()).toEqual(['transcript']);
  });
});

/** Signs in again, because advancing the clock expires the access token. */
async function signInAgain(): Promise<void> {
  const { email, password } = owner;
  const { data } = await server.call('user/login', { email, password });
  owner = { ...owner, access: data.access_token, refresh: data.refresh_token };
}

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { codes } from '@linnet/contract/codes';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buy } from '../../../test/orders.ts';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { sendEvent, startStripe, stripeSecrets } from '../../../test/stripe.ts';
import {
  createTranscriptionDependencies,
  recognizedText,
  scriptedEngines,
} from '../../../test/transcription.ts';
import { postObject, toneWave, uploadRecording } from '../../../test/uploads.ts';
import { startWorker, stopWorker } from '../../../test/worker.ts';
import { deleteObjectsJob } from '../../jobs/delete-objects.ts';
import type { EraseAccountDependencies } from '../../jobs/erase-account.ts';
import { eraseAccountJob } from '../../jobs/erase-account.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { transcribeJob } from '../../jobs/transcribe.ts';
import { undoPaymentsJob } from '../../jobs/undo-payments.ts';
import { up as addFarewellLanguage } from '../../migrations/0018-farewell-language.ts';
import { decodeMail } from '../../providers/mail/message.ts';
import { createOutboxMailer } from '../../providers/mail/outbox.ts';
import { MailFailure } from '../../providers/mail/port.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Time limit for tests with a worker, which has to start up and may run other tests' jobs first. */
const slowTestMs = 90_000;
const log = pino({ level: 'silent' });
const neverAborted = new AbortController().signal;
const picture = new Uint8Array(Buffer.from('\x89PNG\r\n\x1a\n and so on', 'latin1'));

const close = (account: Account) => server.call('user/deactivation', {}, { token: account.access });
const erase = (accountId: string, change: Partial<EraseAccountDependencies> = {}) =>
  eraseAccountJob({
    db: server.db,
    queue: server.queue,
    store: server.store,
    mailer: createOutboxMailer(server.config.DATA_DIR, server.config.MAIL_FROM),
    log,
    vaultRoot: null,
    now: server.now,
    ...change,
  })({ accountId }, neverAborted);

/** Registers an account with data in as many tables as possible. */
async function registerWithData(
  on = server,
): Promise<Account & { sn: string; recording: string; task: string }> {
  const account = await on.register();
  const call: TestServer['call'] = (name, body) => on.call(name, body, { token: account.access });
  const sn = `SN-${crypto.randomUUID()}`;
  await on.registerDevice(sn);
  await call('device/binding', { sn });
  const { id: recording } = await uploadRecording(on, account, toneWave(3), { ext: 'wav' });
  const { data: task } = await call('task/create', { id: recording, language: 'en' });
  const { data: avatar } = await call('oss/config', { type: 'avatar', ext: 'png' });
  await postObject(on, avatar, picture);
  await call('user/updateAvatar', { avatar: avatar.url });
  await call('user/updateNickname', { nickname: 'Ada' });
  const { data: logGrant } = await call('upload/ossConfig');
  await postObject(on, logGrant, picture);
  await call('user/feedback', { content: 'Good.', log_url: logGrant.url });
  await call('radio/rename', { id: recording, name: 'A name' });
  await call('user/updateConfig', {
    group_name: 'radio_save_style',
    config_key: 'cloud',
    config_value: '1',
  });
  const { data: rule } = await call('retention/save', { tag: null, after: 7, unit: 'day' });
  const { tag, after, unit } = rule;
  const run = crypto.randomUUID();
  const started_at = on.now();
  await on.db
    .insertInto('retention_runs')
    .values({ id: run, account_id: account.id, tag, after, unit, started_at })
    .execute();
  await on.db
    .insertInto('retention_moves')
    .values({ run_id: run, recording_id: recording, binned_at: started_at })
    .execute();
  await on.db
    .insertInto('notification_mails')
    .values({ account_id: account.id, events: '["transcript"]', time_zone: 'Europe/Paris' })
    .execute();
  await on.db
    .insertInto('waiting_transcripts')
    .values({ recording_id: recording, account_id: account.id, entry: crypto.randomUUID() })
    .execute();
  return { ...account, sn, recording, task: task.id };
}

async function listObjects(accountId: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of server.store.list('')) if (key.includes(accountId)) keys.push(key);
  return keys;
}

/** Returns all database rows that contain a string, such as an account's ID. */
async function rowsContaining(needle: string): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(server.db);
  expect(tables.length).toBeGreaterThan(20);
  const rowsFound = [];
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select ${name} || ' ' || row_to_json(it)::text as row from ${sql.table(name)} as it
      where row_to_json(it)::text like ${`%${needle}%`}`.execute(server.db);
    rowsFound.push(...rows.map(({ row }) => row));
  }
  return rowsFound;
}

async function mailsTo(email: string): Promise<string[]> {
  const folder = path.join(server.config.DATA_DIR, 'outbox');
  const mails = await Promise.all(
    (await readdir(folder)).sort().map((name) => readFile(path.join(folder, name), 'utf8')),
  );
  return mails.filter((mail) => mail.includes(`To: ${email}`));
}
const confirmationMails = async (email: string) =>
  (await mailsTo(email)).filter((mail) =>
    mail.includes('Subject: Your Linnet account has been deleted'),
  );

describe('closing an account', () => {
  it('ends all sessions immediately and disables sign-in', async () => {
    const account = await server.register();
    const { data: other } = await server.call('user/login', account);
    expect(await close(account)).toMatchObject({ code: codes.ok, data: {} });
    for (const token of [account.access, other.access_token]) {
      const response = await server.call('user/info', {}, { token });
      expect(response).toMatchObject({ code: codes.tokenInvalid, data: null });
    }
    for (const token of [account.refresh, other.refresh_token]) {
      const response = await server.call('user/refreshToken', {}, { token });
      expect(response.code).toBe(codes.tokenInvalid);
    }
    const login = await server.call('user/login', account);
    expect(login).toMatchObject({ code: codes.wrongCredentials, data: null });
    expect((await close(account)).code).toBe(codes.tokenInvalid);
  });

  it('requires a token', async () => {
    const response = await server.call('user/deactivation', {});
    expect(response).toMatchObject({ code: codes.tokenInvalid, data: null });
  });

  it('is reported by account ID, even after the erasure', async () => {
    const account = await server.register();
    const isClosed = async () => (await server.call('user/closed', { id: account.id })).data.closed;
    expect(await isClosed()).toBe(false);
    // Changing the password also ends sessions, but doesn't close the account.
    await server.call(
      'user/updatePassword',
      {
        old_password: account.password,
        password: 'another good one',
        repassword: 'another good one',
      },
      { token: account.access },
    );
    expect(await isClosed()).toBe(false);
    const { data } = await server.call('user/login', { ...account, password: 'another good one' });
    await close({ ...account, access: data.access_token });
    expect(await isClosed()).toBe(true);
    await erase(account.id);
    expect(await isClosed()).toBe(true);
  });

  it('happens once for repeated and concurrent calls', async () => {
    const account = await server.register();
    const responses = await Promise.all(Array.from({ length: 6 }, () => close(account)));
    const resultCodes = responses.map(({ code }) => code);
    expect(resultCodes).toContain(codes.ok);
    // Later calls fail because the session has already ended.
    expect(resultCodes.filter((code) => code !== codes.ok && code !== codes.tokenInvalid)).toEqual(
      [],
    );
    const { rows } = await sql`
      select 1 from pgboss.job where name = 'erase-account' and data->>'accountId' = ${account.id}`.execute(
      server.db,
    );
    expect(rows).toHaveLength(1);
  });

  it('requires the password unless it was entered recently', async () => {
    const account = await server.register();
    const { access: token, password } = account;
    const closeWith = (body: object) => server.call('user/deactivation', body, { token });
    await server.db
      .updateTable('sessions')
      .set({ password_at: new Date(server.now().getTime() - 601_000) })
      .where('account_id', '=', account.id)
      .execute();
    expect((await closeWith({})).code).toBe(codes.passwordNeeded);
    // Refreshing the tokens doesn't count as entering the password.
    const { data } = await server.call('user/refreshToken', {}, { token: account.refresh });
    const refreshed = await server.call('user/deactivation', {}, { token: data.access_token });
    expect(refreshed.code).toBe(codes.passwordNeeded);
    const guesses: number[] = [];
    for (let n = 0; n < 11; n += 1)
      guesses.push((await closeWith({ password: `guess ${n}` })).code);
    expect(guesses).toEqual([...Array(10).fill(codes.wrongPassword), codes.tooManyRequests]);
    await server.db.deleteFrom('rate_windows').execute();
    expect((await closeWith({ password })).code).toBe(codes.ok);
  });
});

describe('a closed account', () => {
  it.each(['with the same address', 'with a subaddress', 'after a trial that was not recorded'])(
    'does not get a second trial when it registers %s',
    async (registration) => {
      const email = `${crypto.randomUUID()}@example.com`;
      const loadInfo = async ({ access }: Account) =>
        (await server.call('user/info', {}, { token: access })).data;
      const account = await server.register(email);
      expect(await loadInfo(account)).toMatchObject({ left_minutes: 30, vip_plan: 'trial' });
      if (registration.startsWith('after a trial')) await server.db.deleteFrom('trials').execute();
      await close(account);
      await erase(account.id);
      const other = registration.endsWith('subaddress') ? email.replace('@', '+again@') : email;
      const newAccount = await loadInfo(await server.register(other));
      expect(newAccount).toMatchObject({ left_minutes: 0, vip_plan: null, is_vip: false });
      const storedTrials = JSON.stringify(
        await server.db.selectFrom('trials').selectAll().execute(),
      );
      expect(storedTrials).not.toContain(email.split('@')[0]);
    },
  );

  it('releases its recorder and email address immediately', async () => {
    const account = await registerWithData();
    await close(account);
    const otherUser = await server.register();
    const bound = await server.call(
      'device/binding',
      { sn: account.sn },
      { token: otherUser.access },
    );
    expect(bound.code).toBe(codes.ok);
    const newAccount = await server.register(account.email);
    expect(newAccount.id).not.toBe(account.id);
    const { data } = await server.call('user/info', {}, { token: newAccount.access });
    expect(data).toMatchObject({ email: account.email, nickname: '', avatar: null });
    // The new account gets neither a trial nor free minutes.
    expect(data).toMatchObject({ left_minutes: 0, vip_plan: null, subscription: null });
    const { data: index } = await server.call('task/index', {}, { token: newAccount.access });
    expect(index.total).toBe(0);
    // Erasing the old account doesn't affect the new one.
    await erase(account.id);
    expect((await server.call('user/info', {}, { token: newAccount.access })).data.id).toBe(
      newAccount.id,
    );
    expect(await rowsContaining(account.id)).toEqual([]);
  });

  it('is erased except for its orders, and an email confirms the erasure', async () => {
    const account = await registerWithData();
    const paid = await buy(server, account, 'vip_annual');
    const { data: pending } = await server.call(
      'user/pay',
      { plan: 'package_120' },
      { token: account.access },
    );
    expect((await listObjects(account.id)).length).toBeGreaterThanOrEqual(3);
    const before = (await rowsContaining(account.id)).map((row) => row.split(' ')[0]);
    const expected = ['accounts', 'recordings', 'tasks', 'minute_charges', 'feedback', 'bindings'];
    expect(before).toEqual(expect.arrayContaining(expected));
    expect(before).toEqual(expect.arrayContaining(['orders', 'subscriptions', 'upload_leaves']));
    await close(account);
    await erase(account.id);
    expect(await listObjects(account.id)).toEqual([]);
    expect(await rowsContaining(account.id)).toEqual([]);
    const remaining = await rowsContaining(account.email);
    expect(remaining.map((row) => row.split(' ')[0])).toEqual(['orders', 'orders']);
    const orders = await server.db
      .selectFrom('orders')
      .selectAll()
      .where('email', '=', account.email)
      .orderBy('created_at')
      .execute();
    expect(orders).toMatchObject([
      { id: paid, account_id: null, status: 'paid', price: 9999, currency: 'USD' },
      { id: pending.order_id, account_id: null, status: 'canceled' },
    ]);
    expect(await confirmationMails(account.email)).toHaveLength(1);
    await erase(account.id);
    expect(await confirmationMails(account.email)).toHaveLength(1);
  });

  it('is erased completely after an interruption at any step', async () => {
    /** Creates dependencies of the job that work for a number of steps and then fail. */
    const failAfter = (steps: number) => {
      let remaining = steps;
      const step = () => {
        remaining -= 1;
        if (remaining < 0) throw new Error('killed');
      };
      const mailer = createOutboxMailer(server.config.DATA_DIR, server.config.MAIL_FROM);
      return {
        store: {
          ...server.store,
          list: (prefix: string) => {
            step();
            return server.store.list(prefix);
          },
          delete: async (key: string) => {
            step();
            await server.store.delete(key);
          },
        },
        queue: {
          ...server.queue,
          enqueue: async (...job: Parameters<typeof server.queue.enqueue>) => {
            await server.queue.enqueue(...job);
            step();
          },
        } as typeof server.queue,
        mailer: {
          ...mailer,
          send: async (mail: Parameters<typeof mailer.send>[0]) => {
            step();
            await mailer.send(mail);
          },
        },
        done: () => remaining >= 0,
      };
    };
    const account = await registerWithData();
    await close(account);
    let runs = 0;
    for (let steps = 0; ; steps += 1) {
      const deps = failAfter(steps);
      runs += 1;
      const run = erase(account.id, deps);
      if (steps > 20) throw new Error('the job did not complete');
      if (
        await run.then(
          () => true,
          (error) => error.message !== 'killed',
        )
      )
        break;
    }
    expect(runs).toBeGreaterThan(5);
    expect(await listObjects(account.id)).toEqual([]);
    expect(await rowsContaining(account.id)).toEqual([]);
    expect(await confirmationMails(account.email)).toHaveLength(1);
  });

  it('is erased even if the confirmation email is rejected, and the email is retried while the mail server is unavailable', async () => {
    const createFailingMailer = (code: 'refused' | 'unavailable') => ({
      send: async () => {
        throw new MailFailure(code, new Error('mail failed'));
      },
      close: () => undefined,
    });
    const first = await registerWithData();
    await close(first);
    await erase(first.id, { mailer: createFailingMailer('refused') });
    expect(await rowsContaining(first.id)).toEqual([]);
    const second = await registerWithData();
    await close(second);
    const run = erase(second.id, { mailer: createFailingMailer('unavailable') });
    await expect(run).rejects.toMatchObject({ code: 'unavailable' });
    expect((await rowsContaining(second.id)).map((row) => row.split(' ')[0])).toEqual([
      'farewells',
    ]);
    expect(await listObjects(second.id)).toEqual([]);
    await erase(second.id);
    expect(await rowsContaining(second.id)).toEqual([]);
    expect(await confirmationMails(second.email)).toHaveLength(1);
  });

  it('gets a confirmation email in the language of the call that closes it', async () => {
    const account = await registerWithData();
    await server.call(
      'user/deactivation',
      { password: account.password, language: 'fr' },
      { token: account.access },
    );
    await erase(account.id);
    const [mail = ''] = (await mailsTo(account.email)).slice(-1);
    expect(await decodeMail(mail)).toMatchObject({
      language: 'fr',
      subject: 'Votre compte Linnet a été supprimé',
    });
  });

  it('gets a confirmation email in English if it was pending when the language was added', async () => {
    const account = await registerWithData();
    await close(account);
    await sql`alter table farewells drop column language`.execute(server.db);
    await addFarewellLanguage(server.db as never);
    await erase(account.id);
    expect(await confirmationMails(account.email)).toHaveLength(1);
  });

  it('leaves no object of an upload that was in progress', async () => {
    const account = await registerWithData();
    const { data: grant } = await server.call(
      'oss/config',
      { type: 'voice_file', ext: 'wav' },
      { token: account.access },
    );
    await close(account);
    await erase(account.id);
    await postObject(server, grant, toneWave(1));
    const { rows } = await sql<{ data: Jobs['delete-objects']; after: Date }>`
      select data, start_after as after from pgboss.job
      where name = 'delete-objects' and data::text like ${`%${account.id}%`}
      order by start_after desc`.execute(server.db);
    const [job] = rows;
    expect(job?.data.keys).toContain(grant.key);
    expect(job?.after.getTime()).toBeGreaterThan(grant.expiredTime * 1000);
    await deleteObjectsJob(server.store)(job?.data ?? { keys: [] }, neverAborted);
    expect(await listObjects(account.id)).toEqual([]);
  });

  it('does not make its queued and active jobs fail', async () => {
    const job = (duringRecognition: () => Promise<void>) => {
      const engines = scriptedEngines(async () => {
        await duringRecognition();
        return recognizedText('Hello.');
      });
      return transcribeJob(createTranscriptionDependencies(server, { engines }));
    };
    const active = await registerWithData();
    await job(async () => {
      await close(active);
      await erase(active.id);
    })({ taskId: active.task }, neverAborted);
    expect(await rowsContaining(active.id)).toEqual([]);
    const queued = await registerWithData();
    await close(queued);
    await erase(queued.id);
    await job(async () => {
      throw new Error('the engine was called');
    })({ taskId: queued.task }, neverAborted);
    expect(await rowsContaining(queued.id)).toEqual([]);
  });

  it('is the only kind of account that is erased', async () => {
    const account = await registerWithData();
    await erase(account.id);
    const { data } = await server.call('user/info', {}, { token: account.access });
    expect(data.nickname).toBe('Ada');
    expect((await listObjects(account.id)).length).toBeGreaterThanOrEqual(3);
  });

  it('is erased by the worker', { timeout: slowTestMs }, async () => {
    const account = await registerWithData();
    await close(account);
    const worker = await startWorker(server);
    await vi.waitUntil(async () => (await rowsContaining(account.id)).length === 0, {
      timeout: slowTestMs,
    });
    await stopWorker(worker);
    expect(await listObjects(account.id)).toEqual([]);
    expect(await confirmationMails(account.email)).toHaveLength(1);
  });

  it('is erased by another run of the job if the worker is killed', {
    timeout: slowTestMs,
  }, async () => {
    const account = await registerWithData();
    const objectCount = 400;
    for (let n = 0; n < objectCount; n += 1) {
      const body = Readable.from([picture]);
      await server.store.put(`voice/${account.id}/${n}.ogg`, body, { maxBytes: 100 });
    }
    await close(account);
    const worker = await startWorker(server);
    const count = async () => (await listObjects(account.id)).length;
    await vi.waitUntil(async () => (await count()) < objectCount, {
      timeout: slowTestMs,
      interval: 5,
    });
    await stopWorker(worker, 'SIGKILL');
    // The queue would run the job again after a minute.
    await erase(account.id);
    expect(await listObjects(account.id)).toEqual([]);
    expect(await rowsContaining(account.id)).toEqual([]);
    expect(await confirmationMails(account.email)).toHaveLength(1);
  });
});

describe('closing an account that pays through Stripe', () => {
  it('ends the subscription, closes pending checkouts and refunds later payments', async () => {
    const stripe = await startStripe();
    const shop = await startTestServer({
      BILLING: 'stripe',
      STRIPE_URL: stripe.url,
      ...stripeSecrets,
    });
    const account = await shop.register();
    const open = async (plan: string) => {
      const { data } = await shop.call('user/pay', { plan }, { token: account.access });
      return data.pay_url.split('/').at(-1) ?? '';
    };
    const sendCompleted = (session: string) =>
      sendEvent(shop, 'checkout.session.completed', { id: session });
    const runUndoJobs = async () => {
      const { rows } = await sql<{ data: Jobs['undo-payments'] }>`
        delete from pgboss.job where name = 'undo-payments' returning data`.execute(shop.db);
      for (const { data } of rows) await undoPaymentsJob(shop.payment)(data, neverAborted);
    };
    const member = await open('vip_monthly');
    stripe.pay(member);
    await sendCompleted(member);
    const [remaining, paidLater] = [await open('package_120'), await open('package_600')];
    stripe.pay(paidLater);
    await shop.call('user/deactivation', {}, { token: account.access });
    await runUndoJobs();
    expect([...stripe.subscriptions.values()].map(({ status }) => status)).toEqual(['canceled']);
    expect(stripe.sessions.get(remaining)?.status).toBe('expired');
    expect(stripe.refunded.size).toBe(0);
    await sendCompleted(paidLater);
    await runUndoJobs();
    expect([...stripe.refunded]).toEqual([stripe.getPayment(paidLater)]);
    const rows = await shop.db
      .selectFrom('orders')
      .select('status')
      .orderBy('created_at')
      .execute();
    expect(rows.map(({ status }) => status)).toEqual(['paid', 'canceled', 'refunded']);
    await shop.close();
    await stripe.close();
  });
});

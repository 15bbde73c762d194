import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { postObject } from '../../../test/uploads.ts';
import { mailFeedbackJob } from '../../jobs/mail-feedback.ts';
import type { Mail } from '../../providers/mail/port.ts';
import { MailFailure } from '../../providers/mail/port.ts';

let server: TestServer;
let owner: Account;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.register();
});

const logGrantFor = async (account: Account) =>
  (await server.call('upload/ossConfig', {}, { token: account.access })).data;
const logBytes = new Uint8Array(Buffer.from('started\nstopped\n'));

describe('feedback', () => {
  const submit = (body: object, token = owner.access) =>
    server.call('user/feedback', body, { token });
  const storedFeedback = () =>
    server.db.selectFrom('feedback').selectAll().where('account_id', '=', owner.id).execute();

  it('is stored and emailed to the operator', async () => {
    const { code, data } = await submit({ content: '  It is good.  ', contact: 'ada@phone' });
    expect(code).toBe(codes.ok);
    expect(await storedFeedback()).toMatchObject([
      { id: data.id, content: 'It is good.', contact: 'ada@phone', log_key: null },
    ]);
    const mails: Mail[] = [];
    const mailer = { send: async (mail: Mail) => void mails.push(mail), close: () => undefined };
    const log = pino({ level: 'silent' });
    const job = mailFeedbackJob({ db: server.db, mailer, log, to: 'team@linnet.example' });
    await job({ feedbackId: data.id }, new AbortController().signal);
    expect(mails).toMatchObject([{ to: 'team@linnet.example' }]);
    for (const part of ['It is good.', owner.email, 'ada@phone', data.id]) {
      expect(mails[0]?.text).toContain(part);
    }
    const withoutRecipient = mailFeedbackJob({ db: server.db, mailer, log, to: undefined });
    await withoutRecipient({ feedbackId: data.id }, new AbortController().signal);
    expect(mails).toHaveLength(1);
    const failingMailer = {
      ...mailer,
      send: async () => {
        throw new MailFailure('unavailable', new Error('mail server unavailable'));
      },
    };
    const failingJob = mailFeedbackJob({
      db: server.db,
      mailer: failingMailer,
      log,
      to: 'team@linnet.example',
    });
    const run = failingJob({ feedbackId: data.id }, new AbortController().signal);
    await expect(run).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('may refer to an uploaded log', async () => {
    const grant = await logGrantFor(owner);
    expect((await postObject(server, grant, logBytes)).statusCode).toBe(204);
    const { code } = await submit({ content: 'It fails.', log_url: `${grant.url}?t=1` });
    expect(code).toBe(codes.ok);
    expect(await storedFeedback()).toMatchObject([{ log_key: grant.key }]);
  });

  it('cannot refer to another account’s log, a different type of object, or a missing object', async () => {
    const otherUser = await server.register();
    const theirGrant = await logGrantFor(otherUser);
    await postObject(server, theirGrant, logBytes);
    const { data: voice } = await server.call(
      'oss/config',
      { type: 'voice_file', ext: 'ogg' },
      { token: owner.access },
    );
    await postObject(server, voice, logBytes);
    for (const url of [theirGrant.url, voice.url, 'nonsense', 'https://elsewhere.example/x.log']) {
      const response = await submit({ content: 'It fails.', log_url: url });
      expect(response).toMatchObject({ code: codes.keyNotIssued, data: null });
    }
    const neverUploaded = await logGrantFor(owner);
    const missingResponse = await submit({ content: 'It fails.', log_url: neverUploaded.url });
    expect(missingResponse.code).toBe(codes.objectMissing);
    expect(await storedFeedback()).toEqual([]);
  });

  it.each([
    {},
    { content: '' },
    { content: '   ' },
    { content: 'x'.repeat(limits.feedback.contentMaxLength + 1) },
    { content: 7 },
    { content: 'x', contact: 'x'.repeat(limits.feedback.contactMaxLength + 1) },
    { content: 'x', log_url: null },
  ])('rejects %o', async (body) => {
    expect(await submit(body)).toMatchObject({ code: codes.badRequest, data: null });
  });

  it('is limited to ten entries per hour', async () => {
    const resultCodes: number[] = [];
    for (let n = 0; n < 11; n += 1) resultCodes.push((await submit({ content: `Part ${n}` })).code);
    expect(resultCodes).toEqual([...Array(10).fill(codes.ok), codes.tooManyRequests]);
  });

  it('from a signed-out user is stored with its log and emailed to the operator', async () => {
    const body = { kind: 'problem', content: 'No code arrives.', log: 'asked\nwaited\n' } as const;
    const { code, data } = await server.call('site/feedback', body);
    expect(code).toBe(codes.ok);
    const row = await server.db
      .selectFrom('feedback')
      .selectAll()
      .where('id', '=', data.id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ ...body, account_id: null, contact: '', log_key: null });
    const mails: Mail[] = [];
    const mailer = { send: async (mail: Mail) => void mails.push(mail), close: () => undefined };
    const log = pino({ level: 'silent' });
    const job = mailFeedbackJob({ db: server.db, mailer, log, to: 'team@linnet.example' });
    await job({ feedbackId: data.id }, new AbortController().signal);
    expect(mails[0]?.text).toContain('No code arrives.');
    expect(mails[0]?.text).toContain(`feedback log ${data.id}`);
    // The log isn't part of the email.
    expect(mails[0]?.text).not.toContain('waited');
  });

  it('requires a token', async () => {
    const response = await server.call('user/feedback', { content: 'x' });
    expect(response).toMatchObject({ code: codes.tokenInvalid, data: null });
  });
});

describe('feedback from signed-out users', () => {
  const submit = (body: object) => server.call('site/feedback', body);

  it('is limited in the length of the text and the log', async () => {
    const { contentMaxLength, contactMaxLength, logMaxLength } = limits.feedback;
    const longest = {
      content: '畅'.repeat(contentMaxLength),
      contact: 'x'.repeat(contactMaxLength),
      log: '畅'.repeat(logMaxLength),
    };
    expect((await submit(longest)).code).toBe(codes.ok);
    for (const field of ['content', 'contact', 'log'] as const) {
      const response = await submit({ ...longest, [field]: `${longest[field]}x` });
      expect(response).toMatchObject({ code: codes.badRequest, data: null });
    }
  });

  it('is limited per network and in total', async () => {
    const submitFrom = async (remoteAddress: string) =>
      (
        await server.app.inject({
          method: 'POST',
          url: '/api/site/feedback',
          remoteAddress,
          payload: { content: 'Again.' },
        })
      ).json().code;
    const fromOneNetwork = [];
    for (let n = 0; n < 11; n += 1) fromOneNetwork.push(await submitFrom(`2001:db8:0:1::${n}`));
    expect(fromOneNetwork).toEqual([...Array(10).fill(codes.ok), codes.tooManyRequests]);
    const fromManyNetworks = [];
    while (fromManyNetworks.length < 101 && fromManyNetworks.at(-1) !== codes.tooManyRequests) {
      fromManyNetworks.push(await submitFrom(`2001:db8:0:${fromManyNetworks.length + 2}::1`));
    }
    expect(fromManyNetworks.length).toBeGreaterThan(50);
    expect(fromManyNetworks.at(-1)).toBe(codes.tooManyRequests);
    await server.db.deleteFrom('rate_windows').execute();
  });

  it('is limited to ten entries per network', async () => {
    const resultCodes: number[] = [];
    while (resultCodes.length < 12 && resultCodes.at(-1) !== codes.tooManyRequests) {
      resultCodes.push((await submit({ content: 'Again.' })).code);
    }
    expect(resultCodes.at(-1)).toBe(codes.tooManyRequests);
    expect(new Set(resultCodes.slice(0, -1))).toEqual(new Set([codes.ok]));
  });
});

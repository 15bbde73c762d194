import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { codes } from '@linnet/contract/codes';
import { interfaceLanguages } from '@linnet/contract/interface-languages';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { englishWords } from '../../../test/english-words.ts';
import type { TestServer } from '../../../test/server.ts';
import { goodPassword, startTestServer } from '../../../test/server.ts';
import { eraseAccountJob } from '../../jobs/erase-account.ts';
import { words } from '../../words/index.ts';
import type { DecodedMail } from './message.ts';
import { decodeMail } from './message.ts';
import { createSmtpMailer } from './smtp.ts';

let received: { to: string[]; text: string }[] = [];
const rejectedAddress = 'refused@example.com';
const busyAddress = 'busy@example.com';

const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo({ address }, _session, done) {
    const status = { [rejectedAddress]: 550, [busyAddress]: 451 }[address];
    if (status === undefined) return done();
    done(Object.assign(new Error('not now'), { responseCode: status }));
  },
  onData(stream, session, done) {
    let text = '';
    stream.on('data', (chunk) => {
      text += chunk;
    });
    stream.on('end', () => {
      received.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
      done();
    });
  },
});
const receivedMail = async (index: number): Promise<DecodedMail> => {
  const mail = await decodeMail(received[index]?.text ?? '');
  return { ...mail, text: mail.text.replaceAll('\r\n', '\n') };
};
/** Returns the code from an email, where it has a line to itself. */
const codeIn = (text: string): string => /^(\d{6})$/m.exec(text)?.[1] ?? 'no code';
let server: TestServer;
let smtpUrl: string;
beforeAll(async () => {
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  smtpUrl = `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`;
  server = await startTestServer({
    SMTP_URL: smtpUrl,
    MAIL_FROM: 'Linnet <l@x.example>',
  });
});
beforeEach(() => {
  received = [];
});
afterAll(async () => {
  await server.close();
  await new Promise<void>((resolve) => smtp.close(() => resolve()));
});

it('delivers a verification code by SMTP', async () => {
  const email = 'ada@example.com';
  expect((await server.call('site/code', { email })).code).toBe(codes.ok);
  expect(received).toHaveLength(1);
  expect(received[0]?.to).toEqual([email]);
  expect(received[0]?.text).toContain('From: Linnet <l@x.example>');
  expect((await receivedMail(0)).text).toContain('Use this code to create your Linnet account.');
  const code = codeIn((await receivedMail(0)).text);
  const password = 'correct horse battery';
  const fields = { email, code, password, repassword: password };
  expect((await server.call('user/register', fields)).code).toBe(codes.ok);
  await server.call('site/code', { email });
  expect((await receivedMail(1)).text).toContain('You already have a Linnet account');
});

describe.each(interfaceLanguages.map(({ language }) => language))('in %s', (language) => {
  const { codeMail, farewellMail } = words[language];

  function expectLanguage({ text, subject, language: header }: DecodedMail): void {
    expect(header).toBe(language);
    const mail = `${subject}\n${text}`;
    expect(mail).not.toMatch(/[{}\ufffd]/);
    if (language !== 'en') expect(mail).not.toMatch(englishWords);
  }

  it('emails the code to new and existing users, and confirms account deletion by email', async () => {
    const email = `${language.toLowerCase()}@example.com`;
    await server.call('site/code', { email, language });
    const first = await receivedMail(0);
    const code = codeIn(first.text);
    expect(first.subject).toBe(codeMail.subject.replace('{code}', code));
    expect(first.text.trimEnd().split('\n\n')).toEqual([
      codeMail.lead,
      code,
      expect.stringMatching(/(?<!\d)10(?!\d)/),
      codeMail.newAddress,
      codeMail.notRequested,
    ]);
    expectLanguage(first);

    const password = goodPassword;
    const fields = { email, code, password, repassword: password, language };
    expect((await server.call('user/register', fields)).code).toBe(codes.ok);
    // If no language is given, the account's language is used.
    await server.call('site/code', { email });
    const second = await receivedMail(1);
    expect(second.text).toContain(codeMail.knownAddress);
    expectLanguage(second);

    const { data: tokens } = await server.call('user/login', { email, password });
    const token = tokens.access_token;
    expect((await server.call('user/config', {}, { token })).data.interface).toEqual({ language });
    const { data: info } = await server.call('user/info', {}, { token });
    await server.call('user/deactivation', {}, { token });
    await eraseAccountJob({
      db: server.db,
      queue: server.queue,
      store: server.store,
      mailer: createSmtpMailer(smtpUrl, 'Linnet <l@x.example>'),
      log: pino({ level: 'silent' }),
      vaultRoot: null,
      now: server.now,
    })({ accountId: info.id }, new AbortController().signal);
    const farewell = await receivedMail(2);
    expect(farewell.subject).toBe(farewellMail.subject);
    const { deleted, details, registerAgain } = farewellMail;
    expect(farewell.text).toBe(`${[deleted, details, registerAgain].join('\n\n')}\n`);
    expectLanguage(farewell);
  });
});

it('treats a rejected sign-in to the mail server as a temporary failure', async () => {
  const rejectingServer = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (_auth, _session, done) =>
      done(Object.assign(new Error('expired'), { responseCode: 535 })),
  });
  rejectingServer.listen(0, '127.0.0.1');
  await once(rejectingServer.server, 'listening');
  const { port } = rejectingServer.server.address() as AddressInfo;
  const mailer = createSmtpMailer(`smtp://linnet:old@127.0.0.1:${port}`, 'Linnet <l@x.example>');
  const mail = { to: 'ada@example.com', language: 'en', subject: 'Hello', text: 'Hello' } as const;
  await expect(mailer.send(mail)).rejects.toMatchObject({ code: 'unavailable' });
  mailer.close();
  await new Promise<void>((resolve) => rejectingServer.close(() => resolve()));
});

it('encodes headers and text in a form that every mail server accepts', async () => {
  await server.call('site/code', { email: 'encoding@example.com', language: 'th' });
  const raw = received[0]?.text ?? '';
  expect(raw).toMatch(/^[\x20-\x7e\r\n]+$/);
  expect(raw).toContain('Content-Type: text/plain; charset=utf-8');
  expect(Math.max(...raw.split('\r\n').map(({ length }) => length))).toBeLessThanOrEqual(78);
});

it('prefers the language of the request, then the account’s setting, then Accept-Language', async () => {
  const email = 'languages@example.com';
  const getCodeMailLanguage = async (fields: object, headers?: Record<string, string>) => {
    received = [];
    await server.raw('site/code', JSON.stringify({ email, ...fields }), headers);
    return (await receivedMail(0)).language;
  };
  const acceptLanguage = 'tlh, de;q=0.9, ko-KR;q=0.8';
  expect(await getCodeMailLanguage({}, { 'accept-language': acceptLanguage })).toBe('ko');
  expect(await getCodeMailLanguage({ language: 'pt-PT' })).toBe('pt');
  const code = codeIn((await receivedMail(0)).text);
  const password = goodPassword;
  await server.call('user/register', { email, code, password, repassword: password });
  const { data: tokens } = await server.call('user/login', { email, password, language: 'ja' });
  expect(await getCodeMailLanguage({}, { 'accept-language': 'ko' })).toBe('ja');
  const setting = { group_name: 'interface', config_key: 'language', config_value: 'ru' };
  await server.call('user/updateConfig', setting, { token: tokens.access_token });
  expect(await getCodeMailLanguage({}, { 'accept-language': 'ko' })).toBe('ru');
});

it('doesn’t reveal that a recipient was rejected, and reports a busy mail server', async () => {
  const expectedResponse = await server.call('site/code', { email: 'grace@example.com' });
  expect(await server.call('site/code', { email: rejectedAddress })).toEqual(expectedResponse);
  const busyResponse = await server.call('site/code', { email: busyAddress });
  expect(busyResponse).toMatchObject({ code: codes.unavailable, data: null });
});

it('reports that it is unavailable until the mail server responds', async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port: free } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  const serverWithoutSmtp = await startTestServer({ SMTP_URL: `smtp://127.0.0.1:${free}` });
  const email = 'grace@example.com';
  const response = await serverWithoutSmtp.call('site/code', { email });
  expect(response).toMatchObject({ code: codes.unavailable, data: null });
  expect(serverWithoutSmtp.logged.join('\n')).not.toContain(email);

  const restartedSmtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => void stream.resume().on('end', () => done()),
  });
  restartedSmtp.listen(free, '127.0.0.1');
  await once(restartedSmtp.server, 'listening');
  expect((await serverWithoutSmtp.call('site/code', { email })).code).toBe(codes.ok);
  await serverWithoutSmtp.close();
  await new Promise<void>((resolve) => restartedSmtp.close(() => resolve()));
});

it('serves no outbox page if SMTP is configured', async () => {
  const response = await server.app.inject({ method: 'GET', url: '/outbox' });
  expect(response.statusCode).toBe(404);
});

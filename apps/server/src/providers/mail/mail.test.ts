import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { codes } from '@linnet/contract/codes';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';

let received: { to: string[]; text: string }[] = [];
const refused = 'refused@example.com';
const busy = 'busy@example.com';

const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo({ address }, _session, done) {
    const status = { [refused]: 550, [busy]: 451 }[address];
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
let server: TestServer;
let port: number;
beforeAll(async () => {
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  port = (smtp.server.address() as AddressInfo).port;
  server = await startTestServer({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
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
  expect(received[0]?.text).toContain('no Linnet account yet');
  const code = /verification code is (\d{6})/.exec(received[0]?.text ?? '')?.[1];
  const password = 'correct horse battery';
  const fields = { email, code, password, repassword: password };
  expect((await server.call('user/register', fields)).code).toBe(codes.ok);
  await server.call('site/code', { email });
  expect(received[1]?.text).toContain('already has a Linnet account');
});

it('hides a rejected recipient and reports a busy mail server', async () => {
  const expectedAnswer = await server.call('site/code', { email: 'grace@example.com' });
  expect(await server.call('site/code', { email: refused })).toEqual(expectedAnswer);
  const later = await server.call('site/code', { email: busy });
  expect(later).toMatchObject({ code: codes.unavailable, data: null });
});

it('is unavailable without a mail server and recovers once it responds', async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port: free } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  const serverWithoutSmtp = await startTestServer({ SMTP_URL: `smtp://127.0.0.1:${free}` });
  const email = 'grace@example.com';
  const answer = await serverWithoutSmtp.call('site/code', { email });
  expect(answer).toMatchObject({ code: codes.unavailable, data: null });
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

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

it('is delivered by SMTP, with a code that works', async () => {
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

it('to a refused address is answered like any other; a busy mail server is said', async () => {
  const good = await server.call('site/code', { email: 'grace@example.com' });
  expect(await server.call('site/code', { email: refused })).toEqual(good);
  const later = await server.call('site/code', { email: busy });
  expect(later).toMatchObject({ code: codes.unavailable, data: null });
});

it('is said to be unavailable where no mail server answers, and works once one does', async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port: free } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  const alone = await startTestServer({ SMTP_URL: `smtp://127.0.0.1:${free}` });
  const email = 'grace@example.com';
  const answer = await alone.call('site/code', { email });
  expect(answer).toMatchObject({ code: codes.unavailable, data: null });
  expect(alone.logged.join('\n')).not.toContain(email);

  const back = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => void stream.resume().on('end', () => done()),
  });
  back.listen(free, '127.0.0.1');
  await once(back.server, 'listening');
  expect((await alone.call('site/code', { email })).code).toBe(codes.ok);
  await alone.close();
  await new Promise<void>((resolve) => back.close(() => resolve()));
});

it('has no outbox page where there is SMTP', async () => {
  const response = await server.app.inject({ method: 'GET', url: '/outbox' });
  expect(response.statusCode).toBe(404);
});

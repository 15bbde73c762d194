import { codes } from '@linnet/contract/codes';
import { expect, it } from 'vitest';
import { createNotificationEmails } from './notification-emails.ts';

const email = 'ada@example.com';

function start(response: object) {
  const calls: unknown[] = [];
  const call = async (...args: unknown[]) => {
    calls.push(args);
    return response;
  };
  return { calls, mails: createNotificationEmails({ call: call as never }, () => 'Asia/Tokyo') };
}

it('reads the events, and changes them with the time zone of the device', async () => {
  const { calls, mails } = start({
    ok: true,
    data: { available: true, email, events: ['todos'] },
  });
  const data = { status: 'available', email, events: ['todos'] };
  expect(await mails.get()).toEqual({ ok: true, data });
  expect(await mails.set(['todos'])).toEqual({ ok: true, data });
  expect(calls).toEqual([
    ['mail/get', {}],
    ['mail/set', { events: ['todos'], time_zone: 'Asia/Tokyo' }],
  ]);
});

it('reports a server that can’t send email, and an outdated server that lacks the call', async () => {
  const serverWithoutMail = start({ ok: true, data: { available: false, email, events: [] } });
  expect(await serverWithoutMail.mails.get()).toEqual({
    ok: true,
    data: { status: 'unavailable' },
  });
  const failure = { kind: 'server', code: codes.unknownCall, msg: '' };
  const outdated = start({ ok: false, failure });
  expect(await outdated.mails.get()).toEqual({ ok: false, failure });
  expect(await outdated.mails.set([])).toEqual({ ok: false, failure });
});

import { codes } from '@linnet/contract/codes';
import { prefixes } from '@linnet/contract/routes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';

let server: TestServer;
let account: Account;
let stranger: Account;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.register();
  stranger = await server.register();
});
afterAll(() => server.close());

async function newDevice(): Promise<string> {
  const sn = `SN-${crypto.randomUUID()}`;
  await server.registerDevice(sn);
  return sn;
}

describe.each(Object.values(prefixes))('recorders under %s', (prefix) => {
  const call: TestServer['call'] = (name, body, options) =>
    server.call(name, body, { prefix, token: account.access, ...options });
  const theirs = () => ({ token: stranger.access });

  it('are free, bound, listed, and free again', async () => {
    const sn = await newDevice();
    expect((await call('device/check', { sn })).data).toMatchObject({ sn, bound: 'none' });
    expect((await call('device/binding', { sn })).data).toMatchObject({ sn });
    expect((await call('device/check', { sn })).data).toMatchObject({ sn, bound: 'self' });
    // A retry after a lost reply.
    expect((await call('device/binding', { sn })).code).toBe(codes.ok);
    const { data } = await call('device/index');
    expect(data.list.filter((device) => device.sn === sn)).toHaveLength(1);
    expect((await call('device/index', {}, theirs())).data.list).toEqual([]);
    expect((await call('device/unbinding', { sn })).code).toBe(codes.ok);
    expect((await call('device/check', { sn })).data.bound).toBe('none');
  });

  it('belong to one account only', async () => {
    const sn = await newDevice();
    await call('device/binding', { sn });
    for (const name of ['device/check', 'device/binding'] as const) {
      expect((await call(name, { sn }, theirs())).code).toBe(codes.deviceBoundElsewhere);
    }
    expect((await call('device/unbinding', { sn }, theirs())).code).toBe(codes.deviceNotYours);
    expect((await call('device/check', { sn })).data.bound).toBe('self');
  });

  it('are bound by one of many that try at once', async () => {
    const sn = await newDevice();
    const accounts = await Promise.all(Array.from({ length: 6 }, () => server.register()));
    const answers = await Promise.all(
      accounts.map(({ access }) => call('device/binding', { sn }, { token: access })),
    );
    const seen = answers.map(({ code }) => code).toSorted((a, b) => a - b);
    expect(seen).toEqual([codes.ok, ...Array(5).fill(codes.deviceBoundElsewhere)]);
  });

  it('have to be registered', async () => {
    const sn = `SN-${crypto.randomUUID()}`;
    for (const name of ['device/check', 'device/binding'] as const) {
      const answer = await call(name, { sn });
      expect(answer).toMatchObject({ code: codes.deviceNotRegistered, data: null });
    }
    expect((await call('device/unbinding', { sn })).code).toBe(codes.deviceNotYours);
  });

  it.each(['device/check', 'device/binding', 'device/unbinding'] as const)(
    '%s refuses a body that is not right, and a missing token',
    async (name) => {
      for (const body of [{}, { sn: 1 }, { sn: '' }, { sn: 'x'.repeat(65) }]) {
        expect((await call(name, body)).code).toBe(codes.badRequest);
      }
      expect((await server.call(name, { sn: 'x' }, { prefix })).code).toBe(codes.tokenInvalid);
    },
  );
});

it('with DEVICES=open any serial may be bound', async () => {
  const open = await startTestServer({ DEVICES: 'open' });
  const { access } = await open.register();
  const answer = await open.call('device/binding', { sn: 'HOME-MADE' }, { token: access });
  expect(answer).toMatchObject({ code: codes.ok, data: { sn: 'HOME-MADE' } });
  await open.close();
});

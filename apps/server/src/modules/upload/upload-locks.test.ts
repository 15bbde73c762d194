import type { Lock } from '@tus/server';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { grantFor } from '../../../test/uploads.ts';
import { createUploadLocks } from './upload-locks.ts';

let server: TestServer;
let account: Account;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.register();
});
afterAll(() => server.close());

const log = pino({ level: 'silent' });
/** The lock of a request. Locks share only the row, as in separate processes. */
const lockOn = (key: string): Lock => createUploadLocks(server.db, log).newLock(key);
const newKey = async () => (await grantFor(server, account)).key;
const never = new AbortController().signal;
const keep = () => expect.unreachable('nobody waits');

describe('upload locks', () => {
  it('have one holder at a time, who is notified of a waiting request', async () => {
    const key = await newKey();
    const [first, second] = [lockOn(key), lockOn(key)];
    const asked = vi.fn();
    await first.lock(never, asked);
    const order: string[] = [];
    const taken = second.lock(never, keep).then(() => order.push('second'));
    await vi.waitUntil(() => asked.mock.calls.length > 0, { timeout: 60_000 });
    order.push('first leaves');
    await first.unlock();
    await taken;
    expect(order).toEqual(['first leaves', 'second']);
    await second.unlock();
    await first.lock(never, keep);
    await first.unlock();
  });

  it('pass from a dead holder to the next one', async () => {
    const key = await newKey();
    const dead = lockOn(key);
    const asked = vi.fn();
    await dead.lock(never, asked);
    const killed = { locked_until: new Date(0) };
    await server.db.updateTable('upload_leaves').set(killed).where('key', '=', key).execute();
    const next = lockOn(key);
    await next.lock(never, keep);
    // If the expired holder is still alive, it stops without affecting the new one.
    await vi.waitUntil(() => asked.mock.calls.length > 0, { timeout: 60_000 });
    await dead.unlock();
    const row = await server.db
      .selectFrom('upload_leaves')
      .select('lock_holder')
      .where('key', '=', key)
      .executeTakeFirstOrThrow();
    expect(row.lock_holder).not.toBeNull();
    await next.unlock();
  });

  it('are retained while they are renewed', async () => {
    const key = await newKey();
    const held = lockOn(key);
    await held.lock(never, keep);
    const until = async () =>
      (
        await server.db
          .selectFrom('upload_leaves')
          .select('locked_until')
          .where('key', '=', key)
          .executeTakeFirstOrThrow()
      ).locked_until?.getTime() ?? 0;
    const before = await until();
    await vi.waitUntil(async () => (await until()) > before, { timeout: 60_000 });
    await held.unlock();
    expect(await until()).toBe(0);
  });

  it('notify no holder that releases during a renewal', async () => {
    const key = await newKey();
    const [renewing, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let isHeldBack = false;
    let isThrough = false;
    const slow = server.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (isHeldBack) {
          isHeldBack = false;
          renewing.resolve();
          await gate.promise;
          isThrough = true;
        }
        return result;
      },
    });
    const held = createUploadLocks(slow, log).newLock(key);
    const asked = vi.fn();
    await held.lock(never, asked);
    const second = lockOn(key);
    const taken = second.lock(never, keep);
    await vi.waitUntil(
      async () =>
        (
          await server.db
            .selectFrom('upload_leaves')
            .select('lock_wanted')
            .where('key', '=', key)
            .executeTakeFirstOrThrow()
        ).lock_wanted,
      { timeout: 60_000 },
    );
    isHeldBack = true;
    await renewing.promise;
    await held.unlock();
    await taken;
    gate.resolve();
    await vi.waitUntil(() => isThrough);
    await new Promise(setImmediate);
    expect(asked).not.toHaveBeenCalled();
    await second.unlock();
  });

  it('stop waiting after an abort and do not exist without a grant', async () => {
    const key = await newKey();
    const held = lockOn(key);
    await held.lock(never, () => undefined);
    const left = new AbortController();
    const waiting = lockOn(key).lock(left.signal, keep);
    left.abort();
    await expect(waiting).rejects.toMatchObject({ status_code: 400 });
    await held.unlock();
    await expect(lockOn('voice/x/y.ogg').lock(never, keep)).rejects.toMatchObject({
      status_code: 404,
    });
  });
});

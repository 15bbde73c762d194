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
/** Creates a request's lock. Locks share nothing but the database row, as if they were in separate processes. */
const lockOn = (key: string): Lock => createUploadLocks(server.db, log).newLock(key);
const newKey = async () => (await grantFor(server, account)).key;
const neverAborted = new AbortController().signal;
const unexpectedRelease = () => expect.unreachable('no request is waiting');

describe('upload locks', () => {
  it('have one holder at a time, which is notified of a waiting request', async () => {
    const key = await newKey();
    const [first, second] = [lockOn(key), lockOn(key)];
    const onReleaseRequested = vi.fn();
    await first.lock(neverAborted, onReleaseRequested);
    const order: string[] = [];
    const secondAcquired = second
      .lock(neverAborted, unexpectedRelease)
      .then(() => order.push('second'));
    await vi.waitUntil(() => onReleaseRequested.mock.calls.length > 0, { timeout: 60_000 });
    order.push('first leaves');
    await first.unlock();
    await secondAcquired;
    expect(order).toEqual(['first leaves', 'second']);
    await second.unlock();
    await first.lock(neverAborted, unexpectedRelease);
    await first.unlock();
  });

  it('can be acquired when the lease of the holder has expired', async () => {
    const key = await newKey();
    const deadLock = lockOn(key);
    const onReleaseRequested = vi.fn();
    await deadLock.lock(neverAborted, onReleaseRequested);
    const killed = { locked_until: new Date(0) };
    await server.db.updateTable('upload_leaves').set(killed).where('key', '=', key).execute();
    const next = lockOn(key);
    await next.lock(neverAborted, unexpectedRelease);
    // If the expired holder is still running, it stops without releasing its successor's lock.
    await vi.waitUntil(() => onReleaseRequested.mock.calls.length > 0, { timeout: 60_000 });
    await deadLock.unlock();
    const row = await server.db
      .selectFrom('upload_leaves')
      .select('lock_holder')
      .where('key', '=', key)
      .executeTakeFirstOrThrow();
    expect(row.lock_holder).not.toBeNull();
    await next.unlock();
  });

  it('are renewed while they are held', async () => {
    const key = await newKey();
    const lock = lockOn(key);
    await lock.lock(neverAborted, unexpectedRelease);
    const leaseEnd = async () =>
      (
        await server.db
          .selectFrom('upload_leaves')
          .select('locked_until')
          .where('key', '=', key)
          .executeTakeFirstOrThrow()
      ).locked_until?.getTime() ?? 0;
    const before = await leaseEnd();
    await vi.waitUntil(async () => (await leaseEnd()) > before, { timeout: 60_000 });
    await lock.unlock();
    expect(await leaseEnd()).toBe(0);
  });

  it('do not notify a holder that releases the lock during a renewal', async () => {
    const key = await newKey();
    const [renewing, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let holdNextResult = false;
    let isResultDelivered = false;
    const slow = server.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (holdNextResult) {
          holdNextResult = false;
          renewing.resolve();
          await gate.promise;
          isResultDelivered = true;
        }
        return result;
      },
    });
    const lock = createUploadLocks(slow, log).newLock(key);
    const onReleaseRequested = vi.fn();
    await lock.lock(neverAborted, onReleaseRequested);
    const second = lockOn(key);
    const secondAcquired = second.lock(neverAborted, unexpectedRelease);
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
    holdNextResult = true;
    await renewing.promise;
    await lock.unlock();
    await secondAcquired;
    gate.resolve();
    await vi.waitUntil(() => isResultDelivered);
    await new Promise(setImmediate);
    expect(onReleaseRequested).not.toHaveBeenCalled();
    await second.unlock();
  });

  it('reject an aborted wait, and a key without a grant', async () => {
    const key = await newKey();
    const lock = lockOn(key);
    await lock.lock(neverAborted, () => undefined);
    const waiter = new AbortController();
    const waiting = lockOn(key).lock(waiter.signal, unexpectedRelease);
    waiter.abort();
    await expect(waiting).rejects.toMatchObject({ status_code: 400 });
    await lock.unlock();
    await expect(
      lockOn('voice/x/y.ogg').lock(neverAborted, unexpectedRelease),
    ).rejects.toMatchObject({
      status_code: 404,
    });
  });
});

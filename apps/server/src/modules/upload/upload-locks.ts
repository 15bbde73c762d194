import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Lock, Locker } from '@tus/server';
import { ERRORS } from '@tus/server';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';

/** Interval at which a holder renews its lock and checks whether another request is waiting for it. */
const renewMs = 1000;
/** A lock that hasn't been renewed for this long counts as free, because its holder's process has died. */
const leaseSeconds = 15;
/** Interval at which a waiting request retries to acquire the lock. */
const retryMs = 100;
/** Timeout for acquiring a lock. The holder may have to finish storing a chunk before it can release the lock. */
const acquireTimeoutMs = 30_000;

/**
 * Creates locks for resumable uploads. They are stored in the rows of the grants, because consecutive requests may be
 * handled by different processes. The holder is asked to release the lock as soon as another request waits for it, so a
 * client that lost its connection can resume without waiting for the old request to time out.
 */
export function createUploadLocks(db: Database, log: Logger): Locker {
  return { newLock: (key) => createLock(db, log, key) };
}

function createLock(db: Database, log: Logger, key: string): Lock {
  const holder = randomUUID();
  const heldLock = () =>
    db.updateTable('upload_leaves').where('key', '=', key).where('lock_holder', '=', holder);
  const leaseEnd = sql<Date>`now() + make_interval(secs => ${leaseSeconds})`;
  let renewalTimer: NodeJS.Timeout | undefined;

  async function tryAcquire(): Promise<boolean> {
    const acquiredRow = await db
      .updateTable('upload_leaves')
      .set({ lock_holder: holder, locked_until: leaseEnd, lock_wanted: false })
      .where('key', '=', key)
      .where((row) =>
        row.or([row('lock_holder', 'is', null), row('locked_until', '<', sql<Date>`now()`)]),
      )
      .returning('key')
      .executeTakeFirst();
    if (acquiredRow) return true;
    const grant = await db
      .updateTable('upload_leaves')
      .set({ lock_wanted: true })
      .where('key', '=', key)
      .returning('key')
      .executeTakeFirst();
    if (!grant) throw ERRORS.FILE_NOT_FOUND;
    return false;
  }

  /** Renews the lock. Returns false if the lock was lost or another request is waiting for it. */
  async function renew(): Promise<boolean> {
    const grant = await heldLock()
      .set({ locked_until: leaseEnd })
      .returning('lock_wanted')
      .executeTakeFirst();
    return grant?.lock_wanted === false;
  }

  return {
    async lock(signal, requestRelease) {
      const deadline = Date.now() + acquireTimeoutMs;
      while (!(await tryAcquire())) {
        if (signal.aborted) throw ERRORS.ABORTED;
        if (Date.now() > deadline) throw ERRORS.ERR_LOCK_TIMEOUT;
        await wait(retryMs);
      }
      const renewOrYield = async () => {
        const timer = renewalTimer;
        const mayKeep = await renew().catch((error) => {
          log.warn({ err: error }, 'upload lock renewal failed');
          return false;
        });
        // The lock was released during the renewal, and another request may already hold it.
        if (renewalTimer !== timer) return;
        if (mayKeep) timer?.refresh();
        else await requestRelease();
      };
      renewalTimer = setTimeout(renewOrYield, renewMs);
    },

    async unlock() {
      clearTimeout(renewalTimer);
      renewalTimer = undefined;
      await heldLock().set({ lock_holder: null, locked_until: null, lock_wanted: false }).execute();
    },
  };
}

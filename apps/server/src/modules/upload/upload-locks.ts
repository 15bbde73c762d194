import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Lock, Locker } from '@tus/server';
import { ERRORS } from '@tus/server';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';

/** Interval at which a holder renews its lock and checks whether another request waits for it. */
const renewMs = 1000;
/** A lock that was not renewed for this long is free: its holder is dead. */
const lifeSeconds = 15;
const tryMs = 100;
/** Longest wait for a lock: the holder is asked to give way, and may have to store a part first. */
const patienceMs = 30_000;

/**
 * Locks on resumable uploads, stored with their grants since the next request may reach another process. A request of
 * a dead connection gives way to the one that continues the upload.
 */
export function createUploadLocks(db: Database, log: Logger): Locker {
  return { newLock: (key) => createLock(db, log, key) };
}

function createLock(db: Database, log: Logger, key: string): Lock {
  const holder = randomUUID();
  const ours = () =>
    db.updateTable('upload_leaves').where('key', '=', key).where('lock_holder', '=', holder);
  const until = sql<Date>`now() + make_interval(secs => ${lifeSeconds})`;
  let renewal: NodeJS.Timeout | undefined;

  async function take(): Promise<boolean> {
    const taken = await db
      .updateTable('upload_leaves')
      .set({ lock_holder: holder, locked_until: until, lock_wanted: false })
      .where('key', '=', key)
      .where((row) =>
        row.or([row('lock_holder', 'is', null), row('locked_until', '<', sql<Date>`now()`)]),
      )
      .returning('key')
      .executeTakeFirst();
    if (taken) return true;
    const held = await db
      .updateTable('upload_leaves')
      .set({ lock_wanted: true })
      .where('key', '=', key)
      .returning('key')
      .executeTakeFirst();
    if (!held) throw ERRORS.FILE_NOT_FOUND;
    return false;
  }

  /** Renews the lock. @returns whether it is still ours and no other request waits for it */
  async function renew(): Promise<boolean> {
    const held = await ours()
      .set({ locked_until: until })
      .returning('lock_wanted')
      .executeTakeFirst();
    return held?.lock_wanted === false;
  }

  return {
    async lock(signal, makeWay) {
      const end = Date.now() + patienceMs;
      while (!(await take())) {
        if (signal.aborted) throw ERRORS.ABORTED;
        if (Date.now() > end) throw ERRORS.ERR_LOCK_TIMEOUT;
        await wait(tryMs);
      }
      const check = async () => {
        const mine = renewal;
        const keep = await renew().catch((error) => {
          log.warn({ err: error }, 'upload lock renewal failed');
          return false;
        });
        // It was released during the renewal, and may belong to another request.
        if (renewal !== mine) return;
        if (keep) mine?.refresh();
        else await makeWay();
      };
      renewal = setTimeout(check, renewMs);
    },

    async unlock() {
      clearTimeout(renewal);
      renewal = undefined;
      await ours().set({ lock_holder: null, locked_until: null, lock_wanted: false }).execute();
    },
  };
}

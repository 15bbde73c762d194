import type { Database } from '../db/database.ts';
import { nextRevision } from '../db/database.ts';
import { freeAudio } from '../modules/recording/free-audio.ts';
import type { JobHandler } from './jobs.ts';
import type { Queue } from './queue.ts';

export interface FreeAudioDependencies {
  readonly db: Database;
  readonly queue: Queue;
  readonly now: () => Date;
}

/**
 * Creates the "free-audio" job. It deletes an account's audio from the server when the grace period after turning off
 * cloud storage has ended.
 */
export function freeAudioJob({ db, queue, now }: FreeAudioDependencies): JobHandler<'free-audio'> {
  return async ({ accountId }) => {
    await db.transaction().execute(async (trx) => {
      const account = await trx
        .selectFrom('accounts')
        .select('id')
        .where('id', '=', accountId)
        .where('closed_at', 'is', null)
        .executeTakeFirst();
      if (!account) return;
      const rev = await nextRevision(trx, accountId);
      await freeAudio(trx, queue, accountId, { rev, now: now() });
    });
  };
}

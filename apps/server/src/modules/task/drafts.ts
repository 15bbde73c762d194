import type { CallData } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import { taskStatus } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import type { Caller } from '../user/access.ts';
import { draftEngine } from './latest-transcript.ts';
import type { TaskService } from './service.ts';
import type { TranscriptionSupport } from './transcription-support.ts';

/**
 * Finds and replaces the drafts of an account: transcripts by PocketSphinx, made before a better engine was installed.
 * Replacing one is free, because its user has already paid for a transcript.
 */
export interface Drafts {
  /** Counts the drafts that can be replaced. */
  count(accountId: string): Promise<CallData<'task/drafts'>>;
  /**
   * Queues a free transcription for each draft, oldest first, up to `limits.transcription.draftsPerCall`. A draft that
   * is already queued isn't counted again, so that a retry after a lost response does nothing.
   */
  replace(caller: Caller): Promise<CallData<'task/replace-drafts'>>;
}

export interface DraftParts {
  readonly db: Database;
  readonly tasks: Pick<TaskService, 'create'>;
  readonly transcription: Pick<TranscriptionSupport, 'languages'>;
}

export function createDrafts({ db, tasks, transcription }: DraftParts): Drafts {
  /**
   * Finds the drafts in languages that a better engine supports. Excludes recordings that are being transcribed, are in
   * the recycle bin or have no audio on the server, and transcripts that the user has edited or highlighted.
   */
  async function find(accountId: string) {
    const better = (await transcription.languages()).filter(({ quality }) => quality === 'good');
    if (better.length === 0) return [];
    return db
      .with('latest', (queries) =>
        queries
          .selectFrom('tasks')
          .distinctOn('recording_id')
          .selectAll()
          .where('account_id', '=', accountId)
          .orderBy('recording_id')
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc'),
      )
      .selectFrom('latest as task')
      .innerJoin('recordings', 'recordings.id', 'task.recording_id')
      .select(['task.id', 'task.recording_id', 'task.language'])
      .where('task.status', '=', taskStatus.transcribed)
      .where(sql<string>`split_part(task.engine, '/', 1)`, '=', draftEngine)
      .where(
        'task.language',
        'in',
        better.map(({ language }) => language),
      )
      .where('recordings.is_del', '=', 0)
      .where('recordings.object_key', 'is not', null)
      .where('recordings.lost_at', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('paragraphs')
              .select('paragraphs.id')
              .whereRef('paragraphs.task_id', '=', 'task.id')
              .where((where) =>
                where.or([where('original', 'is not', null), where('is_tag', '=', 1)]),
              ),
          ),
        ),
      )
      .orderBy('task.created_at')
      .orderBy('task.id')
      .execute();
  }

  return {
    count: async (accountId) => ({ count: (await find(accountId)).length }),

    async replace(caller) {
      const drafts = await find(caller.accountId);
      const batch = drafts.slice(0, limits.transcription.draftsPerCall);
      let queued = 0;
      for (const { id, recording_id, language } of batch) {
        try {
          await tasks.create(caller, { id: recording_id, language, again: id });
          queued += 1;
        } catch (error) {
          // The recording was deleted or lost its audio in the meantime.
          if (!(error instanceof CallError)) throw error;
        }
      }
      return { queued, left: drafts.length - batch.length };
    },
  };
}

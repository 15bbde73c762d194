import type { CallData } from '@linnet/contract';
import type { CodeName } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { taskStatus } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import { activeStatuses } from './active-tasks.ts';
import { isPaidDraft, recordingsWithoutFreeAttempts } from './free-retranscription.ts';
import { draftEngine } from './latest-transcript.ts';
import type { TaskService } from './service.ts';
import type { TranscriptionSupport } from './transcription-support.ts';

/**
 * Finds and replaces an account's drafts: transcripts made by PocketSphinx before a better engine was installed.
 * Replacing a draft is free, because the user has already paid for a transcript.
 */
export interface Drafts {
  /** Counts the drafts that can be replaced. */
  count(accountId: string): Promise<CallData<'task/drafts'>>;
  /**
   * Queues a free transcription for each draft, oldest first, up to `limits.transcription.draftsPerCall`. Never charges
   * minutes. Drafts that are already queued are skipped, so the call can be retried after a lost response.
   */
  replace(accountId: string): Promise<CallData<'task/replace-drafts'>>;
}

export interface DraftDependencies {
  readonly db: Database;
  readonly tasks: Pick<TaskService, 'createIfFree'>;
  readonly transcription: Pick<TranscriptionSupport, 'languages'>;
}

/** Errors that affect a single recording. That recording is skipped; the others are still transcribed. */
const skippableErrors: ReadonlySet<CodeName> = new Set(['notFound', 'notUploaded']);

export function createDrafts({ db, tasks, transcription }: DraftDependencies): Drafts {
  /**
   * Finds the drafts in languages that a better engine supports. Excludes recordings that are being transcribed, are in
   * the recycle bin, have no audio on the server or have used up their free transcriptions, and transcripts that the
   * user has edited or highlighted.
   */
  async function find(accountId: string) {
    const betterLanguages = (await transcription.languages()).filter(
      ({ quality }) => quality === 'good',
    );
    if (betterLanguages.length === 0) return [];
    const transcripts = db
      .selectFrom('tasks')
      .distinctOn('recording_id')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('status', '=', taskStatus.transcribed)
      .orderBy('recording_id')
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc');
    const drafts = await db
      .selectFrom(transcripts.as('task'))
      // A task for a range contains the whole transcript, but only the range was charged, so use the original task.
      .innerJoin(transcripts.where('range', 'is', null).as('whole'), (join) =>
        join.onRef('whole.recording_id', '=', 'task.recording_id'),
      )
      .innerJoin('recordings', 'recordings.id', 'task.recording_id')
      .select([
        'task.recording_id',
        'task.language',
        'task.engine',
        'whole.minutes',
        'whole.is_free',
        'recordings.total_time',
      ])
      .where(sql<string>`split_part(task.engine, '/', 1)`, '=', draftEngine)
      .where(
        'task.language',
        'in',
        betterLanguages.map(({ language }) => language),
      )
      .where('recordings.is_del', '=', 0)
      .where('recordings.object_key', 'is not', null)
      .where('recordings.lost_at', 'is', null)
      .where('recordings.id', 'not in', recordingsWithoutFreeAttempts(db, accountId))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('tasks as active')
              .select('active.id')
              .whereRef('active.recording_id', '=', 'task.recording_id')
              .where('active.status', 'in', activeStatuses),
          ),
        ),
      )
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
    return drafts.filter((draft) => isPaidDraft(draft, draft.total_time, draft.language));
  }

  return {
    count: async (accountId) => ({ count: (await find(accountId)).length }),

    async replace(accountId) {
      const drafts = await find(accountId);
      const batch = drafts.slice(0, limits.transcription.draftsPerCall);
      let queued = 0;
      for (const { recording_id, language } of batch) {
        try {
          const task = await tasks.createIfFree(accountId, recording_id, language);
          if (task) queued += 1;
        } catch (error) {
          // The recording has since been deleted or lost its audio.
          if (!(error instanceof CallError) || !skippableErrors.has(error.reason)) throw error;
        }
      }
      return { queued, left: drafts.length - batch.length };
    },
  };
}

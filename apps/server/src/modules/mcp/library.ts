import type { CallData } from '@linnet/contract';
import type { Edit } from '@linnet/contract/operations';
import { sql } from 'kysely';
import type { Database, Row } from '../../db/database.ts';
import { isId } from '../../db/ids.ts';
import { CallError } from '../../http/failure.ts';
import type { Questions } from '../ask/service.ts';
import type { RecordingService } from '../recording/service.ts';
import { displayName } from '../recording/view.ts';
import type { Operations } from '../sync/operations.ts';
import { latestTranscript, selectLatestTranscript } from '../task/latest-transcript.ts';
import type { TaskService } from '../task/service.ts';

/** A recording with its speakers' names and its completed to-dos. */
export type RecordingRow = Pick<
  Row<'recordings'>,
  'id' | 'client_flag' | 'recorded_at' | 'total_time' | 'tags' | 'speakers' | 'ticks'
> & { readonly title: string };

export type TranscriptParagraph = Pick<
  Row<'paragraphs'>,
  'ordinal' | 'start_time' | 'content' | 'speaker'
>;

/** A recording's summary and its document. Both are empty if there is no summary. */
export type RecordingSummary = Pick<Row<'tasks'>, 'summary' | 'summary_json'>;

/** A part of a transcript: the paragraphs between two positions (in seconds), starting with a given ordinal. */
export interface TranscriptPart {
  readonly from: number;
  readonly to: number;
  readonly first: number;
}

/** Reads and edits an account's recordings for the tools. */
export interface Library {
  search(query: string, page: number): Promise<CallData<'task/search'>>;
  /** Finds the paragraphs that answer a question. */
  ask(question: string): Promise<CallData<'ask/passages'>>;
  /** Lists the recordings that aren't archived, newest first. */
  list(page: number): Promise<CallData<'task/index'>>;
  /**
   * Finds a recording.
   * @throws CallError notFound
   */
  find(id: string): Promise<RecordingRow>;
  /**
   * Reads a part of a recording's transcript.
   * @throws CallError notTranscribed
   */
  transcript(recordingId: string, part: TranscriptPart): Promise<readonly TranscriptParagraph[]>;
  /**
   * Reads a recording's summary.
   * @throws CallError notTranscribed
   */
  summary(recordingId: string): Promise<RecordingSummary>;
  /**
   * Lists the recordings that have to-dos, newest first.
   * @param includesDone whether recordings that only have completed to-dos are included
   */
  withTodos(
    includesDone: boolean,
    page: number,
  ): Promise<readonly (RecordingRow & RecordingSummary)[]>;
  /**
   * Applies an edit.
   * @throws CallError with the code of the rejected edit
   */
  edit(edit: Edit): Promise<void>;
}

export interface LibraryDependencies {
  readonly db: Database;
  readonly recordings: RecordingService;
  readonly tasks: TaskService;
  readonly operations: Operations;
  readonly questions: Pick<Questions, 'passages'>;
}

/** Number of recordings per page. */
const limit = 20;
/** Maximum number of paragraphs to read. More than fit into one response. */
const maxParagraphs = 5000;
/** Replaces URL signing, because the tools return no audio. */
const withoutUrl = () => '';

export function createLibrary(
  { db, recordings, tasks, operations, questions }: LibraryDependencies,
  accountId: string,
): Library {
  const selectRecordings = () =>
    db
      .selectFrom('recordings')
      .select(['recordings.id', 'client_flag', 'recorded_at', 'total_time', 'tags', 'speakers'])
      .select(['ticks', displayName.as('title')])
      .where('recordings.account_id', '=', accountId)
      .where('is_del', '=', 0);

  async function findTranscript(recordingId: string) {
    const transcript = await latestTranscript(db, recordingId);
    if (!transcript) throw new CallError('notTranscribed');
    return transcript;
  }

  return {
    search: (keyword, page) =>
      tasks.search(accountId, { keyword, notes: true, limit, page }, withoutUrl),
    ask: (question) => questions.passages(accountId, { question }),
    list: (page) => recordings.list(accountId, { limit, page, archived: 'without' }, withoutUrl),

    async find(id) {
      const row = isId(id)
        ? await selectRecordings().where('recordings.id', '=', id).executeTakeFirst()
        : undefined;
      if (!row) throw new CallError('notFound');
      return row;
    },

    async transcript(recordingId, { from, to, first }) {
      const { id } = await findTranscript(recordingId);
      return db
        .selectFrom('paragraphs')
        .select(['ordinal', 'start_time', 'content', 'speaker'])
        .where('task_id', '=', id)
        .where('end_time', '>=', from)
        .where('start_time', '<=', to)
        .where('ordinal', '>=', first)
        .orderBy('ordinal')
        .limit(maxParagraphs)
        .execute();
    },

    async summary(recordingId) {
      const { id } = await findTranscript(recordingId);
      return db
        .selectFrom('tasks')
        .select(['summary', 'summary_json'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
    },

    withTodos: (includesDone, page) =>
      selectRecordings()
        .innerJoinLateral(selectLatestTranscript, (join) => join.onTrue())
        .select(['transcript.summary', 'transcript.summary_json'])
        .where(sql<boolean>`exists (
          select from jsonb_array_elements(transcript.summary_json->'todos') as todo
          where ${includesDone} or not coalesce((recordings.ticks->>(todo->>'id'))::boolean, false)
        )`)
        .orderBy('recorded_at', 'desc')
        .orderBy('recordings.id', 'desc')
        .limit(limit)
        .offset((page - 1) * limit)
        .execute(),

    edit: (edit) => db.transaction().execute((trx) => operations.perform(trx, accountId, [edit])),
  };
}

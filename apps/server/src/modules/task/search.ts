import type { CallData, CallInput, SearchMatch } from '@linnet/contract';
import { excerptAround } from '@linnet/contract/folding';
import { taskStatus } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import type { Database, Row } from '../../db/database.ts';
import { latestTasks } from '../recording/service.ts';
import type { Sign } from '../recording/view.ts';
import { shownName, shownNameOf, toRecording, toTaskHead } from '../recording/view.ts';
import { patternsOf } from './pattern.ts';

type Answer = CallData<'task/search'>;
/** Maximum number of words per search: each one costs a full scan, and further words hardly narrow it. */
const mostWords = 8;
/** Maximum number of matches shown per recording; the rest are only counted. */
const maxMatches = 3;

/** A matching recording, with the transcript shown for it. */
interface Found {
  readonly id: string;
  readonly task_id: string | null;
  readonly summary: string | null;
}
interface FoundParagraph {
  readonly id: string;
  readonly task_id: string;
  readonly start_time: number;
  readonly content: string;
  /** Number of matches in the whole transcript. */
  readonly count: number;
}

/**
 * Finds recordings that contain every word in their title, tags, keywords, speaker names, summary or transcript.
 * Newest first; excludes the recycle bin.
 */
export async function searchRecordings(
  db: Database,
  accountId: string,
  { keyword, limit, page }: CallInput<'task/search'>,
  sign: Sign,
): Promise<Answer> {
  const patterns = patternsOf(keyword).slice(0, mostWords);
  const all = patterns.length === 0 ? [] : await find(db, accountId, patterns);
  const found = all.slice((page - 1) * limit, page * limit);
  const anyWord = patterns.join('|');
  const ids = found.map(({ id }) => id);
  const [rows, tasks, paragraphs] = await Promise.all([
    db
      .selectFrom('recordings')
      .selectAll()
      .where('id', '=', sql<string>`any(${ids}::uuid[])`)
      .execute(),
    latestTasks(db, ids),
    findParagraphs(
      db,
      found.flatMap(({ task_id: id }) => id ?? []),
      anyWord,
    ),
  ]);
  const hit = new RegExp(anyWord, 'u');
  const list = found.flatMap((one) => {
    const row = rows.find(({ id }) => id === one.id);
    // Deleted since the search.
    if (row === undefined) return [];
    const task = tasks.get(row.id) ?? null;
    const spoken = paragraphs.filter(({ task_id: id }) => id === one.task_id);
    const written = inWriting(row, one.summary ?? '', hit);
    const heard = spoken.map((paragraph) => ({
      where: 'paragraph' as const,
      ...excerpt(paragraph.content, hit),
      paragraph_id: paragraph.id,
      start_time: paragraph.start_time,
    }));
    return [
      {
        ...toRecording(row, task, sign),
        task: task && toTaskHead(task),
        matches: [...written, ...heard].slice(0, maxMatches),
        match_count: written.length + (spoken[0]?.count ?? 0),
      },
    ];
  });
  return { list, total: all.length, page, limit };
}

/** Finds recordings that contain all words, newest first, by scanning the account's rows. */
async function find(
  db: Database,
  accountId: string,
  patterns: readonly string[],
): Promise<Found[]> {
  const has = (pattern: string) => sql`(
    ${shownName} ~ ${pattern}
    or exists (select from jsonb_array_elements_text(recordings.tags) as tag where tag ~ ${pattern})
    or exists (select from jsonb_array_elements_text(recordings.keywords) as word
      where word ~ ${pattern})
    or exists (select from jsonb_each_text(recordings.speakers) as speaker
      where speaker.value ~ ${pattern})
    or transcript.summary ~ ${pattern}
    or exists (select from paragraphs
      where paragraphs.task_id = transcript.id and paragraphs.content ~ ${pattern})
  )`;
  const { rows } = await sql<Found>`
    select recordings.id, transcript.id as task_id, transcript.summary
    from recordings
    left join lateral (
      select tasks.id, tasks.summary from tasks
      where tasks.recording_id = recordings.id and tasks.status = ${taskStatus.transcribed}
      order by tasks.created_at desc, tasks.id desc limit 1
    ) as transcript on true
    where recordings.account_id = ${accountId} and recordings.is_del = 0
      and ${sql.join(patterns.map(has), sql` and `)}
    order by recordings.recorded_at desc, recordings.id desc`.execute(db);
  return rows;
}

/** Returns the first paragraphs of each transcript that contain any of the words. */
async function findParagraphs(
  db: Database,
  taskIds: readonly string[],
  anyWord: string,
): Promise<FoundParagraph[]> {
  const { rows } = await sql<FoundParagraph>`
    select id, task_id, start_time, content, count from (
      select id, task_id, start_time, content, ordinal,
        count(*) over (partition by task_id) as count,
        row_number() over (partition by task_id order by ordinal) as place
      from paragraphs where task_id = any(${taskIds}::uuid[]) and content ~ ${anyWord}
    ) as hits where place <= ${maxMatches} order by task_id, ordinal`.execute(db);
  return rows;
}

/** Matches in a recording's metadata and summary, most relevant first. */
function inWriting(row: Row<'recordings'>, summary: string, hit: RegExp): SearchMatch[] {
  const texts = [
    ['name', shownNameOf(row)],
    ...row.tags.map((tag) => ['tag', tag] as const),
    ...row.keywords.map((word) => ['keyword', word] as const),
    ...Object.values(row.speakers).map((name) => ['speaker', name] as const),
    ['summary', summary],
  ] as const;
  return texts.flatMap(([where, text]) =>
    hit.test(text) ? [{ where, ...excerpt(text, hit) }] : [],
  );
}

/** The line of the first match, shortened around it. */
function excerpt(text: string, hit: RegExp): Pick<SearchMatch, 'text' | 'start' | 'length'> {
  const found = hit.exec(text);
  const [start, length] = [found?.index ?? 0, found?.[0].length ?? 0];
  return { ...excerptAround(text, { start, end: start + length }), length };
}

import type { CallData, CallInput, SearchMatch } from '@linnet/contract';
import { excerptAround, findSpans, foldedWords, type Span } from '@linnet/contract/folding';
import { taskStatus } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import type { Database, Row } from '../../db/database.ts';
import { latestTasks } from '../recording/service.ts';
import type { Sign } from '../recording/view.ts';
import { displayName, getDisplayName, toRecording, toTaskHead } from '../recording/view.ts';
import { expanded, toPatterns } from './search-patterns.ts';

type SearchResponse = CallData<'task/search'>;
/** Maximum number of words per search. Each word requires a full scan, and more words barely narrow the results. */
const maxWords = 8;
/** Maximum number of matches returned per recording. Further matches are only counted. */
const maxMatches = 3;

/** A recording that contains all words, with its latest transcript. */
interface MatchingRecording {
  readonly id: string;
  readonly task_id: string | null;
  readonly summary: string | null;
}
interface MatchingParagraph {
  readonly id: string;
  readonly task_id: string;
  readonly start_time: number;
  readonly content: string;
  /** Number of matching paragraphs in the entire transcript. */
  readonly count: number;
}

const paragraphText = expanded(sql`paragraphs.content`);

/**
 * Finds the recordings that contain every word of the query in their title, tags, keywords, speaker names, notes,
 * markers, summary or latest transcript, newest first. Excludes the recycle bin.
 */
export async function searchRecordings(
  db: Database,
  accountId: string,
  { keyword, notes = false, limit, page }: CallInput<'task/search'>,
  sign: Sign,
): Promise<SearchResponse> {
  const patterns = toPatterns(keyword).slice(0, maxWords);
  const matching = patterns.length === 0 ? [] : await find(db, accountId, patterns);
  const matchesOnPage = matching.slice((page - 1) * limit, page * limit);
  const anyWord = patterns.join('|');
  const ids = matchesOnPage.map(({ id }) => id);
  const [rows, tasks, paragraphs] = await Promise.all([
    db
      .selectFrom('recordings')
      .selectAll()
      .where('id', '=', sql<string>`any(${ids}::uuid[])`)
      .execute(),
    latestTasks(db, ids),
    findParagraphs(
      db,
      matchesOnPage.flatMap(({ task_id: id }) => id ?? []),
      anyWord,
    ),
  ]);
  const words = foldedWords(keyword).slice(0, maxWords);
  const list = matchesOnPage.flatMap((match) => {
    const row = rows.find(({ id }) => id === match.id);
    // Skip recordings deleted since the search.
    if (row === undefined) return [];
    const task = tasks.get(row.id) ?? null;
    const matchingParagraphs = paragraphs.filter(({ task_id: id }) => id === match.task_id);
    const metadataMatches = findInMetadata(row, match.summary ?? '', words);
    const transcriptMatches = matchingParagraphs.map((paragraph) => ({
      where: 'paragraph' as const,
      ...excerpt(paragraph.content, findSpans(paragraph.content, words)[0]),
      paragraph_id: paragraph.id,
      start_time: paragraph.start_time,
    }));
    return [
      {
        ...toRecording(row, task, sign),
        task: task && toTaskHead(task),
        matches: [...metadataMatches, ...transcriptMatches]
          .filter(({ where }) => notes || (where !== 'note' && where !== 'marker'))
          .slice(0, maxMatches),
        match_count: metadataMatches.length + (matchingParagraphs[0]?.count ?? 0),
      },
    ];
  });
  return { list, total: matching.length, page, limit };
}

/** Finds the recordings that match all patterns, newest first, by scanning the account's rows. */
async function find(
  db: Database,
  accountId: string,
  patterns: readonly string[],
): Promise<MatchingRecording[]> {
  const has = (pattern: string) => sql`(
    ${expanded(displayName)} ~ ${pattern}
    or exists (select from jsonb_array_elements_text(recordings.tags) as tag
      where ${expanded(sql`tag`)} ~ ${pattern})
    or exists (select from jsonb_array_elements_text(recordings.keywords) as word
      where ${expanded(sql`word`)} ~ ${pattern})
    or exists (select from jsonb_each_text(recordings.speakers) as speaker
      where ${expanded(sql`speaker.value`)} ~ ${pattern})
    or exists (select from jsonb_array_elements(recordings.notes) as note
      where ${expanded(sql`note->>'text'`)} ~ ${pattern})
    or exists (select from jsonb_array_elements(recordings.markers) as marker
      where ${expanded(sql`marker->>'label'`)} ~ ${pattern})
    or ${expanded(sql`transcript.summary`)} ~ ${pattern}
    or exists (select from paragraphs
      where paragraphs.task_id = transcript.id and ${paragraphText} ~ ${pattern})
  )`;
  const { rows } = await sql<MatchingRecording>`
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

/** Finds the first paragraphs in each transcript that contain any of the words. */
async function findParagraphs(
  db: Database,
  taskIds: readonly string[],
  anyWord: string,
): Promise<MatchingParagraph[]> {
  const { rows } = await sql<MatchingParagraph>`
    select id, task_id, start_time, content, count from (
      select id, task_id, start_time, content, ordinal,
        count(*) over (partition by task_id) as count,
        row_number() over (partition by task_id order by ordinal) as place
      from paragraphs where task_id = any(${taskIds}::uuid[]) and ${paragraphText} ~ ${anyWord}
    ) as hits where place <= ${maxMatches} order by task_id, ordinal`.execute(db);
  return rows;
}

/** Returns the matches in a recording's metadata and summary, most relevant first. */
function findInMetadata(
  row: Row<'recordings'>,
  summary: string,
  words: readonly string[],
): SearchMatch[] {
  const texts = [
    ['name', getDisplayName(row)],
    ...row.tags.map((tag) => ['tag', tag] as const),
    ...row.keywords.map((word) => ['keyword', word] as const),
    ...Object.values(row.speakers).map((name) => ['speaker', name] as const),
    ...row.notes.map(({ text }) => ['note', text] as const),
    ...row.markers.map(({ label }) => ['marker', label] as const),
    ['summary', summary],
  ] as const;
  return texts.flatMap(([where, text]) => {
    const [match] = findSpans(text, words);
    return match ? [{ where, ...excerpt(text, match) }] : [];
  });
}

/** Returns the line that contains a match, shortened around the match. */
function excerpt(
  text: string,
  match: Span = { start: 0, end: 0 },
): Pick<SearchMatch, 'text' | 'start' | 'length'> {
  return { ...excerptAround(text, match), length: match.end - match.start };
}

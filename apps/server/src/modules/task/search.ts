import type { CallData, CallInput, SearchMatch } from '@linnet/contract';
import { excerptAround, findSpans, foldedWords, type Span } from '@linnet/contract/folding';
import { sql } from 'kysely';
import type { Database, Queries, Row } from '../../db/database.ts';
import { createGrams } from '../../retrieval/grams.ts';
import { findUnindexed } from '../../retrieval/passage-index.ts';
import { readIndexed } from '../../retrieval/read-transaction.ts';
import { listMetadata } from '../../retrieval/search-text.ts';
import { latestTasks } from '../recording/service.ts';
import type { Sign } from '../recording/view.ts';
import { displayName, toRecording, toTaskHead } from '../recording/view.ts';
import { selectLatestTranscript } from './latest-transcript.ts';
import { expanded, toPattern } from './search-patterns.ts';

type SearchResponse = CallData<'task/search'>;
/** Maximum number of words per search. More words barely narrow the results. */
const maxWords = 8;
/** Maximum number of matches returned per recording. Further matches are only counted. */
const maxMatches = 3;

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
  const words = foldedWords(keyword).slice(0, maxWords);
  const { total, ids } = await find(db, accountId, words, { limit, page });
  const [rows, tasks] = await Promise.all([
    db
      .selectFrom('recordings')
      .leftJoinLateral(selectLatestTranscript, (join) => join.onTrue())
      .selectAll('recordings')
      .select(['transcript.id as transcript_id', 'transcript.summary'])
      .where('recordings.id', '=', sql<string>`any(${ids}::uuid[])`)
      .execute(),
    latestTasks(db, ids),
  ]);
  const paragraphs = await findParagraphs(
    db,
    rows.flatMap(({ transcript_id: id }) => id ?? []),
    words.map(toPattern).join('|'),
  );
  const list = ids.flatMap((recordingId) => {
    const row = rows.find(({ id }) => id === recordingId);
    // Skip recordings deleted since the search.
    if (row === undefined) return [];
    const task = tasks.get(row.id) ?? null;
    const matchingParagraphs = paragraphs.filter(({ task_id: id }) => id === row.transcript_id);
    const metadataMatches = findInMetadata(row, row.summary ?? '', words);
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
  return { list, total, page, limit };
}

/** The recordings that contain all words. */
interface MatchingRecordings {
  readonly total: number;
  /** The recordings of the page, newest first. */
  readonly ids: readonly string[];
}

/**
 * Finds the recordings that contain all words in the index, and in the rows of recordings that have changed since they
 * were indexed.
 * @param words folded
 */
async function find(
  db: Database,
  accountId: string,
  words: readonly string[],
  { limit, page }: Pick<CallInput<'task/search'>, 'limit' | 'page'>,
): Promise<MatchingRecordings> {
  if (words.length === 0) return { total: 0, ids: [] };
  const grams = createGrams(accountId);
  return readIndexed(db, async (trx) => {
    const unindexed = await findUnindexed(trx, accountId);
    const { rows } = await sql<MatchingRecordings>`
      with matching as (
        select recording_id as id from search_texts
        where grams @> ${[...new Set(words.flatMap(grams.ofWord))]}::int[]
          and ${sql.join(
            words.map((word) => sql`strpos(text, ${word}) > 0`),
            sql` and `,
          )}
          and recording_id <> all(${unindexed}::uuid[])
        union all ${selectMatching(trx, unindexed, words.map(toPattern))}
      ),
      listed as materialized (
        select recordings.id, recorded_at from matching join recordings on recordings.id = matching.id
        where account_id = ${accountId} and is_del = 0
      )
      select (select count(*) from listed) as total,
        array(select id from listed order by recorded_at desc, id desc limit ${limit} offset ${(page - 1) * limit}) as ids`.execute(
      trx,
    );
    return rows[0] ?? { total: 0, ids: [] };
  });
}

/** Selects those of some recordings whose rows match all patterns. */
function selectMatching(trx: Queries, ids: readonly string[], patterns: readonly string[]) {
  const has = (pattern: string) => sql<boolean>`(
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
  return trx
    .selectFrom('recordings')
    .leftJoinLateral(selectLatestTranscript, (join) => join.onTrue())
    .select('recordings.id')
    .where('recordings.id', '=', sql<string>`any(${ids}::uuid[])`)
    .where(({ and }) => and(patterns.map(has)));
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
  return listMetadata(row, summary).flatMap(([where, text]) => {
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

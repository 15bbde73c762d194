import { excerptAround, findSpans } from '@linnet/contract/folding';
import {
  type FoundRecord,
  type FoundText,
  isDel,
  maxMatches,
  type SearchStore,
} from '@linnet/sync';
import { number, oneOf, text } from '../columns.ts';
import type { Commits } from '../commits.ts';
import type { SqlDatabase, SqlRow, SqlValue } from '../database.ts';
import { shownColumn } from '../speaker-names/naming.ts';
import { placeholders } from '../statements.ts';
import { findCandidates, SCAN_THRESHOLD } from './candidates.ts';
import { indexStep, metadataTexts, splitLines } from './index-step.ts';
import { METADATA_PAGE, metadataColumns, PAGE_PARAGRAPHS } from './schema.ts';

/**
 * Maximum number of words in a query; the same limit as on the server. More words barely narrow the results, and each
 * requires a scan.
 */
const MAX_WORDS = 8;

const readState = oneOf('kept', 'deleted');
const readFlag = oneOf(0, 1);

/** Creates a search store backed by SQLite. */
export function createSearchStore(database: SqlDatabase, commits: Commits): SearchStore {
  /** The highest number of stale pages and names since the index was last complete. */
  let total = 0;

  return {
    async find(uid, allWords, limit) {
      const words = allWords.slice(0, MAX_WORDS);
      if (words.length === 0) return { found: [], more: false };
      // Find one more recording than requested, to detect whether more exist.
      const ids = await findIds(database, uid, words, limit + 1);
      const shownIds = ids.slice(0, limit);
      return { found: await readResults(database, shownIds, words), more: ids.length > limit };
    },

    async catchUp() {
      // Update speaker names first, because summaries are indexed with the current ones.
      await commits.deriveNext();
      await commits.maintain(async () => ({ statements: await indexStep(database), records: [] }));
      const [row] = await database.query(
        `select (select count(*) from search_stale) + (select count(*) from stale_names) as stale`,
      );
      const remaining = number(row?.stale);
      total = remaining === 0 ? 0 : Math.max(total, remaining);
      return { remaining, total };
    },

    async presence(ids) {
      if (ids.length === 0) return new Map();
      const inIds = `in (${placeholders(ids.length)})`;
      const rows = await database.query(
        `select id, 'deleted' as state from tombstone where id ${inIds}
         union all
         select id, iif(is_del = ${isDel.binned}, 'deleted', 'kept') from record where id ${inIds}`,
        [...ids, ...ids],
      );
      return new Map(rows.map(({ id, state }) => [text(id), readState(state)]));
    },
  };
}

const pageContainsWord = `exists (select 1 from search_page
  where record_id = record.id and instr(folded, ?) > 0)`;

/** Finds the recordings outside the recycle bin that contain all words, newest first. */
async function findIds(
  database: SqlDatabase,
  uid: string,
  words: readonly string[],
  limit: number,
): Promise<string[]> {
  let rarest = { word: '', query: '', pages: SCAN_THRESHOLD };
  for (const word of words) {
    const candidates = await findCandidates(database, word);
    if (candidates && candidates.pages < rarest.pages) rarest = { word, ...candidates };
    if (rarest.pages === 0) return [];
  }
  const otherWords = words.filter((word) => word !== rarest.word);
  const values: SqlValue[] = [uid];
  const conditions = otherWords.map(() => pageContainsWord);
  if (rarest.word !== '') {
    conditions.unshift(`id in (
      select record_id from search_page
      where id in (select rowid from search_index where search_index match ?)
        and instr(folded, ?) > 0)`);
    values.push(rarest.query, rarest.word);
  }
  const rows = await database.query(
    `select id from record where uid = ? and is_del = ${isDel.kept}
       and ${conditions.join(' and ')}
     order by create_date desc, id limit ${limit}`,
    [...values, ...otherWords],
  );
  return rows.map(({ id }) => text(id));
}

/** Returns the search results for recordings. */
async function readResults(
  database: SqlDatabase,
  ids: readonly string[],
  words: readonly string[],
): Promise<FoundRecord[]> {
  if (ids.length === 0) return [];
  const records = await database.query(
    `select id, create_date, record_time, is_archived, ${metadataColumns.map(shownColumn).join(', ')} from record
     where id in (${placeholders(ids.length)})`,
    ids,
  );
  const byId = new Map(records.map((row) => [row.id, row]));
  const transcriptMatches = await findTranscriptMatches(database, ids, words);
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row ? [createFoundRecord(row, words, transcriptMatches.get(id))] : [];
  });
}

type TranscriptMatches = { readonly texts: readonly FoundText[]; readonly count: number };

function createFoundRecord(
  row: SqlRow,
  words: readonly string[],
  transcriptMatches?: TranscriptMatches,
): FoundRecord {
  const names = { title: text(row.title), ai_title: text(row.ai_title) };
  const metadataMatches = metadataTexts(row).flatMap(({ where, text }): FoundText[] => {
    const [hit] = findSpans(text, words);
    return hit ? [{ where, text: excerptAround(text, hit).text, paragraph: null }] : [];
  });
  const nameMatches = metadataMatches.filter(({ where }) => where === 'name');
  const firstMatch = metadataMatches.slice(nameMatches.length, nameMatches.length + 1);
  const otherMatches = metadataMatches.slice(nameMatches.length + 1);
  return {
    id: text(row.id),
    ...names,
    create_date: text(row.create_date),
    record_time: number(row.record_time),
    is_archived: readFlag(row.is_archived),
    // Put transcript matches before most metadata matches: a summary repeats the transcript and would crowd it out.
    matches: [
      ...nameMatches,
      ...[...firstMatch, ...(transcriptMatches?.texts ?? []), ...otherMatches].slice(0, maxMatches),
    ],
    matchCount: metadataMatches.length + (transcriptMatches?.count ?? 0),
  };
}

/** Finds the first paragraphs of each recording that contain any of the words, and counts all such paragraphs. */
async function findTranscriptMatches(
  database: SqlDatabase,
  ids: readonly string[],
  words: readonly string[],
): Promise<Map<string, TranscriptMatches>> {
  const pages = await database.query(
    `select record_id, page, folded from search_page
     where record_id in (${placeholders(ids.length)}) and page <> ${METADATA_PAGE}
       and (${words.map(() => 'instr(folded, ?) > 0').join(' or ')})
     order by record_id, page`,
    [...ids, ...words],
  );
  const ordinals = new Map<string, number[]>();
  for (const { record_id, page, folded } of pages) {
    const id = text(record_id);
    const lineOrdinals = ordinals.get(id) ?? [];
    ordinals.set(id, lineOrdinals);
    for (const [line, lineText] of splitLines(text(folded)).entries()) {
      if (words.some((word) => lineText.includes(word))) {
        lineOrdinals.push(number(page) * PAGE_PARAGRAPHS + line);
      }
    }
  }
  const firstOrdinals = [...ordinals].flatMap(([id, recordOrdinals]) =>
    recordOrdinals.slice(0, maxMatches).map((ordinal) => [id, ordinal]),
  );
  const rows = await database.query(
    `select hit.value ->> 0 as record_id, paragraph.id as id, body ->> '$.content' as content,
       body ->> '$.start_time' as start
     from json_each(?) as hit
     join record on record.id = hit.value ->> 0
     join paragraph on paragraph.task_id = record.results_task and ordinal = hit.value ->> 1
     order by hit.key`,
    [JSON.stringify(firstOrdinals)],
  );
  const matchesById = new Map<string, { texts: FoundText[]; count: number }>();
  for (const row of rows) {
    const record = text(row.record_id);
    const content = text(row.content);
    const entry = matchesById.get(record) ?? {
      texts: [],
      count: ordinals.get(record)?.length ?? 0,
    };
    matchesById.set(record, entry);
    const [hit] = findSpans(content, words);
    // Without a hit, the paragraph was edited after its page was indexed. The stale page will be indexed again.
    if (!hit) continue;
    entry.texts.push({
      where: 'paragraph',
      text: excerptAround(content, hit).text,
      paragraph: { id: text(row.id), seconds: number(row.start) },
    });
  }
  return matchesById;
}

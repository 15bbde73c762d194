import { excerptAround, findSpans } from '@linnet/contract/folding';
import {
  type FoundRecord,
  type FoundText,
  isDel,
  maxMatches,
  type SearchStore,
} from '@linnet/sync';
import { json, number, oneOf, text } from '../columns.ts';
import type { Commits } from '../commits.ts';
import type { SqlDatabase, SqlRow, SqlValue } from '../database.ts';
import { placeholders } from '../statements.ts';
import { findCandidates, SCAN_THRESHOLD } from './candidates.ts';
import { indexStep, metadataTexts, splitLines } from './index-step.ts';
import { PAGE_PARAGRAPHS, WRITTEN } from './schema.ts';

/** Maximum words of a query, as on the server. More hardly narrow the result, and each costs a scan. */
const MAX_WORDS = 8;

const readState = oneOf('kept', 'deleted');

/** The search store on SQLite. */
export function createSearchStore(database: SqlDatabase, commits: Commits): SearchStore {
  /** The maximum number of stale pages since the index was last complete. */
  let backlog = 0;

  return {
    async find(uid, typed, limit) {
      const words = typed.slice(0, MAX_WORDS);
      if (words.length === 0) return { found: [], more: false };
      // One extra result shows whether there are more.
      const ids = await findIds(database, uid, words, limit + 1);
      const shown = ids.slice(0, limit);
      return { found: await describe(database, shown, words), more: ids.length > limit };
    },

    async catchUp() {
      await commits.maintain(() => indexStep(database));
      const [row] = await database.query('select count(*) as stale from search_stale');
      const left = number(row?.stale);
      backlog = left === 0 ? 0 : Math.max(backlog, left);
      return { left, of: backlog };
    },

    async presence(ids) {
      if (ids.length === 0) return new Map();
      const among = `in (${placeholders(ids.length)})`;
      const rows = await database.query(
        `select id, 'deleted' as state from tombstone where id ${among}
         union all
         select id, iif(is_del = ${isDel.binned}, 'deleted', 'kept') from record where id ${among}`,
        [...ids, ...ids],
      );
      return new Map(rows.map(({ id, state }) => [text(id), readState(state)]));
    },
  };
}

const pageHas = `exists (select 1 from search_page
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
  const others = words.filter((word) => word !== rarest.word);
  const values: SqlValue[] = [uid];
  const conditions = others.map(() => pageHas);
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
    [...values, ...others],
  );
  return rows.map(({ id }) => text(id));
}

/** Returns the search results for recordings. */
async function describe(
  database: SqlDatabase,
  ids: readonly string[],
  words: readonly string[],
): Promise<FoundRecord[]> {
  if (ids.length === 0) return [];
  const records = await database.query(
    `select id, title, ai_title, create_date, record_time, tags, keywords, speakers, summary
     from record where id in (${placeholders(ids.length)})`,
    ids,
  );
  const byId = new Map(records.map((row) => [row.id, row]));
  const spoken = await spokenMatches(database, ids, words);
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row ? [foundRecord(row, words, spoken.get(id))] : [];
  });
}

type Spoken = { readonly texts: readonly FoundText[]; readonly count: number };

function foundRecord(row: SqlRow, words: readonly string[], spoken?: Spoken): FoundRecord {
  const named = { title: text(row.title), ai_title: text(row.ai_title) };
  const texts = metadataTexts({
    ...named,
    tags: json(row.tags),
    keywords: json(row.keywords),
    speakers: json(row.speakers),
    summary: text(row.summary),
  });
  const written = texts.flatMap(({ where, text }): FoundText[] => {
    const [hit] = findSpans(text, words);
    return hit ? [{ where, text: excerptAround(text, hit).text, paragraph: null }] : [];
  });
  const name = written.filter(({ where }) => where === 'name');
  const firstMetadata = written.slice(name.length, name.length + 1);
  const others = written.slice(name.length + 1);
  return {
    id: text(row.id),
    ...named,
    create_date: text(row.create_date),
    record_time: number(row.record_time),
    // Summaries repeat the transcript, and must not displace matches in the transcript itself.
    matches: [
      ...name,
      ...[...firstMetadata, ...(spoken?.texts ?? []), ...others].slice(0, maxMatches),
    ],
    matchCount: written.length + (spoken?.count ?? 0),
  };
}

/** Finds the first paragraphs of each recording that contain any of the words, and counts all of them. */
async function spokenMatches(
  database: SqlDatabase,
  ids: readonly string[],
  words: readonly string[],
): Promise<Map<string, Spoken>> {
  const pages = await database.query(
    `select record_id, page, folded from search_page
     where record_id in (${placeholders(ids.length)}) and page <> ${WRITTEN}
       and (${words.map(() => 'instr(folded, ?) > 0').join(' or ')})
     order by record_id, page`,
    [...ids, ...words],
  );
  const ordinals = new Map<string, number[]>();
  for (const { record_id, page, folded } of pages) {
    const id = text(record_id);
    const known = ordinals.get(id) ?? [];
    ordinals.set(id, known);
    for (const [line, spoken] of splitLines(text(folded)).entries()) {
      if (words.some((word) => spoken.includes(word))) {
        known.push(number(page) * PAGE_PARAGRAPHS + line);
      }
    }
  }
  const first = [...ordinals].flatMap(([id, places]) =>
    places.slice(0, maxMatches).map((ordinal) => [id, ordinal]),
  );
  const rows = await database.query(
    `select hit.value ->> 0 as record_id, paragraph.id as id, body ->> '$.content' as content,
       body ->> '$.start_time' as start
     from json_each(?) as hit
     join record on record.id = hit.value ->> 0
     join paragraph on paragraph.task_id = record.results_task and ordinal = hit.value ->> 1
     order by hit.key`,
    [JSON.stringify(first)],
  );
  const found = new Map<string, { texts: FoundText[]; count: number }>();
  for (const row of rows) {
    const record = text(row.record_id);
    const content = text(row.content);
    const entry = found.get(record) ?? { texts: [], count: ordinals.get(record)?.length ?? 0 };
    found.set(record, entry);
    // The paragraph changed after it was indexed. Its page is stale and will be indexed again.
    const [hit] = findSpans(content, words);
    if (!hit) continue;
    entry.texts.push({
      where: 'paragraph',
      text: excerptAround(content, hit).text,
      paragraph: { id: text(row.id), seconds: number(row.start) },
    });
  }
  return found;
}

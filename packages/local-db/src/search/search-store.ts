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
import { marks } from '../statements.ts';
import { candidatesOf, MANY } from './candidates.ts';
import { indexStep, linesOf, writings } from './index-step.ts';
import { PAGE_PARAGRAPHS, WRITTEN } from './schema.ts';

/** Maximum words of a query, as on the server: more narrow it no further, and each costs a scan. */
const MOST_WORDS = 8;

const readState = oneOf('kept', 'deleted');

/** The search store on SQLite. */
export function createSearchStore(database: SqlDatabase, commits: Commits): SearchStore {
  /** The largest number of stale pages since the index was complete. */
  let most = 0;

  return {
    async find(uid, typed, limit) {
      const words = typed.slice(0, MOST_WORDS);
      if (words.length === 0) return { found: [], more: false };
      // One more than is shown tells whether there are more.
      const ids = await findIds(database, uid, words, limit + 1);
      const shown = ids.slice(0, limit);
      return { found: await describe(database, shown, words), more: ids.length > limit };
    },

    async catchUp() {
      await commits.maintain(() => indexStep(database));
      const [row] = await database.query('select count(*) as stale from search_stale');
      const left = number(row?.stale);
      most = left === 0 ? 0 : Math.max(most, left);
      return { left, of: most };
    },

    async presence(ids) {
      if (ids.length === 0) return new Map();
      const among = `in (${marks(ids.length)})`;
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

/** Recordings outside the recycle bin that have all words, newest first. */
async function findIds(
  database: SqlDatabase,
  uid: string,
  words: readonly string[],
  limit: number,
): Promise<string[]> {
  let rarest = { word: '', query: '', pages: MANY };
  for (const word of words) {
    const candidates = await candidatesOf(database, word);
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

/** The results to show for recordings. */
async function describe(
  database: SqlDatabase,
  ids: readonly string[],
  words: readonly string[],
): Promise<FoundRecord[]> {
  if (ids.length === 0) return [];
  const records = await database.query(
    `select id, title, ai_title, create_date, record_time, tags, keywords, speakers, summary
     from record where id in (${marks(ids.length)})`,
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
  const texts = writings({
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
  const telling = written.slice(name.length, name.length + 1);
  const others = written.slice(name.length + 1);
  return {
    id: text(row.id),
    ...named,
    create_date: text(row.create_date),
    record_time: number(row.record_time),
    // Summaries repeat the transcript: they must not displace the matches in the transcript itself.
    matches: [...name, ...[...telling, ...(spoken?.texts ?? []), ...others].slice(0, maxMatches)],
    matchCount: written.length + (spoken?.count ?? 0),
  };
}

/** The first paragraphs of each recording that have any of the words, and how many there are. */
async function spokenMatches(
  database: SqlDatabase,
  ids: readonly string[],
  words: readonly string[],
): Promise<Map<string, Spoken>> {
  const pages = await database.query(
    `select record_id, page, folded from search_page
     where record_id in (${marks(ids.length)}) and page <> ${WRITTEN}
       and (${words.map(() => 'instr(folded, ?) > 0').join(' or ')})
     order by record_id, page`,
    [...ids, ...words],
  );
  const ordinals = new Map<string, number[]>();
  for (const { record_id, page, folded } of pages) {
    const id = text(record_id);
    const known = ordinals.get(id) ?? [];
    ordinals.set(id, known);
    for (const [line, spoken] of linesOf(text(folded)).entries()) {
      if (words.some((word) => spoken.includes(word))) {
        known.push(number(page) * PAGE_PARAGRAPHS + line);
      }
    }
  }
  const first = [...ordinals].flatMap(([id, places]) =>
    places.slice(0, maxMatches).map((ordinal) => [id, ordinal]),
  );
  const rows = await database.query(
    `select wanted.value ->> 0 as record_id, paragraph.id as id, body ->> '$.content' as content,
       body ->> '$.start_time' as start
     from json_each(?) as wanted
     join record on record.id = wanted.value ->> 0
     join paragraph on paragraph.task_id = record.results_task and ordinal = wanted.value ->> 1
     order by wanted.key`,
    [JSON.stringify(first)],
  );
  const found = new Map<string, { texts: FoundText[]; count: number }>();
  for (const row of rows) {
    const record = text(row.record_id);
    const content = text(row.content);
    const one = found.get(record) ?? { texts: [], count: ordinals.get(record)?.length ?? 0 };
    found.set(record, one);
    // Changed since it was indexed: its page is stale and will be indexed again soon.
    const [hit] = findSpans(content, words);
    if (!hit) continue;
    one.texts.push({
      where: 'paragraph',
      text: excerptAround(content, hit).text,
      paragraph: { id: text(row.id), seconds: number(row.start) },
    });
  }
  return found;
}

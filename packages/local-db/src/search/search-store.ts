import { excerptAround, spansOf } from '@linnet/contract/folding';
import {
  type FoundRecord,
  type FoundText,
  isDel,
  mostMatches,
  type SearchStore,
} from '@linnet/sync';
import type { Commits } from '../commits.ts';
import type { SqlDatabase, SqlRow, SqlValue } from '../database.ts';
import { marks } from '../statements.ts';
import { candidatesOf, MANY } from './candidates.ts';
import { indexStep, linesOf, writings } from './index-step.ts';
import { PAGE_PARAGRAPHS, WRITTEN } from './schema.ts';

/** More words narrow a search no further, and each costs a look at everything (the server's bound). */
const MOST_WORDS = 8;

/** Searches in SQLite. */
export function createSearchStore(database: SqlDatabase, commits: Commits): SearchStore {
  /** Most stale pages there were since all of them were in the index. */
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
      const left = row?.stale as number;
      most = left === 0 ? 0 : Math.max(most, left);
      return { left, of: most };
    },

    async whereabouts(ids) {
      if (ids.length === 0) return new Map();
      const among = `in (${marks(ids.length)})`;
      const rows = await database.query(
        `select id, 'deleted' as state from tombstone where id ${among}
         union all
         select id, iif(is_del = ${isDel.binned}, 'deleted', 'kept') from record where id ${among}`,
        [...ids, ...ids],
      );
      return new Map(rows.map(({ id, state }) => [id as string, state as 'kept' | 'deleted']));
    },
  };
}

const pageHas = `exists (select 1 from search_page
  where record_id = record.id and instr(folded, ?) > 0)`;

/** Kept recordings that have all words, newest first. */
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
  return rows.map(({ id }) => id as string);
}

/** What is shown of recordings that were found. */
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
  const named = { title: row.title as string, ai_title: row.ai_title as string };
  const texts = writings({
    ...named,
    tags: JSON.parse(row.tags as string),
    keywords: JSON.parse(row.keywords as string),
    speakers: JSON.parse(row.speakers as string),
    summary: row.summary as string,
  });
  const written = texts.flatMap(({ where, text }): FoundText[] => {
    const [hit] = spansOf(text, words);
    return hit ? [{ where, text: excerptAround(text, hit).text, paragraph: null }] : [];
  });
  const name = written.filter(({ where }) => where === 'name');
  const telling = written.slice(name.length, name.length + 1);
  const others = written.slice(name.length + 1);
  return {
    id: row.id as string,
    ...named,
    create_date: row.create_date as string,
    record_time: row.record_time as number,
    // What is written is drawn from what was said: that must not hide the places where it was.
    matches: [...name, ...[...telling, ...(spoken?.texts ?? []), ...others].slice(0, mostMatches)],
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
    const known = ordinals.get(record_id as string) ?? [];
    ordinals.set(record_id as string, known);
    for (const [line, text] of linesOf(folded as string).entries()) {
      if (words.some((word) => text.includes(word))) {
        known.push((page as number) * PAGE_PARAGRAPHS + line);
      }
    }
  }
  const first = [...ordinals].flatMap(([id, places]) =>
    places.slice(0, mostMatches).map((ordinal) => [id, ordinal]),
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
    const record = row.record_id as string;
    const content = row.content as string;
    const one = found.get(record) ?? { texts: [], count: ordinals.get(record)?.length ?? 0 };
    found.set(record, one);
    // Changed since it was indexed: its page is stale, and it is found again, or not, very soon.
    const [hit] = spansOf(content, words);
    if (!hit) continue;
    one.texts.push({
      where: 'paragraph',
      text: excerptAround(content, hit).text,
      paragraph: { id: row.id as string, seconds: row.start as number },
    });
  }
  return found;
}

import { number, text } from '../columns.ts';
import type { SqlDatabase, SqlValue } from '../database.ts';

/** What may have a word: the query for FTS5, and how many pages it names, up to {@link MANY}. */
export type Candidates = { readonly query: string; readonly pages: number };

/** From here on it is quicker to look at recordings one by one, newest first, until enough have it. */
export const MANY = 1500;

/** More than these in a row narrow a word no further that would be worth reading their lists. */
const MOST_GRAMS = 8;

/** Alternatives for a word of one or two characters; one with more is in most texts anyway. */
const MOST_TERMS = 200;

const quoted = (gram: string) => `"${gram.replaceAll('"', '""')}"`;

/** Which pages may have a word; null where the index would not say in less time than looking takes. */
export async function candidatesOf(
  database: SqlDatabase,
  word: string,
): Promise<Candidates | null> {
  const query = [...word].length < 3 ? await shortQuery(database, word) : longQuery(word);
  if (query === null) return null;
  if (query === '') return { query, pages: 0 };
  const [row] = await database.query(
    `select count(*) as pages from (
       select 1 from search_index where search_index match ? limit ${MANY})`,
    [query],
  );
  return { query, pages: number(row?.pages) };
}

/** All three characters in a row that a word has, or some, evenly chosen, of a long word's. */
function longQuery(word: string): string {
  const letters = [...word];
  const grams = letters.slice(2).map((_, at) => letters.slice(at, at + 3).join(''));
  const step = Math.max(1, (grams.length - 1) / (MOST_GRAMS - 1));
  const chosen = new Set<string>();
  for (let at = 0; at < grams.length; at += step) chosen.add(grams[Math.round(at)] as string);
  return [...chosen].map(quoted).join(' AND ');
}

/** Any three characters in a row that begin with the word; '' when there are none. */
async function shortQuery(database: SqlDatabase, word: string): Promise<string | null> {
  // No character comes after the last that Unicode has.
  const range: SqlValue[] = [word, `${word}\u{10ffff}`];
  const terms = await database.query(
    `select term from search_term where term >= ? and term <= ? limit ${MOST_TERMS + 1}`,
    range,
  );
  if (terms.length > MOST_TERMS) return null;
  return terms.map(({ term }) => quoted(text(term))).join(' OR ');
}

import { number, text } from '../columns.ts';
import type { SqlDatabase, SqlValue } from '../database.ts';

/** Pages that may contain a word: the FTS5 query, and the number of its pages, up to {@link MANY}. */
export type Candidates = { readonly query: string; readonly pages: number };

/** From this number of pages, scanning recordings from the newest is faster than the index. */
export const MANY = 1500;

/** Maximum trigrams of a query: more narrow it too little to be worth reading their lists. */
const MOST_GRAMS = 8;

/** Maximum alternatives for a word of one or two characters; a word with more is in most texts. */
const MOST_TERMS = 200;

const quoted = (gram: string) => `"${gram.replaceAll('"', '""')}"`;

/** Finds the pages that may contain a word; null if a scan is faster. */
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

/** A query for the trigrams of a word; for some of them, evenly spaced, if it is long. */
function longQuery(word: string): string {
  const letters = [...word];
  const grams = letters.slice(2).map((_, at) => letters.slice(at, at + 3).join(''));
  const step = Math.max(1, (grams.length - 1) / (MOST_GRAMS - 1));
  const chosen = new Set<string>();
  for (let at = 0; at < grams.length; at += step) chosen.add(grams[Math.round(at)] as string);
  return [...chosen].map(quoted).join(' AND ');
}

/** A query for the trigrams that begin with the word; '' if there are none. */
async function shortQuery(database: SqlDatabase, word: string): Promise<string | null> {
  // The last code point of Unicode sorts after all others.
  const range: SqlValue[] = [word, `${word}\u{10ffff}`];
  const terms = await database.query(
    `select term from search_term where term >= ? and term <= ? limit ${MOST_TERMS + 1}`,
    range,
  );
  if (terms.length > MOST_TERMS) return null;
  return terms.map(({ term }) => quoted(text(term))).join(' OR ');
}

import { number, text } from '../columns.ts';
import type { SqlDatabase, SqlValue } from '../database.ts';

/** Pages that may contain a word: the FTS5 query, and the number of pages, up to {@link SCAN_THRESHOLD}. */
export type Candidates = { readonly query: string; readonly pages: number };

/** The number of pages from which scanning recordings, newest first, is faster than the index. */
export const SCAN_THRESHOLD = 1500;

/** Maximum trigrams of a query. More would hardly narrow the result, but cost the reading of their lists. */
const MAX_TRIGRAMS = 8;

/** Maximum trigrams that begin with a word of one or two characters. A word with more is in most texts. */
const MAX_TERMS = 200;

const quoted = (gram: string) => `"${gram.replaceAll('"', '""')}"`;

/** Finds the pages that may contain a word, or null if a scan is faster. */
export async function findCandidates(
  database: SqlDatabase,
  word: string,
): Promise<Candidates | null> {
  const query = [...word].length < 3 ? await shortQuery(database, word) : longQuery(word);
  if (query === null) return null;
  if (query === '') return { query, pages: 0 };
  const [row] = await database.query(
    `select count(*) as pages from (
       select 1 from search_index where search_index match ? limit ${SCAN_THRESHOLD})`,
    [query],
  );
  return { query, pages: number(row?.pages) };
}

/** Returns a query for the trigrams of a word; for a long word, only for evenly spaced ones. */
function longQuery(word: string): string {
  const letters = [...word];
  const grams = letters.slice(2).map((_, at) => letters.slice(at, at + 3).join(''));
  const step = Math.max(1, (grams.length - 1) / (MAX_TRIGRAMS - 1));
  const chosen = new Set<string>();
  for (let at = 0; at < grams.length; at += step) chosen.add(grams[Math.round(at)] as string);
  return [...chosen].map(quoted).join(' AND ');
}

/** Returns a query for the trigrams that begin with a word; '' if there are none, null if there are too many. */
async function shortQuery(database: SqlDatabase, word: string): Promise<string | null> {
  // The last code point of Unicode sorts after all others.
  const range: SqlValue[] = [word, `${word}\u{10ffff}`];
  const terms = await database.query(
    `select term from search_term where term >= ? and term <= ? limit ${MAX_TERMS + 1}`,
    range,
  );
  if (terms.length > MAX_TERMS) return null;
  return terms.map(({ term }) => quoted(text(term))).join(' OR ');
}

import { number, text } from '../columns.ts';
import type { SqlDatabase, SqlValue } from '../database.ts';

/**
 * The pages that may contain a word, as an FTS5 query and the number of pages it matches (at most
 * {@link SCAN_THRESHOLD}).
 */
export type Candidates = { readonly query: string; readonly pages: number };

/** The number of matching pages above which scanning the recordings, newest first, is faster than using the index. */
export const SCAN_THRESHOLD = 1500;

/** Maximum number of trigrams in a query. More trigrams barely narrow the result and take longer to read. */
const MAX_TRIGRAMS = 8;

/** Maximum number of trigrams that start with a short word. A word with more occurs almost everywhere. */
const MAX_TERMS = 200;

const quote = (gram: string) => `"${gram.replaceAll('"', '""')}"`;

/** Finds the pages that may contain a word. Returns null if a scan is faster. */
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

/** Returns a query for the trigrams of a word. For a long word, uses only some of them, evenly spaced. */
function longQuery(word: string): string {
  const letters = [...word];
  const grams = letters.slice(2).map((_, index) => letters.slice(index, index + 3).join(''));
  const step = Math.max(1, (grams.length - 1) / (MAX_TRIGRAMS - 1));
  const selected = new Set<string>();
  for (let index = 0; index < grams.length; index += step)
    selected.add(grams[Math.round(index)] as string);
  return [...selected].map(quote).join(' AND ');
}

/**
 * Returns a query for the trigrams that start with a one- or two-character word. Returns '' if there are none and null
 * if there are too many.
 */
async function shortQuery(database: SqlDatabase, word: string): Promise<string | null> {
  // The last Unicode code point sorts after all others.
  const range: SqlValue[] = [word, `${word}\u{10ffff}`];
  const terms = await database.query(
    `select term from search_term where term >= ? and term <= ? limit ${MAX_TERMS + 1}`,
    range,
  );
  if (terms.length > MAX_TERMS) return null;
  return terms.map(({ term }) => quote(text(term))).join(' OR ');
}

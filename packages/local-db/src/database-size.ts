import { number } from './columns.ts';
import type { SqlDatabase } from './database.ts';

/**
 * Returns the size of a database in bytes. Excludes the write-ahead log: its file never shrinks, and its content is
 * later moved to the pages counted here.
 */
export async function databaseBytes(database: Pick<SqlDatabase, 'query'>): Promise<number> {
  const [row] = await database.query(
    'select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()',
  );
  return number(row?.bytes);
}

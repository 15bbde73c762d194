import { number } from './columns.ts';
import type { SqlDatabase } from './database.ts';

/**
 * Returns the size of a database in bytes. Doesn't count the write-ahead log, whose file never shrinks and whose
 * content ends up in the pages counted here.
 */
export async function databaseBytes(database: Pick<SqlDatabase, 'query'>): Promise<number> {
  const [row] = await database.query(
    'select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()',
  );
  return number(row?.bytes);
}

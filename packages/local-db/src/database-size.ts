import { number } from './columns.ts';
import type { SqlDatabase } from './database.ts';

/**
 * Returns the size of a database in bytes. The write-ahead log doesn't count: it stays at its largest size, and its content
 * is that of the pages counted here.
 */
export async function databaseBytes(database: Pick<SqlDatabase, 'query'>): Promise<number> {
  const [row] = await database.query(
    'select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()',
  );
  return number(row?.bytes);
}

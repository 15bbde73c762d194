import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { type SqlDatabase, SqlError, type SqlRow, type Statement } from '../database.ts';
import { PreparedStatements } from './prepared-statements.ts';
import { errorFromSqlite } from './sqlite-errors.ts';

/** Opens a database with Node's SQLite, for tools and tests. @param path a file path, or `:memory:` */
export async function openNodeSqlite(path: string): Promise<SqlDatabase> {
  const database = translateErrors(() => new DatabaseSync(path));
  database.exec('pragma foreign_keys = on');

  const statements = new PreparedStatements<StatementSync>(
    (sql) => database.prepare(sql),
    // Node finalizes a statement when it is garbage-collected.
    () => {},
  );

  const run = ([sql, values = []]: Statement) =>
    statements.use(sql, (statement) => statement.all(...values) as unknown as SqlRow[]);

  return {
    query: async (sql, values) => translateErrors(() => run([sql, values ?? []])),
    batch: async (statements) =>
      translateErrors(() => {
        database.exec('begin immediate');
        try {
          const rows = statements.map(run);
          database.exec('commit');
          return rows;
        } catch (error) {
          if (database.isTransaction) database.exec('rollback');
          throw error;
        }
      }),
    close: async () => {
      if (database.isOpen) database.close();
    },
  };
}

function translateErrors<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE') {
      throw new SqlError('closed', { cause: error });
    }
    const number = error instanceof Error && 'errcode' in error ? Number(error.errcode) : null;
    throw errorFromSqlite(number, error);
  }
}

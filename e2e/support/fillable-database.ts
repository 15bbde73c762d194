import { type SqlDatabase, SqlError } from '@linnet/local-db';

/** A database that rejects writes as if the disk were full while `isFull` is set. */
export class FillableDatabase implements SqlDatabase {
  isFull = false;
  /** Number of batches rejected because the disk was full. */
  rejectedBatches = 0;
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  query: SqlDatabase['query'] = (sql, values) => this.#database.query(sql, values);

  batch: SqlDatabase['batch'] = async (statements) => {
    if (!this.isFull) return this.#database.batch(statements);
    this.rejectedBatches += 1;
    throw new SqlError('full');
  };

  close = () => this.#database.close();
}

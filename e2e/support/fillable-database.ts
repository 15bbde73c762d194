import { type SqlDatabase, SqlError } from '@linnet/local-db';

/** A phone's database whose disk can fill up. */
export class FillableDatabase implements SqlDatabase {
  isFull = false;
  /** Number of transactions that did not fit. */
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

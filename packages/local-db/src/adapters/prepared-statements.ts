/** Maximum number of prepared statements. A sync or a page of the app alternates between fewer. */
const KEPT_COUNT = 200;

/**
 * Keeps the most recently used statements of a connection prepared. Preparing a statement takes several times as long
 * as running it for a single row, and a sync runs few different statements for many recordings.
 */
export class PreparedStatements<Prepared> {
  readonly #prepare: (sql: string) => Prepared;
  readonly #finalize: (statement: Prepared) => void;
  /** Prepared statements by SQL, most recently used last. */
  readonly #bySql = new Map<string, Prepared>();

  constructor(prepare: (sql: string) => Prepared, finalize: (statement: Prepared) => void) {
    this.#prepare = prepare;
    this.#finalize = finalize;
  }

  /**
   * Runs a statement, preparing it if necessary. Discards the prepared statement on failure.
   * @throws any error of `prepare` or `use`
   */
  use<Result>(sql: string, use: (statement: Prepared) => Result): Result {
    const statement = this.#bySql.get(sql) ?? this.#prepare(sql);
    this.#bySql.delete(sql);
    let isUsable = false;
    try {
      const result = use(statement);
      isUsable = true;
      return result;
    } finally {
      if (isUsable) this.#keep(sql, statement);
      else this.#finalize(statement);
    }
  }

  #keep(sql: string, statement: Prepared): void {
    this.#bySql.set(sql, statement);
    if (this.#bySql.size <= KEPT_COUNT) return;
    const [oldest] = this.#bySql;
    if (!oldest) return;
    this.#bySql.delete(oldest[0]);
    this.#finalize(oldest[1]);
  }
}

import type { SqlDatabase, Statement } from './database.ts';

/** The one who writes to a database: one change after the other, each whole, and everybody hears of it. */
export class Commits {
  readonly #database: SqlDatabase;
  readonly #listeners = new Set<() => void>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  /**
   * Runs what `decide` makes of the present state as one transaction. Nobody else decides or writes
   * meanwhile; nothing to write is no commit.
   */
  write(decide: () => readonly Statement[] | Promise<readonly Statement[]>): Promise<void> {
    return this.#inTurn(decide, () => {
      for (const listener of this.#listeners) listener();
    });
  }

  /** Like {@link write}, of what only follows from what was told of before: nobody hears of it. */
  maintain(decide: () => Promise<readonly Statement[]>): Promise<void> {
    return this.#inTurn(decide, () => {});
  }

  #inTurn(
    decide: () => readonly Statement[] | Promise<readonly Statement[]>,
    onDone: () => void,
  ): Promise<void> {
    const turn = this.#last.then(async () => {
      const statements = await decide();
      if (statements.length === 0) return;
      await this.#database.batch(statements);
      onDone();
    });
    // Whoever asked hears of a failure; the next one's turn comes all the same.
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Tells after every commit. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

import { NoRoom } from '@linnet/sync';
import { type SqlDatabase, SqlError, type Statement } from './database.ts';

/** What a transaction writes; without a statement it is none. */
export type Writing = {
  readonly statements: readonly Statement[];
  /** Ids of the records that may be different afterwards. */
  readonly records: Iterable<string>;
};

/** Nothing to write. */
export const nothing: Writing = { statements: [], records: [] };

type Listener = (records: Iterable<string>) => void;

/** The one who writes to a database: one change after the other, each whole, and everybody hears of it. */
export class Commits {
  readonly #database: SqlDatabase;
  readonly #listeners = new Set<Listener>();
  readonly #roomListeners = new Set<() => void>();
  #last: Promise<unknown> = Promise.resolve();
  #hasRoom = true;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  /**
   * Runs what `decide` makes of the present state as one transaction. Nobody else decides or writes
   * meanwhile; nothing to write is no commit.
   * @throws NoRoom
   */
  write(decide: () => Writing | Promise<Writing>): Promise<void> {
    return this.#inTurn(async () => {
      const { statements, records } = await decide();
      if (statements.length === 0) return;
      await this.#commit(statements);
      for (const listener of this.#listeners) listener(records);
    });
  }

  /** Like {@link write}, of what only follows from what was told of before: nobody hears of it. */
  maintain(decide: () => Promise<readonly Statement[]>): Promise<void> {
    return this.#inTurn(async () => {
      const statements = await decide();
      if (statements.length > 0) await this.#commit(statements);
    });
  }

  async #commit(statements: readonly Statement[]): Promise<void> {
    try {
      await this.#database.batch(statements);
      this.#setHasRoom(true);
    } catch (error) {
      if (!(error instanceof SqlError) || error.code !== 'full') throw error;
      this.#setHasRoom(false);
      throw new NoRoom('the database does not fit', { cause: error });
    }
  }

  #setHasRoom(hasRoom: boolean): void {
    if (hasRoom === this.#hasRoom) return;
    this.#hasRoom = hasRoom;
    for (const listener of this.#roomListeners) listener();
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(work);
    // Whoever asked hears of a failure; the next one's turn comes all the same.
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Whether the last transaction fitted. */
  get hasRoom(): boolean {
    return this.#hasRoom;
  }

  /** Tells when {@link hasRoom} changes. */
  watchRoom(listener: () => void): () => void {
    this.#roomListeners.add(listener);
    return () => this.#roomListeners.delete(listener);
  }

  /** Tells after every commit, and which records it was about. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

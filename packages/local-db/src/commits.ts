import { Emitter, Mutex, type Unsubscribe } from '@linnet/base';
import { StorageFull } from '@linnet/sync';
import { type SqlDatabase, SqlError, type Statement } from './database.ts';

/** The statements of a write transaction. A transaction without statements isn't committed. */
export type Transaction = {
  readonly statements: readonly Statement[];
  /** Ids of records that the transaction may change. */
  readonly records: Iterable<string>;
};

export const emptyTransaction: Transaction = { statements: [], records: [] };

/** Returns the statements of the next step that updates derived data, or none if the data is up to date. */
export type Derive = (database: SqlDatabase) => Promise<readonly Statement[]>;

/** Serializes write transactions and notifies subscribers. */
export class Commits {
  readonly #database: SqlDatabase;
  readonly #derive: Derive;
  readonly #mutex = new Mutex();
  readonly #committed = new Emitter<[records: Iterable<string>]>();
  readonly #spaceChanged = new Emitter();
  #hasDiskSpace = true;

  /** @param derive updates data that lists and pages show, after each transaction and before subscribers are notified */
  constructor(database: SqlDatabase, derive: Derive) {
    this.#database = database;
    this.#derive = derive;
  }

  /**
   * Runs a transaction. `prepare` reads the current state and returns the statements to run. Calls are serialized, so
   * no other write can slip in between `prepare` and the commit.
   * @throws StorageFull
   */
  write(prepare: () => Transaction | Promise<Transaction>): Promise<void> {
    return this.#mutex.run(async () => {
      const { statements, records } = await prepare();
      if (statements.length === 0) return;
      await this.#commit(statements);
      try {
        await this.#updateDerived();
      } finally {
        this.#committed.emit(records);
      }
    });
  }

  /** Updates derived data. If the disk is full, the data stays out of date until a later transaction. */
  async #updateDerived(): Promise<void> {
    try {
      let steps = await this.#derive(this.#database);
      while (steps.length > 0) {
        await this.#commit(steps);
        steps = await this.#derive(this.#database);
      }
    } catch (error) {
      if (!(error instanceof StorageFull)) throw error;
    }
  }

  /** Runs a transaction that updates derived data, such as the search index. Doesn't notify subscribers. */
  maintain(prepare: () => Promise<readonly Statement[]>): Promise<void> {
    return this.#mutex.run(async () => {
      const statements = await prepare();
      if (statements.length > 0) await this.#commit(statements);
    });
  }

  async #commit(statements: readonly Statement[]): Promise<void> {
    try {
      await this.#database.batch(statements);
      this.#setHasDiskSpace(true);
    } catch (error) {
      if (!(error instanceof SqlError) || error.code !== 'full') throw error;
      this.#setHasDiskSpace(false);
      throw new StorageFull('the disk is full', { cause: error });
    }
  }

  #setHasDiskSpace(hasDiskSpace: boolean): void {
    if (hasDiskSpace === this.#hasDiskSpace) return;
    this.#hasDiskSpace = hasDiskSpace;
    this.#spaceChanged.emit();
  }

  /** True if the last transaction found enough disk space. */
  get hasDiskSpace(): boolean {
    return this.#hasDiskSpace;
  }

  /** Calls the listener when {@link hasDiskSpace} changes. */
  subscribeToDiskSpace(listener: () => void): Unsubscribe {
    return this.#spaceChanged.subscribe(listener);
  }

  /** Calls the listener after every commit, with the ids of the records that may have changed. */
  subscribe(listener: (records: Iterable<string>) => void): Unsubscribe {
    return this.#committed.subscribe(listener);
  }
}

import { Emitter, Mutex, type Unsubscribe } from '@linnet/base';
import { StorageFull } from '@linnet/sync';
import { type SqlDatabase, SqlError, type Statement } from './database.ts';

/** The statements of a write transaction. A transaction without statements isn't committed. */
export type Transaction = {
  readonly statements: readonly Statement[];
  /** Ids of records that the transaction may change. */
  readonly records: Iterable<string>;
  /** True if more transactions follow immediately, so subscribers don't need to be notified after each. */
  readonly hasMore?: boolean;
};

export const emptyTransaction: Transaction = { statements: [], records: [] };

/** Keeps derived data up to date, such as titles in lists and names in summaries. */
export type Derivation = {
  /** Returns the statements to run at the end of the transaction that changes `records`. */
  settle(records: readonly string[]): readonly Statement[];
  /**
   * Returns the transaction of the next step, or an empty one if the data is up to date.
   * @param records the records whose data is updated, or null for all
   */
  next(records: readonly string[] | null): Promise<Transaction>;
};

/** The interval between notifications while more transactions follow, in milliseconds. */
const NOTIFY_MS = 500;

/** Serializes write transactions and notifies subscribers. */
export class Commits {
  readonly #database: SqlDatabase;
  readonly #derivation: Derivation;
  readonly #onError: (error: unknown) => void;
  readonly #mutex = new Mutex();
  readonly #committed = new Emitter<[records: Iterable<string>]>();
  readonly #notified = new Emitter();
  #notifiedAt = Number.NEGATIVE_INFINITY;
  #notification: ReturnType<typeof setTimeout> | undefined;
  readonly #spaceChanged = new Emitter();
  #hasDiskSpace = true;

  /**
   * @param derivation updates the data of changed records after each transaction, before subscribers are notified;
   *   {@link deriveNext} updates the data of all other records
   * @param onError called if derived data couldn't be updated after a transaction
   */
  constructor(database: SqlDatabase, derivation: Derivation, onError: (error: unknown) => void) {
    this.#database = database;
    this.#derivation = derivation;
    this.#onError = onError;
  }

  /**
   * Runs a transaction. `prepare` reads the current state and returns the statements to run. Calls are serialized, so
   * no other write runs between `prepare` and the commit. A failed update of derived data doesn't reject: the data
   * stays out of date until the next update.
   * @throws StorageFull
   */
  write(prepare: () => Transaction | Promise<Transaction>): Promise<void> {
    return this.#mutex.run(async () => {
      const { statements, records, hasMore = false } = await prepare();
      if (statements.length === 0) return;
      const changed = [...records];
      const settling = changed.length > 0 ? this.#derivation.settle(changed) : [];
      await this.#commit([...statements, ...settling]);
      await this.#updateDerived(changed);
      this.#committed.emit(changed);
      if (hasMore) this.#notifySoon();
      else this.#notify();
    });
  }

  /** Notifies subscribers now, or at the end of the current interval. */
  #notifySoon(): void {
    const remainingMs = this.#notifiedAt + NOTIFY_MS - performance.now();
    if (remainingMs <= 0) this.#notify();
    else this.#notification ??= setTimeout(() => this.#notify(), remainingMs);
  }

  #notify(): void {
    clearTimeout(this.#notification);
    this.#notification = undefined;
    this.#notifiedAt = performance.now();
    this.#notified.emit();
  }

  async #updateDerived(records: readonly string[]): Promise<void> {
    if (records.length === 0) return;
    try {
      let step = await this.#derivation.next(records);
      while (step.statements.length > 0) {
        await this.#commit(step.statements);
        step = await this.#derivation.next(records);
      }
    } catch (error) {
      // A full disk is reported by `hasDiskSpace`.
      if (!(error instanceof StorageFull)) this.#onError(error);
    }
  }

  /** Updates derived data of any records by one step. Notifies subscribers if records changed. */
  deriveNext(): Promise<void> {
    return this.maintain(() => this.#derivation.next(null));
  }

  /**
   * Runs a transaction that updates derived data, such as the search index. Notifies subscribers if it lists records.
   */
  maintain(prepare: () => Promise<Transaction>): Promise<void> {
    return this.#mutex.run(async () => {
      const { statements, records } = await prepare();
      if (statements.length > 0) await this.#commit(statements);
      const changed = [...records];
      if (changed.length === 0) return;
      this.#committed.emit(changed);
      this.#notify();
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

  /** Calls the listener after every commit, with the IDs of the records that may have changed. */
  onCommit(listener: (records: Iterable<string>) => void): Unsubscribe {
    return this.#committed.subscribe(listener);
  }

  /** Calls the listener after commits: after each one, or at an interval while more transactions follow. */
  subscribe(listener: () => void): Unsubscribe {
    return this.#notified.subscribe(listener);
  }
}

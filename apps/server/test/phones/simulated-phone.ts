/** Simulates a phone that syncs with the real server while calls fail and the app crashes. */
import type { CallName, Operation } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import type { Edit } from '@linnet/contract/operations';
import { createStores, migrate, type SqlDatabase } from '@linnet/local-db';
import { openNodeSqlite } from '@linnet/local-db/node-sqlite';
import {
  CHANGES_POLL_MS,
  type ChangeStore,
  ChangeSync,
  type ChangesCloud,
  type CloudResult,
  EditExceeds,
  Interrupted,
  type RecordStore,
} from '@linnet/sync';
import type { Account, TestServer } from '../server.ts';
import type { Random } from './random.ts';

/** Probability of each fault. */
export type Faults = {
  /** A call doesn't reach the server. */
  readonly lostCall: number;
  /** A response doesn't reach the phone. */
  readonly responseLoss: number;
  /** The app crashes before or after a commit. */
  readonly crash: number;
  /** The clock is set before an edit. */
  readonly clockSet: number;
  /** The server sends changes in small pages, which separate related changes. */
  readonly smallPages: number;
};

/** Thrown to simulate that the app is terminated. */
class Crash extends Error {}

/**
 * Maximum clock error in milliseconds. A phone dates each edit after its pending edits. If the error were much longer
 * than the test, all later edits would be in the future, and the server would rarely supersede one.
 */
const MAX_WRONG_MS = 500;

/** A phone with its own database that syncs with the real server while faults are injected. */
export class SimulatedPhone {
  readonly uid: string;
  online = true;
  faults: Faults;
  /** Operations that the server accepted, even if the phone received no response. */
  readonly acceptedOperations = new Map<string, Operation>();
  crashes = 0;
  readonly #file: string;
  readonly #server: TestServer;
  readonly #account: Account;
  readonly #random: Random;
  #clockErrorMs = 0;
  #app!: App;

  private constructor(
    file: string,
    server: TestServer,
    account: Account,
    random: Random,
    faults: Faults,
  ) {
    this.#file = file;
    this.#server = server;
    this.#account = account;
    this.#random = random;
    this.uid = account.id;
    this.faults = faults;
  }

  static async make(
    file: string,
    server: TestServer,
    account: Account,
    random: Random,
    faults: Faults,
  ): Promise<SimulatedPhone> {
    const phone = new SimulatedPhone(file, server, account, random, faults);
    phone.#app = await phone.#start();
    return phone;
  }

  get database(): SqlDatabase {
    return this.#app.database;
  }

  get records(): RecordStore {
    return this.#app.records;
  }

  get changes(): ChangeStore {
    return this.#app.changes;
  }

  /**
   * Makes an edit.
   * @returns whether it appeared to succeed on the phone
   */
  async edit(edit: Edit): Promise<boolean> {
    if (this.#random.chance(this.faults.clockSet)) {
      this.#clockErrorMs = Math.round((this.#random.next() * 2 - 1) * MAX_WRONG_MS);
    }
    try {
      return (await this.#runWhileAlive(() => this.changes.edit(this.uid, edit))) ?? false;
    } catch (error) {
      // The phone rejects edits that exceed the limits.
      if (error instanceof EditExceeds) return false;
      throw error;
    }
  }

  /** Runs one sync pass, including recovery from faults. */
  async sync(): Promise<void> {
    const { changeSync, signal } = this.#app;
    await this.#runWhileAlive(async () => {
      try {
        await changeSync.pass(signal);
      } catch (error) {
        if (!(error instanceof Interrupted)) throw error;
      }
    });
  }

  /**
   * Runs work that a crash may interrupt.
   * @returns null if the app crashed
   */
  async runWhileAlive<T>(
    work: (app: Pick<App, 'records' | 'changes'>) => Promise<T>,
  ): Promise<T | null> {
    return this.#runWhileAlive(() => work(this.#app));
  }

  /** Makes an API call on behalf of the phone's account. */
  async call<Name extends CallName>(name: Name, body: unknown) {
    const response = await this.#server.call(name, body, { token: this.#account.access });
    if (response.code !== codes.ok) {
      return {
        ok: false,
        failure: { kind: 'server', code: response.code, msg: response.msg },
      } as const;
    }
    return { ok: true, data: response.data } as const;
  }

  async close(): Promise<void> {
    await this.#app.database.close();
  }

  async #runWhileAlive<T>(work: () => Promise<T>): Promise<T | null> {
    const app = this.#app;
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      // The first caller that notices the crash restarts the app.
      if (this.#app === app) {
        this.crashes += 1;
        await app.database.close();
        this.#app = await this.#start();
      }
      return null;
    }
  }

  async #start(): Promise<App> {
    const database = await openNodeSqlite(this.#file);
    // Only the app crashes here, never the machine, so fsync isn't needed.
    await database.query('pragma journal_mode = wal');
    await database.query('pragma synchronous = off');
    await migrate(database);
    const killableDatabase = this.#killableDatabase(database);
    const { records, changes } = createStores(
      killableDatabase,
      () => new Date(Date.now() + this.#clockErrorMs).toISOString(),
      (error) => {
        throw error;
      },
    );
    let now = 0;
    const changeSync = new ChangeSync({
      uid: this.uid,
      changes,
      audio: { remove: async () => {} },
      cloud: this.#cloud(),
      // Poll immediately on every pass.
      clock: { now: () => now, elapsed: () => (now += CHANGES_POLL_MS), sleep: async () => {} },
      log: () => {},
    });
    return { database, records, changes, changeSync, signal: new AbortController().signal };
  }

  /** Wraps the database so that the app may crash before or after any commit. */
  #killableDatabase(database: SqlDatabase): SqlDatabase {
    let isDead = false;
    const die = () => {
      isDead = true;
      throw new Crash();
    };
    const assertAlive = () => {
      if (isDead) throw new Crash();
    };
    return {
      query: async (sql, values) => {
        assertAlive();
        return database.query(sql, values);
      },
      batch: async (statements) => {
        assertAlive();
        if (this.#random.chance(this.faults.crash / 2)) die();
        const rows = await database.batch(statements);
        if (this.#random.chance(this.faults.crash / 2)) die();
        return rows;
      },
      close: () => database.close(),
    };
  }

  #limit(): { limit?: number } {
    return this.#random.chance(this.faults.smallPages) ? { limit: 1 + this.#random.below(20) } : {};
  }

  #cloud(): ChangesCloud {
    const lostResponse = (failure: CallFailure) => ({ ok: false, failure }) as const;
    const sendThrough = async <T>(call: () => Promise<CloudResult<T>>): Promise<CloudResult<T>> => {
      // Decide now, because the phone continues while this waits, and a seed must always play the same history.
      const isCallLost = this.#random.chance(this.faults.lostCall);
      const isAnswerLost = this.#random.chance(this.faults.responseLoss);
      if (!this.online || isCallLost) {
        return lostResponse({ kind: 'network', cause: 'offline' });
      }
      const response = await call();
      return isAnswerLost ? lostResponse({ kind: 'timeout' }) : response;
    };
    return {
      apply: (ops) =>
        sendThrough(async () => {
          const response = await this.call('sync/apply', { ops });
          if (response.ok) for (const op of ops) this.acceptedOperations.set(op.op_id, op);
          return response;
        }),
      changes: (cursor) =>
        sendThrough(() =>
          this.call('sync/changes', { cursor, recordings_first: true, ...this.#limit() }),
        ),
    };
  }
}

type App = {
  readonly database: SqlDatabase;
  readonly records: RecordStore;
  readonly changes: ChangeStore;
  readonly changeSync: ChangeSync;
  readonly signal: AbortSignal;
};

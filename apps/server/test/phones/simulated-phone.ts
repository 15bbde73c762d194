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

/** What may go wrong, each with its probability. */
export type Faults = {
  /** That a call never reaches the server. */
  readonly lostCall: number;
  /** That its answer never reaches the phone. */
  readonly lostAnswer: number;
  /** That the app dies before or after a commit. */
  readonly crash: number;
  /** That the clock is set anew before something is done. */
  readonly clockSet: number;
  /** That changes come in small pages, in which what belongs together comes apart. */
  readonly smallPages: number;
};

/** The app died; what was running is gone. */
class Crash extends Error {}

/** The most by which a clock that was set is wrong, in milliseconds. */
const MAX_WRONG_MS = 60 * 60 * 1000;

/** A phone with a database, what keeps it in step with the real server, and everything that goes wrong. */
export class SimulatedPhone {
  readonly uid: string;
  online = true;
  faults: Faults;
  /** Operations that the server took, whether or not the phone heard of it. */
  readonly taken = new Map<string, Operation>();
  crashes = 0;
  readonly #file: string;
  readonly #server: TestServer;
  readonly #account: Account;
  readonly #random: Random;
  #clockWrongBy = 0;
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

  /** What its owner does. @returns whether it was done, as far as its owner could see */
  async edit(edit: Edit): Promise<boolean> {
    if (this.#random.chance(this.faults.clockSet)) {
      this.#clockWrongBy = Math.round((this.#random.next() * 2 - 1) * MAX_WRONG_MS);
    }
    try {
      return (await this.#alive(() => this.changes.edit(this.uid, edit))) ?? false;
    } catch (error) {
      // As a phone that does not accept it.
      if (error instanceof EditExceeds) return false;
      throw error;
    }
  }

  /** Sets its clock right. */
  setClock(): void {
    this.#clockWrongBy = 0;
  }

  /** One pass of its changes; whatever goes wrong is over afterwards. */
  async sync(): Promise<void> {
    const { changeSync, signal } = this.#app;
    await this.#alive(async () => {
      try {
        await changeSync.pass(signal);
      } catch (error) {
        if (!(error instanceof Interrupted)) throw error;
      }
    });
  }

  /** Does something that a crash may end. @returns null if it did */
  async alive<T>(work: (app: Pick<App, 'records' | 'changes'>) => Promise<T>): Promise<T | null> {
    return this.#alive(() => work(this.#app));
  }

  /** A call of its account. */
  async call<Name extends CallName>(name: Name, body: unknown) {
    const answer = await this.#server.call(name, body, { token: this.#account.access });
    if (answer.code !== codes.ok) {
      return {
        ok: false,
        failure: { kind: 'server', code: answer.code, msg: answer.msg },
      } as const;
    }
    return { ok: true, data: answer.data } as const;
  }

  async close(): Promise<void> {
    await this.#app.database.close();
  }

  async #alive<T>(work: () => Promise<T>): Promise<T | null> {
    const app = this.#app;
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      // Whoever hears of the crash first starts the app again.
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
    // Apps die here, machines do not: nothing has to reach the disk.
    await database.query('pragma journal_mode = wal');
    await database.query('pragma synchronous = off');
    await migrate(database);
    const mortal = this.#mortal(database);
    const { records, changes } = createStores(mortal, () =>
      new Date(Date.now() + this.#clockWrongBy).toISOString(),
    );
    let now = 0;
    const changeSync = new ChangeSync({
      uid: this.uid,
      changes,
      audio: { remove: async () => {} },
      cloud: this.#cloud(),
      // It is always time to look.
      clock: { now: () => (now += CHANGES_POLL_MS), sleep: async () => {} },
      log: () => {},
    });
    return { database, records, changes, changeSync, signal: new AbortController().signal };
  }

  /** A database whose app may die before or after any commit, and is dead then. */
  #mortal(database: SqlDatabase): SqlDatabase {
    let dead = false;
    const die = () => {
      dead = true;
      throw new Crash();
    };
    const live = () => {
      if (dead) throw new Crash();
    };
    return {
      query: async (sql, values) => {
        live();
        return database.query(sql, values);
      },
      batch: async (statements) => {
        live();
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
    const unheard = (failure: CallFailure) => ({ ok: false, failure }) as const;
    const through = async <T>(call: () => Promise<CloudResult<T>>): Promise<CloudResult<T>> => {
      const { lostCall, lostAnswer } = this.faults;
      if (!this.online || this.#random.chance(lostCall)) {
        return unheard({ kind: 'network', cause: 'offline' });
      }
      const answer = await call();
      return this.#random.chance(lostAnswer) ? unheard({ kind: 'timeout' }) : answer;
    };
    return {
      apply: (ops) =>
        through(async () => {
          const answer = await this.call('sync/apply', { ops });
          if (answer.ok) for (const op of ops) this.taken.set(op.op_id, op);
          return answer;
        }),
      changes: (cursor) => through(() => this.call('sync/changes', { cursor, ...this.#limit() })),
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

import { Mutex } from '@linnet/base';
import { isDel, type RecordSummary } from '@linnet/sync';
import type { Commits } from './commits.ts';
import type { SqlDatabase, SqlRow } from './database.ts';
import { readSummary, selectSummary } from './rows.ts';
import { placeholders } from './statements.ts';

/** Rows of one query: few enough that the page stays responsive between queries. */
const PAGE = 200;

/** Sorts after every date. */
const AFTER_ALL = '~';

/** The two sorted lists of an account. */
type Lists = {
  readonly kept: readonly RecordSummary[];
  readonly binned: readonly RecordSummary[];
};

/**
 * Caches the summaries of an account's records. After a commit, only the changed records are read again; unchanged ones
 * remain the same objects.
 */
export class Summaries {
  readonly #database: SqlDatabase;
  #uid: string | null = null;
  readonly #known = new Map<string, RecordSummary>();
  /** Records that a commit may have changed since they were read. */
  #stale = new Set<string>();
  #lists: Lists = { kept: [], binned: [] };
  readonly #mutex = new Mutex();

  constructor(database: SqlDatabase, commits: Commits) {
    this.#database = database;
    commits.subscribe((records) => {
      for (const id of records) this.#stale.add(id);
    });
  }

  /** Returns the lists as of the last commit; the same arrays if no record changed. */
  read(uid: string): Promise<Lists> {
    return this.#mutex.run(() => this.#read(uid));
  }

  async #read(uid: string): Promise<Lists> {
    if (this.#uid !== uid) await this.#open(uid);
    if (this.#stale.size > 0) {
      const stale = [...this.#stale];
      this.#stale = new Set();
      try {
        await this.#refresh(uid, stale);
      } catch (error) {
        for (const id of stale) this.#stale.add(id);
        throw error;
      }
    }
    return this.#lists;
  }

  /** Reads all records. Records written meanwhile become stale. */
  async #open(uid: string): Promise<void> {
    this.#uid = null;
    this.#known.clear();
    this.#stale = new Set();
    const read: Record<'kept' | 'binned', RecordSummary[]> = { kept: [], binned: [] };
    for (const list of ['kept', 'binned'] as const) {
      for (let rows: SqlRow[] | null = null; rows === null || rows.length === PAGE; ) {
        const last: SqlRow | undefined = rows?.at(-1);
        // Newest first, in the order of the index record_by_date, so that the kept records need no sorting.
        rows = await this.#database.query(
          `${selectSummary} where uid = ?1 and is_del = ?2 and create_date <= ?3
            and (create_date < ?3 or id > ?4) order by create_date desc, id limit ${PAGE}`,
          [uid, isDel[list], last?.create_date ?? AFTER_ALL, last?.id ?? ''],
        );
        for (const row of rows) {
          const summary = readSummary(row);
          this.#known.set(summary.id, summary);
          read[list].push(summary);
        }
      }
    }
    this.#uid = uid;
    this.#lists = { kept: read.kept, binned: read.binned.sort(lastBinnedFirst) };
  }

  async #refresh(uid: string, ids: readonly string[]): Promise<void> {
    let changed = false;
    for (let from = 0; from < ids.length; from += PAGE) {
      const page = ids.slice(from, from + PAGE);
      const rows = await this.#database.query(
        `${selectSummary} where uid = ? and id in (${placeholders(page.length)})`,
        [uid, ...page],
      );
      const found = new Map(rows.map((row) => [row.id, row]));
      for (const id of page) {
        const row = found.get(id);
        const known = this.#known.delete(id);
        if (row) this.#known.set(id, readSummary(row));
        changed ||= known || row !== undefined;
      }
    }
    if (changed) this.#sort();
  }

  #sort(): void {
    const all = [...this.#known.values()];
    this.#lists = {
      kept: all.filter(({ is_del }) => is_del === isDel.kept).sort(newestFirst),
      binned: all.filter(({ is_del }) => is_del === isDel.binned).sort(lastBinnedFirst),
    };
  }
}

const ascending = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function newestFirst(a: RecordSummary, b: RecordSummary): number {
  return ascending(b.create_date, a.create_date) || ascending(a.id, b.id);
}

function lastBinnedFirst(a: RecordSummary, b: RecordSummary): number {
  return ascending(b.binnedAt ?? '', a.binnedAt ?? '') || ascending(a.id, b.id);
}

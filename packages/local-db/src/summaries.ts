import { Mutex } from '@linnet/base';
import { isDel, type RecordSummary } from '@linnet/sync';
import type { Commits } from './commits.ts';
import type { SqlDatabase, SqlRow } from './database.ts';
import { readSummary, selectSummary } from './rows.ts';
import { placeholders } from './statements.ts';

/** Number of rows read per query: few enough to keep the page responsive. */
const PAGE_SIZE = 200;

/** A string that sorts after every date. */
const LAST_DATE = '~';

/** An account's two sorted lists. */
type Lists = {
  readonly kept: readonly RecordSummary[];
  readonly binned: readonly RecordSummary[];
};

/**
 * Caches the summaries of an account's records. After a commit, only changed records are read again, and summaries of
 * unchanged records stay the same objects.
 */
export class Summaries {
  readonly #database: SqlDatabase;
  #uid: string | null = null;
  readonly #byId = new Map<string, RecordSummary>();
  /** The IDs of records that may have changed since the last read. */
  #stale = new Set<string>();
  #lists: Lists = { kept: [], binned: [] };
  readonly #mutex = new Mutex();

  constructor(database: SqlDatabase, commits: Commits) {
    this.#database = database;
    commits.onCommit((records) => {
      for (const id of records) this.#stale.add(id);
    });
  }

  /** Returns the lists as of the last commit. If no record has changed, they're the same arrays as before. */
  read(uid: string): Promise<Lists> {
    return this.#mutex.run(() => this.#read(uid));
  }

  async #read(uid: string): Promise<Lists> {
    if (this.#uid !== uid) await this.#open(uid);
    if (this.#stale.size > 0) {
      const staleIds = [...this.#stale];
      this.#stale = new Set();
      try {
        await this.#refresh(uid, staleIds);
      } catch (error) {
        for (const id of staleIds) this.#stale.add(id);
        throw error;
      }
    }
    return this.#lists;
  }

  /** Reads all records. Records written during the read become stale. */
  async #open(uid: string): Promise<void> {
    this.#uid = null;
    this.#byId.clear();
    this.#stale = new Set();
    const read: Record<'kept' | 'binned', RecordSummary[]> = { kept: [], binned: [] };
    for (const list of ['kept', 'binned'] as const) {
      for (let rows: SqlRow[] | null = null; rows === null || rows.length === PAGE_SIZE; ) {
        const last: SqlRow | undefined = rows?.at(-1);
        // Use the order of the index record_by_date (newest first), so that SQLite doesn't sort.
        rows = await this.#database.query(
          `${selectSummary} where uid = ?1 and is_del = ?2 and create_date <= ?3
            and (create_date < ?3 or id > ?4) order by create_date desc, id limit ${PAGE_SIZE}`,
          [uid, isDel[list], last?.create_date ?? LAST_DATE, last?.id ?? ''],
        );
        for (const row of rows) {
          const summary = readSummary(row);
          this.#byId.set(summary.id, summary);
          read[list].push(summary);
        }
      }
    }
    this.#uid = uid;
    this.#lists = { kept: read.kept, binned: read.binned.sort(compareLastBinnedFirst) };
  }

  async #refresh(uid: string, ids: readonly string[]): Promise<void> {
    const pages = Array.from({ length: Math.ceil(ids.length / PAGE_SIZE) }, (_, index) =>
      ids.slice(index * PAGE_SIZE, (index + 1) * PAGE_SIZE),
    );
    // Start all queries before awaiting any, so that the list doesn't wait for a write after each.
    const results = await Promise.all(
      pages.map((page) =>
        this.#database.query(
          `${selectSummary} where uid = ? and id in (${placeholders(page.length)})`,
          [uid, ...page],
        ),
      ),
    );
    let hasChanged = false;
    for (const [index, page] of pages.entries()) {
      const rows = results[index] ?? [];
      const rowsById = new Map(rows.map((row) => [row.id, row]));
      for (const id of page) {
        const row = rowsById.get(id);
        const wasListed = this.#byId.delete(id);
        if (row) this.#byId.set(id, readSummary(row));
        hasChanged ||= wasListed || row !== undefined;
      }
    }
    if (hasChanged) this.#sort();
  }

  #sort(): void {
    const all = [...this.#byId.values()];
    this.#lists = {
      kept: all.filter(({ is_del }) => is_del === isDel.kept).sort(compareNewestFirst),
      binned: all.filter(({ is_del }) => is_del === isDel.binned).sort(compareLastBinnedFirst),
    };
  }
}

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function compareNewestFirst(a: RecordSummary, b: RecordSummary): number {
  return compareText(b.create_date, a.create_date) || compareText(a.id, b.id);
}

function compareLastBinnedFirst(a: RecordSummary, b: RecordSummary): number {
  return compareText(b.binnedAt ?? '', a.binnedAt ?? '') || compareText(a.id, b.id);
}

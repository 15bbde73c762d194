import { type SqlDatabase, SqlError, type SqlRow } from '../database.ts';
import type { Reply, Request } from './sqlite-wasm-messages.ts';

/** A request without the number that pairs it with its reply. */
type Question = Request extends infer Each
  ? Each extends Request
    ? Omit<Each, 'id'>
    : never
  : never;

/** The part of `Worker` that is used. */
type WorkerEnd = Pick<Worker, 'postMessage' | 'addEventListener'>;

/** Numbers requests over all connections of a page: one worker serves a connection and the one after it. */
let requests = 0;

/**
 * Opens a database that lives in a worker running `serveSqlite`.
 * @param file name of the database within its pool, such as `/linnet.sqlite3`
 * @throws SqlError `locked` if another page holds it
 */
export async function openSqliteWasm(worker: WorkerEnd, file: string): Promise<SqlDatabase> {
  const waiting = new Map<
    number,
    { resolve(rows: SqlRow[][]): void; reject(error: SqlError): void }
  >();

  function failAll(error: SqlError): void {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }
  worker.addEventListener('message', (event) => {
    const reply = (event as MessageEvent<Reply>).data;
    const asked = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (reply.ok) asked?.resolve(reply.rows);
    else asked?.reject(new SqlError(reply.code, { cause: new Error(reply.message) }));
  });
  worker.addEventListener('error', (event) => {
    failAll(new SqlError('closed', { cause: (event as ErrorEvent).error }));
  });

  function ask(question: Question): Promise<SqlRow[][]> {
    return new Promise((resolve, reject) => {
      const id = ++requests;
      waiting.set(id, { resolve, reject });
      const request: Request = { ...question, id };
      worker.postMessage(request);
    });
  }

  await ask({ type: 'open', file });
  return {
    query: async (sql, values = []) =>
      (await ask({ type: 'query', statement: [sql, values] }))[0] as SqlRow[],
    batch: (statements) => ask({ type: 'batch', statements }),
    close: async () => {
      await ask({ type: 'close' });
    },
  };
}

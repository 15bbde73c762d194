import { type SqlDatabase, SqlError, type SqlRow } from '../database.ts';
import type { Reply, Request } from './sqlite-wasm-messages.ts';

/** A request without the id that matches it to its reply. */
type RequestBody = Request extends infer Each
  ? Each extends Request
    ? Omit<Each, 'id'>
    : never
  : never;

/** The part of `Worker` used here. */
type WorkerEnd = Pick<Worker, 'postMessage' | 'addEventListener'>;

/** The number of requests over all connections of a page, because successive connections share a worker. */
let requests = 0;

/**
 * Opens a database that lives in a worker running `serveSqlite`.
 * @param file name of the database in its pool, such as `/linnet.sqlite3`
 * @throws SqlError `locked` if another page has opened it
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
    const pending = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (reply.ok) pending?.resolve(reply.rows);
    else pending?.reject(new SqlError(reply.code, { cause: new Error(reply.message) }));
  });
  worker.addEventListener('error', (event) => {
    failAll(new SqlError('closed', { cause: (event as ErrorEvent).error }));
  });

  function send(body: RequestBody): Promise<SqlRow[][]> {
    return new Promise((resolve, reject) => {
      const id = ++requests;
      waiting.set(id, { resolve, reject });
      const request: Request = { ...body, id };
      worker.postMessage(request);
    });
  }

  await send({ type: 'open', file });
  return {
    query: async (sql, values = []) =>
      (await send({ type: 'query', statement: [sql, values] }))[0] as SqlRow[],
    batch: (statements) => send({ type: 'batch', statements }),
    close: async () => {
      await send({ type: 'close' });
    },
  };
}

import { type SqlDatabase, SqlError, type SqlRow } from '../database.ts';
import type { Reply, Request } from './sqlite-wasm-messages.ts';

/** A request without its ID, which matches it to its reply. */
type RequestBody = Request extends infer Each
  ? Each extends Request
    ? Omit<Each, 'id'>
    : never
  : never;

/** The subset of `Worker` used by this file. */
type WorkerEnd = Pick<Worker, 'postMessage' | 'addEventListener'>;

/** Number of requests sent by this page. Shared by all connections, because they use the same worker. */
let requestCount = 0;

/**
 * Opens a database in a worker that runs `serveSqlite`.
 * @param file the database's name in the worker's pool, such as `/linnet.sqlite3`
 * @throws SqlError `locked` if another page has opened it
 */
export async function openSqliteWasm(worker: WorkerEnd, file: string): Promise<SqlDatabase> {
  const pendingRequests = new Map<
    number,
    { resolve(rows: SqlRow[][]): void; reject(error: SqlError): void }
  >();

  function failAll(error: SqlError): void {
    for (const { reject } of pendingRequests.values()) reject(error);
    pendingRequests.clear();
  }
  worker.addEventListener('message', (event) => {
    const reply = (event as MessageEvent<Reply>).data;
    const pendingRequest = pendingRequests.get(reply.id);
    pendingRequests.delete(reply.id);
    if (reply.ok) pendingRequest?.resolve(reply.rows);
    else pendingRequest?.reject(new SqlError(reply.code, { cause: new Error(reply.message) }));
  });
  worker.addEventListener('error', (event) => {
    failAll(new SqlError('closed', { cause: (event as ErrorEvent).error }));
  });

  function send(body: RequestBody): Promise<SqlRow[][]> {
    return new Promise((resolve, reject) => {
      const id = ++requestCount;
      pendingRequests.set(id, { resolve, reject });
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

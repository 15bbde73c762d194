import type { SqlErrorCode, SqlRow, Statement } from '../database.ts';

/** A request from the page to the database worker. */
export type Request = { readonly id: number } & (
  | { readonly type: 'open'; readonly file: string }
  | { readonly type: 'query'; readonly statement: Statement }
  | { readonly type: 'batch'; readonly statements: readonly Statement[] }
  | { readonly type: 'close' }
);

/** The worker's reply to a request. */
export type Reply =
  | { readonly id: number; readonly ok: true; readonly rows: SqlRow[][] }
  | {
      readonly id: number;
      readonly ok: false;
      readonly code: SqlErrorCode;
      readonly message: string;
    };

import type { Database, PreparedStatement, Sqlite3Static } from '@sqlite.org/sqlite-wasm';
import type { SqlRow, SqlValue } from '../database.ts';

/**
 * A position in the WebAssembly memory, in bytes. As the destructor of a value, 0 is SQLITE_STATIC: SQLite neither copies
 * nor frees the value, which must stay in place until its parameter is cleared (sqlite.org/c3ref/bind_blob.html).
 */
type Pointer = number;
const SQLITE_STATIC: Pointer = 0;

/** The C functions that this file uses, as exported by the WebAssembly module (sqlite.org/c3ref/funclist.html). */
type CFunctions = {
  sqlite3_bind_null(statement: Pointer, index: number): number;
  sqlite3_bind_int(statement: Pointer, index: number, value: number): number;
  sqlite3_bind_int64(statement: Pointer, index: number, value: bigint): number;
  sqlite3_bind_double(statement: Pointer, index: number, value: number): number;
  sqlite3_bind_text: BindBytes;
  sqlite3_bind_blob: BindBytes;
  sqlite3_step(statement: Pointer): number;
  sqlite3_reset(statement: Pointer): number;
  sqlite3_clear_bindings(statement: Pointer): number;
  sqlite3_column_type(statement: Pointer, column: number): number;
  sqlite3_column_double(statement: Pointer, column: number): number;
  sqlite3_column_text(statement: Pointer, column: number): Pointer;
  sqlite3_column_blob(statement: Pointer, column: number): Pointer;
  sqlite3_column_bytes(statement: Pointer, column: number): number;
};
type BindBytes = (
  statement: Pointer,
  index: number,
  value: Pointer,
  bytes: number,
  destructor: Pointer,
) => number;

/** Runs a statement with the values of its parameters, and leaves it ready for the next run. */
export type StatementRunner = (
  database: Database,
  statement: PreparedStatement,
  values: readonly SqlValue[],
) => SqlRow[];

/** The initial size of the memory for a statement's values, in bytes. */
const INITIAL_BYTES = 64 * 1024;
/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const MAX_UTF8_BYTES = 3;

/**
 * Creates a function that runs statements through SQLite's C functions. The methods of `PreparedStatement` take several
 * times as long to bind and to read a row, because they allocate memory for each text, and check and convert each
 * argument. The function throws SQLite's errors like these methods. The statement must then be finalized.
 */
export function createStatementRunner({ capi, oo1, wasm }: Sqlite3Static): StatementRunner {
  const functions: CFunctions = wasm.exports;
  const encoder = new TextEncoder();
  // Preserve a leading U+FEFF.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** Memory for the texts and blobs of the running statement. */
  let memory = { start: wasm.alloc(INITIAL_BYTES), bytes: INITIAL_BYTES };

  function reserve(bytes: number): void {
    if (bytes <= memory.bytes) return;
    const size = 2 ** Math.ceil(Math.log2(bytes));
    memory = { start: wasm.realloc(memory.start, size), bytes: size };
  }

  function bind(statement: Pointer, values: readonly SqlValue[]): number {
    reserve(values.reduce((total: number, value) => total + maxBytes(value), 0));
    const heap = wasm.heap8u();
    let next = memory.start;
    let result: number = capi.SQLITE_OK;
    for (let index = 1; index <= values.length && result === capi.SQLITE_OK; index += 1) {
      const value = values[index - 1] ?? null;
      if (value === null) result = functions.sqlite3_bind_null(statement, index);
      else if (typeof value === 'number') result = bindNumber(statement, index, value);
      else if (typeof value === 'string') {
        const free = heap.subarray(next, memory.start + memory.bytes);
        const { written } = encoder.encodeInto(value, free);
        result = functions.sqlite3_bind_text(statement, index, next, written, SQLITE_STATIC);
        next += written;
      } else if (value instanceof Uint8Array) {
        heap.set(value, next);
        result = functions.sqlite3_bind_blob(statement, index, next, value.length, SQLITE_STATIC);
        next += value.length;
      } else throw new TypeError(`a parameter of type ${typeof value}`);
    }
    return result;
  }

  function bindNumber(statement: Pointer, index: number, value: number): number {
    if (!Number.isSafeInteger(value)) return functions.sqlite3_bind_double(statement, index, value);
    return value === (value | 0)
      ? functions.sqlite3_bind_int(statement, index, value)
      : functions.sqlite3_bind_int64(statement, index, BigInt(value));
  }

  function readColumn(statement: Pointer, column: number): SqlValue {
    switch (functions.sqlite3_column_type(statement, column)) {
      case capi.SQLITE_NULL:
        return null;
      case capi.SQLITE_TEXT: {
        const start = functions.sqlite3_column_text(statement, column);
        const end = start + functions.sqlite3_column_bytes(statement, column);
        return decoder.decode(wasm.heap8u().subarray(start, end));
      }
      case capi.SQLITE_BLOB: {
        const start = functions.sqlite3_column_blob(statement, column);
        const end = start + functions.sqlite3_column_bytes(statement, column);
        return wasm.heap8u().slice(start, end);
      }
      default:
        return functions.sqlite3_column_double(statement, column);
    }
  }

  return (database, statement, values) => {
    const { pointer } = statement;
    if (pointer === undefined) throw new TypeError('the statement is finalized');
    oo1.DB.checkRc(database, bind(pointer, values));
    const rows: SqlRow[] = [];
    let names: readonly string[] | null = null;
    let result = functions.sqlite3_step(pointer);
    for (; result === capi.SQLITE_ROW; result = functions.sqlite3_step(pointer)) {
      // Read the names after the first step, because it takes a changed schema into account.
      names ??= statement.getColumnNames();
      const row: SqlRow = {};
      names.forEach((name, column) => {
        row[name] = readColumn(pointer, column);
      });
      rows.push(row);
    }
    if (result !== capi.SQLITE_DONE) oo1.DB.checkRc(database, result);
    // Ends the read transaction, and releases large values.
    functions.sqlite3_reset(pointer);
    functions.sqlite3_clear_bindings(pointer);
    return rows;
  };
}

/** Returns the number of bytes that a value occupies at most. */
function maxBytes(value: SqlValue): number {
  if (typeof value === 'string') return value.length * MAX_UTF8_BYTES;
  return value instanceof Uint8Array ? value.length : 0;
}

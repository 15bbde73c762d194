import type { ColumnType, JSONColumnType } from 'kysely';

/** Creation time, set by the database. */
export type CreatedAt = ColumnType<Date, Date | undefined, Date>;
/** A value that the database stores as JSON. */
export type Json<Value extends object | null> = JSONColumnType<
  Value,
  string | null | undefined,
  null extends Value ? string | null : string
>;

import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { ClientBase } from 'pg';
import { escapeIdentifier } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { writeNew } from './files.ts';
import type { FileDigest } from './manifest.ts';
import { BackupFailure } from './manifest.ts';

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Session settings that make the output independent of the server's configuration. */
const sessionSettings = `
  set datestyle = 'ISO'; set intervalstyle = 'postgres'; set timezone = 'UTC';
  set bytea_output = 'hex'; set extra_float_digits = 1; set client_encoding = 'UTF8'`;

export async function prepareSession(client: ClientBase): Promise<void> {
  await client.query(sessionSettings);
}

/**
 * Lists the application's tables in dependency order: each one after the tables that it references. The migration
 * tables are omitted.
 */
export async function listTables(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; refers: string[] }>(`
    select c.relname::text as name,
      (select array_agg(attname::text order by attnum) from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
      (select coalesce(array_agg(other.relname::text), '{}') from pg_constraint k
        join pg_class other on other.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> k.conrelid) as refers
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and c.relname not like 'kysely\\_%'
    order by c.relname`);
  const ordered: typeof rows = [];
  while (ordered.length < rows.length) {
    const listedNames = ordered.map(({ name }) => name);
    const readyTables = rows.filter(
      ({ name, refers }) =>
        !listedNames.includes(name) &&
        refers.every((referenced) => listedNames.includes(referenced)),
    );
    if (readyTables.length === 0) throw new Error('the tables have circular references');
    ordered.push(...readyTables);
  }
  return ordered.map(({ name, columns }) => ({ name, columns }));
}

/** Writes a table's rows to a new file. */
export async function dumpTable(
  client: ClientBase,
  { name, columns }: Table,
  file: string,
): Promise<FileDigest & { rows: number }> {
  const rows = client.query(copyTo(`copy ${target(name, columns)} to stdout`));
  const digest = await writeNew(file, rows, createGzip());
  return { ...digest, rows: rows.rowCount };
}

/**
 * Fills a table from a file.
 * @throws BackupFailure if the number of rows is wrong
 */
export async function loadTable(
  client: ClientBase,
  { name, columns, rows }: Table & { rows: number },
  file: string,
): Promise<void> {
  const into = client.query(copyFrom(`copy ${target(name, columns)} from stdin`));
  await pipeline(createReadStream(file), createGunzip(), into);
  if (into.rowCount !== rows) {
    throw new BackupFailure(`${name} has ${into.rowCount} rows instead of ${rows}`);
  }
}

function target(name: string, columns: readonly string[]): string {
  return `public.${escapeIdentifier(name)} (${columns.map(escapeIdentifier).join(', ')})`;
}

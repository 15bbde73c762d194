import type { ParseArgsOptionsConfig } from 'node:util';
import type { Config } from '../config/index.ts';
import type { Database } from '../db/database.ts';

/** A command that cannot be carried out; the message is for the operator. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/** What every command works on. */
export interface LocalContext {
  readonly config: Config;
  readonly now: () => Date;
}

/** What commands work on that look into the database. */
export interface Context extends LocalContext {
  /** The database's address, with its password. */
  readonly url: string;
  readonly db: Database;
}

/** What a command is given: the text says what, for when it is missing. */
type Operands = Readonly<Record<string, string | { readonly optional: string }>>;
type OperandValues<Given extends Operands> = {
  readonly [Name in keyof Given]: Given[Name] extends string ? string : string | undefined;
};
type Options = Readonly<Record<string, { readonly value: string } | 'flag'>>;
type OptionValues<Given extends Options> = {
  readonly [Name in keyof Given]?: Given[Name] extends 'flag' ? boolean : string;
};

/** A command as it is written; `command()` makes one that can be listed and run. */
interface Definition<Taken extends Operands, Given extends Options, On extends LocalContext> {
  /** Its words, such as `devices add`. */
  readonly name: string;
  /** What it does, in a few words. */
  readonly about: string;
  /** In order. */
  readonly operands?: Taken;
  readonly options?: Given;
  /** @returns what is printed */
  run(context: On, operands: OperandValues<Taken>, options: OptionValues<Given>): Promise<string>;
}

interface Listed<On extends LocalContext> {
  readonly name: string;
  readonly about: string;
  /** How it is written, such as `devices add <serial> [--name <name>]`. */
  readonly usage: string;
  readonly options: ParseArgsOptionsConfig;
  /** @throws CommandFailure; what else a command throws is its own */
  run(
    context: On,
    operands: readonly string[],
    options: Readonly<Record<string, unknown>>,
  ): Promise<string>;
}

/** `empty` commands want the database as it is, before any table is made; `none` do without. */
export type Command =
  | (Listed<Context> & { readonly database: 'migrated' | 'empty' })
  | (Listed<LocalContext> & { readonly database: 'none' });

/** A command that works on the database; up to date, unless it says otherwise. */
export function command<
  const Taken extends Operands = Readonly<Record<never, string>>,
  const Given extends Options = Readonly<Record<never, 'flag'>>,
>(
  definition: Definition<Taken, Given, Context> & { readonly database?: 'migrated' | 'empty' },
): Command {
  return { ...listed(definition), database: definition.database ?? 'migrated' };
}

/** A command that needs no database. */
export function localCommand<
  const Taken extends Operands = Readonly<Record<never, string>>,
  const Given extends Options = Readonly<Record<never, 'flag'>>,
>(definition: Definition<Taken, Given, LocalContext>): Command {
  return { ...listed(definition), database: 'none' };
}

function listed<Taken extends Operands, Given extends Options, On extends LocalContext>(
  definition: Definition<Taken, Given, On>,
): Listed<On> {
  const { name, about, run } = definition;
  const operands = Object.entries(definition.operands ?? {});
  const options = Object.entries(definition.options ?? {});
  const usage = [
    name,
    ...operands.map(([operand, what]) =>
      typeof what === 'string' ? `<${operand}>` : `[<${operand}>]`,
    ),
    ...options.map(([option, kind]) =>
      kind === 'flag' ? `[--${option}]` : `[--${option} <${kind.value}>]`,
    ),
  ].join(' ');
  return {
    name,
    about,
    usage,
    options: Object.fromEntries(
      options.map(([option, kind]) => [option, { type: kind === 'flag' ? 'boolean' : 'string' }]),
    ),
    async run(context, given, values) {
      const [, missing] = operands[given.length] ?? [];
      if (typeof missing === 'string') throw new CommandFailure(`${missing} is missing: ${usage}`);
      if (given.length > operands.length) {
        throw new CommandFailure(`"${given[operands.length]}" is too much: ${usage}`);
      }
      const named = Object.fromEntries(operands.map(([operand], index) => [operand, given[index]]));
      return run(context, named as OperandValues<Taken>, values as OptionValues<Given>);
    },
  };
}

/** @throws CommandFailure */
export function positive(text: string, option: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0 && value <= 10_000_000) return value;
  throw new CommandFailure(`${option} takes a whole number above 0`);
}

/** Rows as they are printed: one a line, fields apart by tabs; no field is taken for an order. */
export function table(rows: readonly (readonly string[])[], none: string): string {
  const fields = (row: readonly string[]) =>
    row.map((field) => field.replaceAll(/\p{Cc}/gu, '\uFFFD'));
  return rows.map((row) => fields(row).join('\t')).join('\n') || none;
}

/** Lines that somebody else wrote, with nothing in them that a terminal would take for an order. */
export function harmless(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, '\uFFFD');
}

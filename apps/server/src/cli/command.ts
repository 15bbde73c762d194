/** Defines command-line commands with typed positional arguments and options. */
import type { ParseArgsOptionsConfig } from 'node:util';
import type { Config } from '../config/index.ts';
import type { Database } from '../db/database.ts';

/** Thrown if a command can't be executed. The message is shown to the operator. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/** Context of every command. */
export interface LocalContext {
  readonly config: Config;
  readonly now: () => Date;
  /** Prints a line while the command is running. */
  readonly print: (line: string) => void;
}

/** A command's output, and whether the command found a problem. If so, the exit code is 1. */
export interface CommandReport {
  readonly text: string;
  readonly hasProblem: boolean;
}

/** Context of commands that use the database. */
export interface Context extends LocalContext {
  /** The database URL, including the password. */
  readonly url: string;
  readonly db: Database;
}

/** A command's positional arguments, with descriptions for error messages. */
type PositionalArguments = Readonly<Record<string, string | { readonly optional: string }>>;
type ArgumentValues<Given extends PositionalArguments> = {
  readonly [Name in keyof Given]: Given[Name] extends string ? string : string | undefined;
};
type Options = Readonly<Record<string, { readonly value: string } | 'flag'>>;
type OptionValues<Given extends Options> = {
  readonly [Name in keyof Given]?: Given[Name] extends 'flag' ? boolean : string;
};

/** Defines a command. `command()` turns the definition into a runnable {@link Command}. */
interface Definition<
  Taken extends PositionalArguments,
  Given extends Options,
  On extends LocalContext,
> {
  /** Name of the command, such as `devices add`. */
  readonly name: string;
  /** A short description. */
  readonly description: string;
  /** Positional arguments, in order. */
  readonly positionals?: Taken;
  readonly options?: Given;
  /**
   * Executes the command.
   * @returns output to print
   */
  run(
    context: On,
    positionals: ArgumentValues<Taken>,
    options: OptionValues<Given>,
  ): Promise<string | CommandReport>;
}

interface Runnable<On extends LocalContext> {
  readonly name: string;
  readonly description: string;
  /** The usage line, such as `devices add <serial> [--name <name>]`. */
  readonly usage: string;
  readonly options: ParseArgsOptionsConfig;
  /**
   * Parses the positional arguments and executes the command.
   * @throws CommandFailure for invalid arguments, or any error of the command itself
   */
  run(
    context: On,
    positionals: readonly string[],
    options: Readonly<Record<string, unknown>>,
  ): Promise<CommandReport>;
}

/** A command and its database requirement: `migrated`, `empty` (runs without migrating the database) or `none`. */
export type Command =
  | (Runnable<Context> & { readonly database: 'migrated' | 'empty' })
  | (Runnable<LocalContext> & { readonly database: 'none' });

/** Defines a command that uses the database, which is migrated by default. */
export function command<
  const Taken extends PositionalArguments = Readonly<Record<never, string>>,
  const Given extends Options = Readonly<Record<never, 'flag'>>,
>(
  definition: Definition<Taken, Given, Context> & { readonly database?: 'migrated' | 'empty' },
): Command {
  return { ...toRunnable(definition), database: definition.database ?? 'migrated' };
}

/** Defines a command that doesn't use the database. */
export function localCommand<
  const Taken extends PositionalArguments = Readonly<Record<never, string>>,
  const Given extends Options = Readonly<Record<never, 'flag'>>,
>(definition: Definition<Taken, Given, LocalContext>): Command {
  return { ...toRunnable(definition), database: 'none' };
}

function toRunnable<
  Taken extends PositionalArguments,
  Given extends Options,
  On extends LocalContext,
>(definition: Definition<Taken, Given, On>): Runnable<On> {
  const { name, description, run } = definition;
  const positionals = Object.entries(definition.positionals ?? {});
  const options = Object.entries(definition.options ?? {});
  const usage = [
    name,
    ...positionals.map(([argument, argumentDescription]) =>
      typeof argumentDescription === 'string' ? `<${argument}>` : `[<${argument}>]`,
    ),
    ...options.map(([option, kind]) =>
      kind === 'flag' ? `[--${option}]` : `[--${option} <${kind.value}>]`,
    ),
  ].join(' ');
  return {
    name,
    description,
    usage,
    options: Object.fromEntries(
      options.map(([option, kind]) => [option, { type: kind === 'flag' ? 'boolean' : 'string' }]),
    ),
    async run(context, argumentValues, values) {
      const [, missing] = positionals[argumentValues.length] ?? [];
      if (typeof missing === 'string') throw new CommandFailure(`${missing} is missing: ${usage}`);
      if (argumentValues.length > positionals.length) {
        throw new CommandFailure(
          `unexpected argument "${argumentValues[positionals.length]}": ${usage}`,
        );
      }
      const named = Object.fromEntries(
        positionals.map(([argument], index) => [argument, argumentValues[index]]),
      );
      const result = await run(
        context,
        named as ArgumentValues<Taken>,
        values as OptionValues<Given>,
      );
      return typeof result === 'string' ? { text: result, hasProblem: false } : result;
    },
  };
}

/**
 * Parses an option's value as a positive integer of at most 10,000,000.
 * @throws CommandFailure
 */
export function parsePositive(text: string, option: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0 && value <= 10_000_000) return value;
  throw new CommandFailure(`${option} must be a whole number greater than 0`);
}

/** Formats each row as a line of tab-separated fields, and replaces control characters. */
export function formatTable(rows: readonly (readonly string[])[], emptyText: string): string {
  const fields = (row: readonly string[]) =>
    row.map((field) => field.replaceAll(/\p{Cc}/gu, '\uFFFD'));
  return rows.map((row) => fields(row).join('\t')).join('\n') || emptyText;
}

/** Replaces control characters in untrusted text, because a terminal could interpret them. */
export function sanitize(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, '\uFFFD');
}

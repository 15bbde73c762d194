/** Reads the files in this folder for the tests. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { configurationTable } from '../apps/server/src/config/index.ts';

export const root = join(import.meta.dirname, '..');

export const readText = (path: string): string =>
  readFileSync(join(import.meta.dirname, path), 'utf8');

/** Parses the documents of a YAML file, with merge keys. @throws Error with the location of an error */
export function readYaml<Content>(path: string): Content[] {
  return parseAllDocuments(readText(path), { merge: true }).map((document) => {
    const [error] = document.errors;
    if (error) throw new Error(`${path}: ${error.message}`);
    return document.toJS();
  });
}

/** Returns the paths of the files in a folder, relative to this folder. */
export function listFiles(folder: string): string[] {
  return readdirSync(join(import.meta.dirname, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(import.meta.dirname.length + 1))
    .sort();
}

/** Parses a file of environment variables. */
export function readEnvironment(path: string): Record<string, string> {
  return Object.fromEntries(
    readText(path)
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

/** The names of the server's variables. */
export const variableNames: ReadonlySet<string> = new Set(
  [...configurationTable().matchAll(/^\| `([A-Z0-9_]+)`/gm)].map(([, name = '']) => name),
);

/** The placeholder for required secrets in the examples. It is too short to be accepted as any of them. */
const placeholder = 'replace';

/** Returns an environment with values for the secrets that the examples leave to be filled in. */
export function fillSecrets(environment: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => {
      const isMissing = value === '' || value === placeholder;
      return [name, isMissing ? 'a'.repeat(64) : value];
    }),
  );
}

/** Returns the script of the server that a command runs, such as `apps/server/src/api.ts`. */
export function findScript(command: readonly string[] | string): string | undefined {
  const text = typeof command === 'string' ? command : command.join(' ');
  return /\b(?:apps|tooling|deploy)\/[\w/.-]+\.(?:ts|mjs)\b/.exec(text)?.[0];
}

/** Returns the words of the command line that follow the script `cli.ts`; null if the command runs another script. */
export function parseCliCommand(command: readonly string[] | string): string[] | null {
  const text = typeof command === 'string' ? command : command.join(' ');
  const [, words] = /apps\/server\/src\/cli\.ts ([a-z ]*[a-z])/.exec(text) ?? [];
  return words?.split(' ') ?? null;
}

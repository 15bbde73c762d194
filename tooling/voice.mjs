/**
 * Counts turns of phrase that make English hard to read (CONTRIBUTING.md, *English*) in comments and
 * documentation. The number may only fall: `LIMIT` is lowered with it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './project.mjs';

/** The largest number that passes. Lower it to the number printed whenever that has fallen. */
export const LIMIT = 501;

/** Phrases for which English has a noun or an active verb. */
const TELLS = {
  whoever: /\bwho(m)?ever\b/gi,
  nobody: /\bnobody\b/gi,
  'its owner': /\bits owner\b/gi,
  'by itself': /\bby itself\b/gi,
  'of which': /\bof which\b/gi,
  'What … (for a noun)': /(^|[.:;] )What\b(?![^.?]*\?)/gm,
};

/** Folders of sources and pages, beside the pages in the root. */
const FOLDERS = ['packages', 'apps', 'e2e', 'tooling', 'docs'];
const READ = /\.(ts|tsx|mjs|js|md)$/;
const GENERATED = new Set(['node_modules', 'dist', 'build', '.cache', 'android', 'ios']);
const SOURCE = /\.(ts|tsx|mjs|js)$/;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:'"`\w/])\/\/.*$/gm;

/** The prose of a file: all of a page, the comments of a source. One line for each line of a comment. */
export function proseOf(name, text) {
  if (!SOURCE.test(name)) return text;
  return (text.match(COMMENT) ?? [])
    .join('\n')
    .replaceAll(/^\s*(\/\*\*?|\*\/|\*|\/\/)\s?/gm, '')
    .replaceAll(/\s*\*\/$/gm, '');
}

/** How often each phrase stands in a text. */
export function countTells(text) {
  return Object.fromEntries(
    Object.entries(TELLS).map(([name, pattern]) => [name, text.match(pattern)?.length ?? 0]),
  );
}

function* filesWithin(folder) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !GENERATED.has(entry.name)) yield* filesWithin(path);
    else if (entry.isFile() && READ.test(entry.name)) yield path;
  }
}

/** Sources and pages, by their paths from the root of the repository. */
export function filesToRead() {
  const pages = readdirSync(root).filter((name) => name.endsWith('.md'));
  return [...pages, ...FOLDERS.flatMap((folder) => [...filesWithin(folder)])];
}

/** Prints the count of every phrase and their sum. @returns 1 when the sum is above the limit, else 0 */
export function checkVoice() {
  const sums = {};
  for (const name of filesToRead()) {
    const counts = countTells(proseOf(name, readFileSync(join(root, name), 'utf8')));
    for (const [tell, count] of Object.entries(counts)) sums[tell] = (sums[tell] ?? 0) + count;
  }
  const total = Object.values(sums).reduce((sum, count) => sum + count, 0);
  const each = Object.entries(sums).map(([tell, count]) => `${tell} ${count}`);
  console.log(`Voice: ${total} of at most ${LIMIT} (${each.join(', ')})`);
  if (total < LIMIT) console.log(`Lower LIMIT in tooling/voice.mjs to ${total}.`);
  return total > LIMIT ? 1 : 0;
}

/**
 * Counts phrases that make English hard to read (CONTRIBUTING.md, *English*) in comments and documentation. The count
 * may only go down, and `LIMIT` goes down with it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './project.mjs';

/** The maximum count that passes. Lower it whenever the printed count is lower. */
export const LIMIT = 7;

/** Phrases that should be replaced by a noun or an active verb. */
const PHRASES = {
  whoever: /\bwho(m)?ever\b/gi,
  nobody: /\bnobody\b/gi,
  'its owner': /\bits owner\b/gi,
  'by itself': /\bby itself\b/gi,
  'of which': /\bof which\b/gi,
  'What … (for a noun)': /(^|[.:;] )What\b(?![^.?]*\?)/gm,
};

/** The folders to search, in addition to the pages in the repository root. */
const FOLDERS = ['packages', 'apps', 'e2e', 'tooling', 'deploy', 'docs'];
const CHECKED_NAME = /\.(ts|tsx|mjs|js|md)$/;
/** Term lists contain the phrases they forbid. */
const TERM_LIST = 'terms.md';
const GENERATED_FOLDERS = new Set(['node_modules', 'dist', 'build', '.cache', 'android', 'ios']);
const SOURCE = /\.(ts|tsx|mjs|js)$/;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:'"`\w/])\/\/.*$/gm;

/** Returns the prose of a file: the full text of a page, or the comments of a source file. */
export function extractProse(name, text) {
  if (!SOURCE.test(name)) return text;
  return (text.match(COMMENT) ?? [])
    .join('\n')
    .replaceAll(/^\s*(\/\*\*?|\*\/|\*|\/\/)\s?/gm, '')
    .replaceAll(/\s*\*\/$/gm, '');
}

/** Returns how often each phrase occurs in `text`. */
export function countPhrases(text) {
  return Object.fromEntries(
    Object.entries(PHRASES).map(([name, pattern]) => [name, text.match(pattern)?.length ?? 0]),
  );
}

function* filesWithin(folder) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !GENERATED_FOLDERS.has(entry.name)) yield* filesWithin(path);
    else if (entry.isFile() && CHECKED_NAME.test(entry.name) && entry.name !== TERM_LIST)
      yield path;
  }
}

/** Returns the paths of all source files and pages, relative to the repository root. */
export function listCheckedFiles() {
  const pages = readdirSync(root).filter((name) => name.endsWith('.md'));
  return [...pages, ...FOLDERS.flatMap((folder) => [...filesWithin(folder)])];
}

/** Prints the count of each phrase and the total. @returns the exit code: 1 if the total exceeds the limit */
export function checkVoice() {
  const totals = {};
  for (const name of listCheckedFiles()) {
    const counts = countPhrases(extractProse(name, readFileSync(join(root, name), 'utf8')));
    for (const [phrase, count] of Object.entries(counts))
      totals[phrase] = (totals[phrase] ?? 0) + count;
  }
  const total = Object.values(totals).reduce((sum, count) => sum + count, 0);
  const details = Object.entries(totals).map(([tell, count]) => `${tell} ${count}`);
  console.log(`Voice: ${total} of at most ${LIMIT} (${details.join(', ')})`);
  if (total < LIMIT) console.log(`Lower LIMIT in tooling/voice.mjs to ${total}.`);
  return total > LIMIT ? 1 : 0;
}

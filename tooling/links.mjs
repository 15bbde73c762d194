/**
 * Finds relative links of documentation that lead nowhere, and paths of files in docs/architecture.md that do not
 * exist.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from './project.mjs';
import { filesToRead } from './voice.mjs';

const LINK = /\]\((?!https?:|mailto:|#)([^)\s#]+)/g;
const CODE = /`((?:(?:packages|apps|e2e|tooling|docs)\/|[^`\s]+\/[^`\s]+\.\w)[^`\s]*)`/g;
/** The page whose inline code names files by their paths from the root of the repository. */
const MAP = join('docs', 'architecture.md');

/**
 * @param {string} name of a page, from the root of the repository
 * @param {string} text
 * @returns {string[]} paths from the root that the page names
 */
export function pathsIn(name, text) {
  const links = [...text.matchAll(LINK)].map(([, path]) => join(dirname(name), path));
  if (name !== MAP) return links;
  return [...links, ...[...text.matchAll(CODE)].map(([, path]) => path)];
}

/** Names every path that does not exist. @returns 1 when there is one, else 0 */
export function checkLinks() {
  const pages = filesToRead().filter((name) => name.endsWith('.md'));
  const broken = pages.flatMap((page) =>
    pathsIn(page, readFileSync(join(root, page), 'utf8'))
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `${page}: ${relative('.', path)} does not exist`),
  );
  for (const line of broken) console.error(line);
  return broken.length === 0 ? 0 : 1;
}

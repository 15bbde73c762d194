/** Finds broken links in the documentation, and nonexistent file paths in its inline code. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from './project.mjs';
import { listCheckedFiles } from './voice.mjs';

const LINK = /\]\((?!https?:|mailto:|#)([^)\s#]+)/g;
const CODE = /`((?:(?:packages|apps|e2e|tooling|docs)\/|[^`\s]+\/[^`\s]+\.\w)[^`\s]*)`/g;
/** Pages whose inline code contains file paths, relative to the repository root. */
const PAGES_WITH_PATHS = ['architecture.md', 'faults.md', 'security.md'].map((page) =>
  join('docs', page),
);

/**
 * Returns the paths that a page refers to.
 * @param {string} name the page's path, relative to the repository root
 * @param {string} text
 * @returns {string[]} the paths, relative to the repository root
 */
export function referencedPaths(name, text) {
  const links = [...text.matchAll(LINK)].map(([, path]) => join(dirname(name), path));
  if (!PAGES_WITH_PATHS.includes(name)) return links;
  return [...links, ...[...text.matchAll(CODE)].map(([, path]) => path)];
}

/** Prints every broken path. @returns the exit code: 1 if a path is broken */
export function checkLinks() {
  const pages = listCheckedFiles().filter((name) => name.endsWith('.md'));
  const brokenLinks = pages.flatMap((page) =>
    referencedPaths(page, readFileSync(join(root, page), 'utf8'))
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `${page}: ${relative('.', path)} does not exist`),
  );
  for (const line of brokenLinks) console.error(line);
  return brokenLinks.length === 0 ? 0 : 1;
}

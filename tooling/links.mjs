/**
 * Finds broken references in the documentation: links, file paths in inline code, and names of tests that their files
 * don't contain.
 */
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

/** A test file in inline code, followed by the names of its tests in quotation marks. */
const CITED_TESTS = /`([\w./-]+\.(?:test|spec)\.tsx?)`:?\s*((?:“[^”]+”(?:[,;]\s*|\s+and\s+)?)+)/g;

/**
 * Returns the tests that a page cites by name.
 * @param {string} text
 * @returns {{ file: string, name: string }[]} names end before an ellipsis if they are shortened
 */
export function citedTests(text) {
  return [...text.matchAll(CITED_TESTS)].flatMap(([, file = '', names = '']) =>
    [...names.matchAll(/“([^”]+)”/g)].map(([, name = '']) => ({
      file,
      name: name.replace(/…$/, ''),
    })),
  );
}

/** Returns whether a test file exists and contains the name of a test. */
function hasTest({ file, name }) {
  const path = join(root, file);
  return existsSync(path) && readFileSync(path, 'utf8').replaceAll("\\'", "'").includes(name);
}

/** Prints every broken reference. @returns the exit code: 1 if a reference is broken */
export function checkLinks() {
  const pages = listCheckedFiles().filter((name) => name.endsWith('.md'));
  const brokenReferences = pages.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8');
    const brokenPaths = referencedPaths(page, text)
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `${page}: ${relative('.', path)} does not exist`);
    const missingTests = citedTests(text)
      .filter((test) => !hasTest(test))
      .map(({ file, name }) => `${page}: ${file} has no test “${name}”`);
    return [...brokenPaths, ...missingTests];
  });
  for (const line of brokenReferences) console.error(line);
  return brokenReferences.length === 0 ? 0 : 1;
}

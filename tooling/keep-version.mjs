/**
 * `node tooling/keep-version.mjs [revision]`: stores the server of a revision, by default of the last commit, in
 * `e2e/updates`, so that the tests can update from it without the git history. Run it before committing a migration.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { root } from './project.mjs';

/** The files that the server needs at runtime. */
const included = ['package.json', 'apps/server/package.json', 'apps/server/src', 'packages'];
const excluded = ['*.test.ts', '*/testing/*', '*/test/*', '*/bench/*', '*/examples/*', '*.md'];

const revision = process.argv[2] ?? 'HEAD';
const archive = execFileSync(
  'git',
  ['archive', revision, ...included, ...excluded.map((pattern) => `:(exclude)${pattern}`)],
  { cwd: root, maxBuffer: Number.POSITIVE_INFINITY },
);
const file = join(root, 'e2e/updates/previous-version.tar.br');
writeFileSync(
  file,
  brotliCompressSync(archive, {
    params: {
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: archive.length,
    },
  }),
);
console.log(`${file}: the server of ${revision}`);

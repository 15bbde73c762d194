/**
 * `npm run check`: checks formatting, lint, types, module boundaries, the API reference, documentation and
 * translations. Doesn't change source files.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installDependencies } from './install.mjs';
import { checkLinks } from './links.mjs';
import { checkHostNode, environment, root, run } from './project.mjs';
import { checkVoice } from './voice.mjs';

const RULES = join(root, 'tooling', 'boundaries', 'rules.mjs');
const FIXTURE = join(root, 'tooling', 'boundaries', 'fixture');

/** Returns the paths of all TypeScript configurations. */
function compilerConfigs() {
  const parents = ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => join(parent, name)),
  );
  return [...parents, 'e2e', 'tooling', 'deploy']
    .flatMap((folder) => [join(folder, 'tsconfig.json'), join(folder, 'tsconfig.worker.json')])
    .filter((config) => existsSync(join(root, config)));
}

/**
 * Checks that every boundary rule reports a violation in the fixture. A rule without violations there has no effect.
 */
async function checkRules() {
  const { default: rules } = await import('./boundaries/rules.mjs');
  const { stdout } = spawnSync(
    'depcruise',
    ['--config', RULES, '--output-type', 'json', 'packages', 'apps'],
    { cwd: FIXTURE, env: environment(), encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  const violated = new Set(JSON.parse(stdout).summary.violations.map(({ rule }) => rule.name));
  const packageRule = /^package-/;
  const ineffective = rules.forbidden
    .map(({ name }) => name)
    // The rules of all packages are generated from one table, so the fixture covers only one package.
    .filter((name) => !packageRule.test(name) || name === 'package-contract')
    .filter((name) => !violated.has(name));
  for (const name of ineffective)
    console.error(`The rule ${name} reports no violations in the fixture.`);
  return ineffective.length === 0 ? 0 : 1;
}

checkHostNode();
await installDependencies();

const steps = [
  ['formatting and lint', () => run('biome', ['ci', '--error-on-warnings', '.'])],
  ...compilerConfigs().map((config) => [`types of ${config}`, () => run('tsc', ['-p', config])]),
  ['boundaries', () => run('depcruise', ['--config', RULES, 'packages', 'apps', 'e2e'])],
  ['effectiveness of the boundary rules', checkRules],
  ['unused exports', () => run('knip', ['--include', 'exports', '--no-progress'])],
  ['API reference', () => run('node', ['tooling/api-reference.mjs'])],
  ['generated client', () => run('node', ['tooling/generate-client.mjs', '--check'])],
  ['drawing of the architecture', () => run('node', ['tooling/draw-architecture.mjs', '--check'])],
  ['documentation links', async () => checkLinks()],
  ['English of comments and documentation', async () => checkVoice()],
  // Every locale must have the same keys and arguments, and all plural forms. A missing translation would show up as
  // its key.
  ['translations', () => run('vitest', ['run', '--reporter=dot', 'src/i18n/locales.test.ts'])],
];
let failed = 0;
for (const [name, step] of steps) {
  const code = await step();
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}`);
  if (code !== 0) failed += 1;
}
process.exit(failed === 0 ? 0 : 1);

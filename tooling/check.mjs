/** `npm run check`: formatting and lint, types, boundaries, languages. Nothing here writes to the sources. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installDependencies } from './install.mjs';
import { checkLinks } from './links.mjs';
import { checkHostNode, environment, root, run } from './project.mjs';
import { checkVoice } from './voice.mjs';

const RULES = join(root, 'tooling', 'boundaries', 'rules.mjs');
const FIXTURE = join(root, 'tooling', 'boundaries', 'fixture');

/** Every folder with a compiler configuration of its own. */
function typedFolders() {
  const parents = ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => join(parent, name)),
  );
  return [...parents, 'e2e', 'tooling']
    .flatMap((folder) => [join(folder, 'tsconfig.json'), join(folder, 'tsconfig.worker.json')])
    .filter((config) => existsSync(join(root, config)));
}

/** The rules must name each forbidden import of the fixture, or they forbid nothing. */
async function rulesBite() {
  const { default: rules } = await import('./boundaries/rules.mjs');
  const { stdout } = spawnSync(
    'depcruise',
    ['--config', RULES, '--output-type', 'json', 'packages', 'apps'],
    { cwd: FIXTURE, env: environment(), encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  const broken = new Set(JSON.parse(stdout).summary.violations.map(({ rule }) => rule.name));
  const packageRule = /^package-/;
  const toothless = rules.forbidden
    .map(({ name }) => name)
    // One package stands for all: their rules are made from one table.
    .filter((name) => !packageRule.test(name) || name === 'package-contract')
    .filter((name) => !broken.has(name));
  for (const name of toothless) console.error(`The rule ${name} lets the fixture pass.`);
  return toothless.length === 0 ? 0 : 1;
}

checkHostNode();
await installDependencies();

const steps = [
  ['formatting and lint', () => run('biome', ['ci', '--error-on-warnings', '.'])],
  ...typedFolders().map((config) => [`types of ${config}`, () => run('tsc', ['-p', config])]),
  ['boundaries', () => run('depcruise', ['--config', RULES, 'packages', 'apps', 'e2e'])],
  ['boundaries that bite', rulesBite],
  ['exports that nothing imports', () => run('knip', ['--include', 'exports', '--no-progress'])],
  // The same keys, the same arguments, every plural: words that are missing show as keys.
  ['links of the documentation', async () => checkLinks()],
  ['English of comments and documentation', async () => checkVoice()],
  ['languages', () => run('vitest', ['run', '--reporter=dot', 'src/i18n/locales.test.ts'])],
];
let failed = 0;
for (const [name, step] of steps) {
  const code = await step();
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}`);
  if (code !== 0) failed += 1;
}
process.exit(failed === 0 ? 0 : 1);

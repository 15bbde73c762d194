import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, longest first. They start first, so that none is left alone at the end of a run. */
const longest = [
  'e2e/faults/faults.test.ts',
  'apps/server/src/providers/speech/scenes.test.ts',
  'apps/server/src/pipeline/killed.test.ts',
  'e2e/sync/recorder-sync.test.ts',
  'e2e/sync/cuts.test.ts',
  'apps/server/src/providers/speech/openai/openai.test.ts',
  'e2e/sync/two-hours.test.ts',
  'apps/server/src/jobs/transcribe.test.ts',
  'apps/virtual-recorder/src/cli/cli.test.ts',
  'apps/server/test/phones/phones.test.ts',
  'apps/server/test/copies/copies.test.ts',
  'e2e/sync/recorder-link.test.ts',
  'apps/server/src/fuzz.test.ts',
  'apps/virtual-recorder/src/conformance.test.ts',
  'apps/virtual-recorder/src/sealed.test.ts',
  'apps/server/src/modules/webhook/workers.test.ts',
  'apps/virtual-recorder/src/firmware-kill.test.ts',
  'apps/virtual-recorder/src/recorder.test.ts',
  'apps/server/src/providers/speech/pocketsphinx/pocketsphinx.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex((file) => moduleId.endsWith(`/${file}`));
      return index === -1 ? longest.length : index;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

/** Options of every project. Vitest reads them from each project, not from the root configuration. */
export const shared = {
  // One worker per core, but at least three: most files spend about as much time waiting for the database, the disk or
  // other processes as they spend computing. On two cores, the third worker saves a third of the time.
  maxWorkers: Math.max(3, availableParallelism()),
  // Workers keep the modules that they have loaded. Otherwise each file would load them again, which takes almost three
  // seconds of CPU time for the server's. So tests undo what they change: environment, globals, timers.
  isolate: false,
  // In milliseconds. Generous, because a test that takes one second on an idle machine can take twenty on a busy one.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
  // No test downloads models from their publishers.
  env: { MODELS: 'off' },
  setupFiles: fileURLToPath(new URL('./tooling/seed-properties.ts', import.meta.url)),
} as const;

/** Tests that render pages. They need a document, so they form a project of their own. */
export const pageTests = '**/*.page.test.tsx';

const inFolder = (parent: string) =>
  readdirSync(new URL(`./${parent}`, import.meta.url)).map((name) => `${parent}/${name}`);

/** All tests except the end-to-end tests in `e2e/tests`, which Playwright runs. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      ...[...inFolder('packages'), ...inFolder('apps'), 'e2e', 'tooling', 'deploy'].map((root) =>
        existsSync(new URL(`./${root}/vitest.config.ts`, import.meta.url))
          ? root
          : {
              root,
              test: {
                name: basename(root),
                exclude: [...configDefaults.exclude, pageTests],
                ...shared,
              },
            },
      ),
      'apps/app/vitest.config.pages.ts',
    ],
  },
});

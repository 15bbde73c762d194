/** A process that dies at an exact step of what it does on its disk, as if its power went just then. */
import { promises as disk, type PathLike } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** What the recorder does with files that are open, and with those that are not. */
const WITH_OPEN = ['appendFile', 'writeFile', 'readFile', 'sync'] as const;
const WITH_PATHS = ['open', 'readFile', 'rename', 'rm'] as const;

type Steps = { [name: string]: (...given: unknown[]) => Promise<unknown> };

/**
 * Has `onStep` called whenever something was begun on the disk. Whoever kills the process there leaves it
 * to chance how much of that step still came to be, as a loss of power does.
 * @param somewhere a file that is there
 */
export async function watchDisk(somewhere: PathLike, onStep: () => void): Promise<void> {
  const file = await disk.open(somewhere, 'r');
  watch(Object.getPrototypeOf(file), WITH_OPEN);
  await file.close();
  watch(disk as unknown as Steps, WITH_PATHS);
  syncBuiltinESMExports();

  function watch(steps: Steps, names: readonly string[]): void {
    for (const name of names) {
      const step = steps[name];
      if (!step) throw new Error(`there is no ${name}`);
      steps[name] = function begun(this: unknown, ...given) {
        const done = step.apply(this, given);
        onStep();
        return done;
      };
    }
  }
}

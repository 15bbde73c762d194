/** Instruments the disk so that a test can kill the process during a specific file operation, as a power loss would. */
import { promises as disk, type PathLike } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** The recorder's file operations, on open files and on paths. */
const FILE_OPERATIONS = ['appendFile', 'writeFile', 'readFile', 'sync'] as const;
const PATH_OPERATIONS = ['open', 'readFile', 'rename', 'rm'] as const;

type Operations = { [name: string]: (...parameters: unknown[]) => Promise<unknown> };

/**
 * Calls `onOperation` just after each file operation has started. If the process is killed there, the operation may be
 * complete, partly done, or not done at all, as in a power loss.
 * @param path an existing file
 */
export async function watchDisk(path: PathLike, onOperation: () => void): Promise<void> {
  const file = await disk.open(path, 'r');
  watch(Object.getPrototypeOf(file), FILE_OPERATIONS);
  await file.close();
  watch(disk as unknown as Operations, PATH_OPERATIONS);
  syncBuiltinESMExports();

  function watch(operations: Operations, names: readonly string[]): void {
    for (const name of names) {
      const operation = operations[name];
      if (!operation) throw new Error(`unknown operation ${name}`);
      operations[name] = function watched(this: unknown, ...parameters) {
        const done = operation.apply(this, parameters);
        onOperation();
        return done;
      };
    }
  }
}

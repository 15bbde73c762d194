/** Startup checks that run before any service starts. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** A failed startup check. The message is a complete sentence, shown to the operator. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists but belongs to a different user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function isFileMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/**
 * Returns the process ID in the pid file if it belongs to another running supervisor, or null. Checks the process's
 * command line, because process IDs are reused.
 */
function findOtherSupervisor(file: string): number | null {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    if (!pid || pid === process.pid || !isRunning(pid)) return null;
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('supervise') ? pid : null;
  } catch (error) {
    if (isFileMissing(error)) return null;
    throw error;
  }
}

/**
 * Locks the data folder for this process, because two supervisors using the same folder would share a database.
 * @returns a function that releases the folder
 * @throws StartFailure if another supervisor is using the folder
 */
export function claimDataDir(runDir: string): () => void {
  const file = join(runDir, 'start.pid');
  const otherPid = findOtherSupervisor(file);
  if (otherPid !== null) {
    throw new StartFailure(
      `Linnet is already running on this DATA_DIR (process ${otherPid}). Stop that process, or set a different DATA_DIR and PORT.`,
    );
  }
  writeFileSync(file, String(process.pid));
  return () => rmSync(file, { force: true });
}

/** Checks that a port is free. @throws StartFailure if the port is in use */
export async function checkPort(variable: string, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new StartFailure(
              `Port ${port} is in use by another program. Set ${variable} to a different port.`,
            )
          : error,
      );
    });
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

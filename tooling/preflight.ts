/** What would keep Linnet from running here, found before anything is started. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** A start that cannot work; the message is the whole sentence for whoever started it. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is alive too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function isFileMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** The start that a pid file names, if it still runs: pids are used again, so its command is looked at. */
function otherStart(file: string): number | null {
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
 * Claims the data folder for this process; two on one folder would share one database and fight for ports.
 * @returns gives the folder back
 * @throws StartFailure when another start runs on it
 */
export function claimDataDir(runDir: string): () => void {
  const file = join(runDir, 'start.pid');
  const other = otherStart(file);
  if (other !== null) {
    throw new StartFailure(
      `Linnet runs on this DATA_DIR already (process ${other}). Stop that one, or set another DATA_DIR and PORT.`,
    );
  }
  writeFileSync(file, String(process.pid));
  return () => rmSync(file, { force: true });
}

/** @throws StartFailure when something else listens there */
export async function checkPort(variable: string, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new StartFailure(
              `Port ${port} is in use by something else. Set ${variable} to another.`,
            )
          : error,
      );
    });
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

import { accessSync, constants } from 'node:fs';

/** Resource limits for a child process, enforced by the kernel; see {@link limitedCommand}. */
export interface ProcessLimits {
  /** Address space in MiB. Allocations that exceed it fail inside the child. Linux only. */
  readonly addressMiB: number;
  /** CPU time in seconds, after which the child is killed. */
  readonly cpuSeconds: number;
  /** Maximum file size in bytes. The child is killed if it writes more. */
  readonly fileBytes: number;
}

/** The child's niceness. Requests served on the same machine have priority. */
const niceness = '3';

/**
 * Linux program that makes the kernel kill the child when this process dies. Otherwise, the child of a killed worker
 * would keep running.
 */
const setpriv = '/usr/bin/setpriv';

/** Unit of `ulimit -f` in bytes, as defined by POSIX. */
const blockBytes = 512;

/**
 * Shell script that sets the limits and then replaces itself with the program. The process ID stays the same, so
 * signals reach the program. Address space can be limited only on Linux.
 */
const limitScript = [
  process.platform === 'linux' ? 'ulimit -v "$1"' : ':',
  'ulimit -S -t "$2"',
  'ulimit -f "$3"',
  'shift 3',
  'exec nice -n "$0" "$@"',
].join(' && ');

/** Wraps a command so that it runs with limits on address space, CPU time and file size. */
export function limitedCommand(
  { addressMiB, cpuSeconds, fileBytes }: ProcessLimits,
  program: string,
  args: readonly string[],
): { readonly program: string; readonly args: readonly string[] } {
  const numbers = [addressMiB * 1024, Math.ceil(cpuSeconds), Math.ceil(fileBytes / blockBytes)].map(
    String,
  );
  const shell = ['-c', limitScript, niceness, ...numbers, program, ...args];
  return hasSetpriv()
    ? { program: setpriv, args: ['--pdeathsig', 'KILL', 'sh', ...shell] }
    : { program: 'sh', args: shell };
}

function hasSetpriv(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    accessSync(setpriv, constants.X_OK);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

import { accessSync, constants } from 'node:fs';

/** What a child process may take of this machine. The kernel enforces it: see {@link limitedCommand}. */
export interface ProcessLimits {
  /** Address space, in MiB; allocation beyond it fails inside the child. Linux only. */
  readonly addressMiB: number;
  /** Processor time, in seconds; the child is killed when it has used them. */
  readonly cpuSeconds: number;
  /** The largest file that it may write, in bytes; the child is killed when it writes more. */
  readonly fileBytes: number;
}

/** Requests being answered on the same machine go first. */
const niceness = '3';

/** Linux: the child gets SIGKILL when this process dies, so that a killed worker leaves no child behind. */
const setpriv = '/usr/bin/setpriv';

/** POSIX counts file sizes for `ulimit -f` in blocks of so many bytes. */
const blockBytes = 512;

/** Sets the limits, then becomes the program: same process id, so a signal reaches it. Other systems than Linux know no limit of address space. */
const limited = [
  process.platform === 'linux' ? 'ulimit -v "$1"' : ':',
  'ulimit -S -t "$2"',
  'ulimit -f "$3"',
  'shift 3',
  'exec nice -n "$0" "$@"',
].join(' && ');

/** The command that runs a program under limits of address space, processor time and file size. */
export function limitedCommand(
  { addressMiB, cpuSeconds, fileBytes }: ProcessLimits,
  program: string,
  args: readonly string[],
): { readonly program: string; readonly args: readonly string[] } {
  const numbers = [addressMiB * 1024, Math.ceil(cpuSeconds), Math.ceil(fileBytes / blockBytes)].map(
    String,
  );
  const shell = ['-c', limited, niceness, ...numbers, program, ...args];
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

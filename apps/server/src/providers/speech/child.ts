import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { createInterface } from 'node:readline';
import { SpeechFailure } from './port.ts';

export interface EngineLimits {
  /** Maximum address space in MiB. Allocations that exceed it fail inside the child. */
  readonly memoryMiB: number;
  /** Wall-clock timeout in seconds, after which the child is killed. */
  readonly seconds: number;
}

export interface EngineCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The child's entire environment except `PATH`. The server's secrets aren't inherited. */
  readonly env?: Readonly<Record<string, string>>;
  readonly limits: EngineLimits;
  readonly onLogLine?: (line: string) => void;
  /** Called with each line that the engine writes to file descriptor 3, which is only open if this is set. */
  readonly onAnswerLine?: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The engine's niceness, which gives priority to the API on the same machine. A higher value would starve transcription
 * on a busy machine.
 */
export const NICENESS = '3';

/**
 * Shell script that sets the memory limit and the priority, and makes Linux's OOM killer prefer the engine over the
 * database and the API. It then replaces the shell with the engine (`exec`), which keeps the process ID.
 */
const LIMIT_SCRIPT =
  process.platform === 'linux'
    ? '{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null; ulimit -v "$1" && shift && exec nice -n "$0" "$@"'
    : 'shift && exec nice -n "$0" "$@"'; // Other systems have no address space limit.

/**
 * Program that makes Linux send SIGKILL to the child when this process dies. Otherwise, a killed worker would leave the
 * engine running.
 */
const SETPRIV = '/usr/bin/setpriv';

/**
 * Runs an engine to completion within its limits.
 * @throws SpeechFailure `aborted`, `timeout`, `engine-missing` or `engine-crashed`
 */
export async function runEngine(command: EngineCommand): Promise<void> {
  if (command.signal?.aborted) throw new SpeechFailure('aborted', 'before the engine started');
  const child = startProcess(command);
  let stopReason: SpeechFailure | undefined;
  const stop = (reason: SpeechFailure) => {
    stopReason ??= reason;
    child.kill('SIGKILL');
  };
  const onAbort = () => stop(new SpeechFailure('aborted', 'by the caller'));
  command.signal?.addEventListener('abort', onAbort, { once: true });
  const { seconds } = command.limits;
  const timer = setTimeout(
    () => stop(new SpeechFailure('timeout', `not finished after ${seconds} s`)),
    seconds * 1000,
  );
  let lastError = '';
  try {
    const lines = createInterface({ input: child.stderr as NodeJS.ReadableStream });
    lines.on('line', (line) => {
      if (/^(ERROR|FATAL)|failed from /.test(line)) lastError = line.trim();
      command.onLogLine?.(line);
    });
    const { onAnswerLine } = command;
    if (onAnswerLine) {
      const answers = createInterface({ input: child.stdio[3] as NodeJS.ReadableStream });
      answers.on('line', onAnswerLine);
    }
    const { code, signal } = await waitForExit(child);
    if (stopReason) throw stopReason;
    if (code !== 0) {
      throw new SpeechFailure('engine-crashed', `exit ${code ?? signal} ${lastError}`.trim());
    }
  } finally {
    clearTimeout(timer);
    command.signal?.removeEventListener('abort', onAbort);
  }
}

function startProcess(command: EngineCommand): ChildProcess {
  const limited = [
    'sh',
    '-c',
    LIMIT_SCRIPT,
    NICENESS,
    String(command.limits.memoryMiB * 1024),
    command.program,
    ...command.args,
  ];
  const [program, ...args] = hasSetpriv() ? [SETPRIV, '--pdeathsig', 'KILL', ...limited] : limited;
  return spawn(program as string, args, {
    cwd: command.cwd,
    env: { PATH: process.env.PATH, ...command.env },
    stdio: ['ignore', 'ignore', 'pipe', command.onAnswerLine ? 'pipe' : 'ignore'],
  });
}

function hasSetpriv(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    accessSync(SETPRIV, constants.X_OK);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw new SpeechFailure('engine-missing', `can't run ${SETPRIV}`, cause);
  }
}

function waitForExit(
  child: ChildProcess,
): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    child.once('error', (cause) =>
      reject(new SpeechFailure('engine-missing', "can't be started", cause)),
    );
    // `close` is emitted after the last log lines have been read, whereas `exit` may be emitted before.
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}

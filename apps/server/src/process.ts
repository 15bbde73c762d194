import type { Config } from './config/index.ts';
import { ConfigFailure, readConfig } from './config/index.ts';

/** Reads the configuration. If a variable is missing or invalid, prints an error message and exits. */
export function configOrExit(): Promise<Config & { DATABASE_URL: string }> {
  return orExit(() => {
    const config = readConfig(process.env);
    const { DATABASE_URL } = config;
    if (DATABASE_URL === undefined) {
      throw new ConfigFailure(
        'DATABASE_URL',
        'DATABASE_URL is required: a process started without `npm start` needs a database address.',
      );
    }
    return { ...config, DATABASE_URL };
  });
}

/** Returns the result of `operation`. If it throws a ConfigFailure, prints an error message and exits. */
export async function orExit<Result>(operation: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await operation();
  } catch (error) {
    if (!(error instanceof ConfigFailure)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(78); // EX_CONFIG from sysexits.h
  }
}

/** Timeout for a graceful shutdown in milliseconds, after which the process exits anyway. */
const stopTimeoutMs = 15_000;

/** Calls `stop` and then exits on SIGTERM, on SIGINT, or when the parent process disconnects from IPC. */
export function stopOnSignals(stop: () => Promise<void>): void {
  let isStopping = false;
  const onSignal = () => {
    if (isStopping) return;
    isStopping = true;
    const timeout = setTimeout(() => process.exit(1), stopTimeoutMs);
    stop().then(
      () => {
        clearTimeout(timeout);
        process.exit(0);
      },
      (error) => {
        process.stderr.write(`stop failed: ${error instanceof Error ? error.stack : error}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('disconnect', onSignal);
}

/** If connected over IPC, notifies the parent process that this process is ready. */
export function reportReady(message: object): void {
  process.send?.({ ready: true, ...message });
}

/** If connected over IPC, sends a message to the parent process, which shows it to the operator. */
export function reportNotice(notice: string): void {
  // Ignore errors: if the channel has just closed, `stopOnSignals` ends this process.
  if (process.connected) process.send?.({ notice }, () => undefined);
}

import type { Config } from './config/index.ts';
import { ConfigFailure, readConfig } from './config/index.ts';

/** Reads the environment, or ends the process with the sentence that says which variable is wrong. */
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

/** What `read` yields; ends the process with the sentence when a variable is wrong. */
export async function orExit<Result>(read: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ConfigFailure)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(78); // EX_CONFIG of sysexits.h
  }
}

/** How long a stop may take before the process ends anyway. */
const stopTimeoutMs = 15_000;

/**
 * Ends the process on SIGTERM and SIGINT, and when the parent that started it over IPC is gone, after
 * `stop` has finished.
 */
export function stopOnSignals(stop: () => Promise<void>): void {
  let stopping = false;
  const end = () => {
    if (stopping) return;
    stopping = true;
    const late = setTimeout(() => process.exit(1), stopTimeoutMs);
    stop().then(
      () => {
        clearTimeout(late);
        process.exit(0);
      },
      (error) => {
        process.stderr.write(`the stop failed: ${error instanceof Error ? error.stack : error}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  process.on('disconnect', end);
}

/** Tells a parent that started this process over IPC that it is ready. */
export function reportReady(message: object): void {
  process.send?.({ ready: true, ...message });
}

import type { Logger } from 'pino';
import { pino, stdTimeFunctions } from 'pino';
import type { Config } from './config.ts';

/**
 * One JSON object per line on standard output. Code logs ids, codes and counts; tokens, mail addresses,
 * titles and transcripts are never handed to it. What an error of a library may carry is cut here.
 */
export function createLogger(config: Pick<Config, 'LOG_LEVEL'>, role: 'api' | 'worker'): Logger {
  return pino({
    level: config.LOG_LEVEL,
    base: { role, pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  });
}

/** An error without its extra fields: drivers attach statements and their parameters to them. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' && { code }),
    stack: error.stack,
    ...(error.cause instanceof Error && { cause: describeError(error.cause) }),
  };
}

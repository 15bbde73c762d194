import type { Logger } from 'pino';
import { pino, stdTimeFunctions } from 'pino';
import type { Config } from './config/index.ts';

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
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code } = error as { code?: unknown };
  // The first lines of a stack are the message again.
  const frames = error.stack?.split('\n').filter((line) => /^ +at /.test(line));
  return {
    type: error.name,
    message: withoutSecrets(error.message, code),
    ...(typeof code === 'string' && { code }),
    stack: frames?.join('\n'),
    ...(error.cause instanceof Error && { cause: describeError(error.cause) }),
  };
}

/** What messages of libraries may quote: addresses of mail, what stands in an address, keys, tokens. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/\/\/[^\s/@]+@/g, '//'],
  [/[^\s<>"'(]+@[^\s<>"')]+/g, '…@…'],
  [/\?[^\s?"']*=[^\s"']*/g, '?…'],
  [/\b[rs]k[-_][\w*.-]+/g, '…'],
  [/\b(?![0-9a-f]{8}-)[\w-]{32,}(?:\.[\w-]+)*/g, '…'],
];
/** SQLSTATEs of class 22 are about data, and the message quotes it. */
const dataException = /^22...$/;

function withoutSecrets(message: string, code: unknown): string {
  const quoting = typeof code === 'string' && dataException.test(code);
  const text = quoting ? message.replace(/".*"/s, '…') : message;
  return secrets.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), text);
}

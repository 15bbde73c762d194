import type { Logger } from 'pino';
import { pino, stdTimeFunctions } from 'pino';
import type { Config } from './config/index.ts';

/**
 * Creates a logger that writes one JSON object per line to standard output. Callers log IDs, codes and counts, but
 * never tokens, email addresses, titles or transcripts. Sensitive parts of library errors are removed here.
 */
export function createLogger(config: Pick<Config, 'LOG_LEVEL'>, role: 'api' | 'worker'): Logger {
  return pino({
    level: config.LOG_LEVEL,
    base: { role, pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  });
}

/** Describes an error without its extra fields, where drivers put SQL statements and parameters. */
export function describeError(error: unknown): object {
  if (!isErrorLike(error)) return { type: typeof error };
  const { code } = error;
  // The stack starts with a copy of the message, which isn't redacted.
  const frames = String(error.stack ?? '')
    .split('\n')
    .filter((line) => /^ +at /.test(line));
  return {
    type: String(error.name ?? 'Error'),
    message: redact(error.message, code),
    ...(typeof code === 'string' && { code }),
    stack: frames.join('\n'),
    ...(isErrorLike(error.cause) && { cause: describeError(error.cause) }),
  };
}

/** An error, or a copy of one's fields, as the queue's library reports. */
type ErrorLike = { readonly message: string } & {
  readonly [Field in 'name' | 'stack' | 'cause' | 'code']?: unknown;
};

const isErrorLike = (error: unknown): error is ErrorLike =>
  typeof error === 'object' &&
  error !== null &&
  'message' in error &&
  typeof error.message === 'string';

/** Patterns of sensitive data in library messages: credentials in URLs, email addresses, queries, keys and tokens. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/\/\/[^\s/@]+@/g, '//'],
  [/[^\s<>"'(]+@[^\s<>"')]+/g, '…@…'],
  [/\?[^\s?"']*=[^\s"']*/g, '?…'],
  [/\b[rs]k[-_][\w*.-]+/g, '…'],
  [/\b(?![0-9a-f]{8}-)[\w-]{32,}(?:\.[\w-]+)*/g, '…'],
];
/** Matches SQLSTATEs of class 22, whose messages quote data. */
const dataException = /^22...$/;

function redact(message: string, code: unknown): string {
  const quotesData = typeof code === 'string' && dataException.test(code);
  const text = quotesData ? message.replace(/".*"/s, '…') : message;
  return secrets.reduce(
    (redacted, [pattern, replacement]) => redacted.replace(pattern, replacement),
    text,
  );
}

/**
 * The app's log. It is kept for ten days, and users can attach it to feedback. Lines contain names and numbers, but no
 * content, addresses or secrets.
 */
import type { Log } from '@linnet/sync';

/** A line of the log. `at` is in milliseconds since 1970. */
export type LogLine = { readonly at: number; readonly line: string };

/** The persistent storage of log lines. */
export type LogBook = {
  /** @throws the browser's error when storage is full */
  add(lines: readonly LogLine[]): Promise<void>;
  /** Returns all stored lines, oldest first. */
  read(): Promise<readonly LogLine[]>;
};

/** The delay in milliseconds before collected lines are written. */
const BATCH_MS = 1000;
/** The maximum number of unwritten lines in memory. If there are more, the oldest are dropped. */
const MAX_PENDING = 500;
/** The number of stack frames that are logged with an error. */
const MAX_FRAMES = 6;

/** Matches names, numbers, versions and source locations. Other values could be content or secrets. */
const safeValue = /^[\w.:+/-]{1,64}$/;

let book: LogBook | null = null;
let version = '';
let pending: LogLine[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
/** Settles when all started writes have completed. Writes run in sequence. */
let writing = Promise.resolve();

function append(level: 'info' | 'error', event: string, facts: Readonly<Record<string, unknown>>) {
  const pairs = Object.entries(facts).map(([name, value]) => {
    const text = String(value);
    return ` ${name}=${safeValue.test(text) ? text : '?'}`;
  });
  const at = Date.now();
  pending.push({ at, line: `${new Date(at).toISOString()} ${level} ${event}${pairs.join('')}` });
  pending = pending.slice(-MAX_PENDING);
  if (book) timer ??= setTimeout(flush, BATCH_MS);
}

/** Writes the pending lines. If this fails, the lines stay pending and the error is written to the console. */
function flush(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  writing = writing.then(async () => {
    const lines = pending;
    if (!book || lines.length === 0) return;
    pending = [];
    try {
      await book.add(lines);
    } catch (error) {
      pending = [...lines, ...pending].slice(-MAX_PENDING);
      console.warn('log.not_kept', error);
    }
  });
  return writing;
}

/**
 * Starts persisting the log, including the lines that were logged before.
 * @param appVersion the version for the heading of the log
 */
export function persistLog(store: LogBook, appVersion: string): void {
  book = store;
  version = appVersion;
  const flushWhenHidden = () => document.visibilityState === 'hidden' && void flush();
  document.addEventListener('visibilitychange', flushWhenHidden);
  window.addEventListener('pagehide', () => void flush());
  void flush();
}

/** Starts logging uncaught errors. */
export function logUncaught(): void {
  window.addEventListener('error', ({ error }) => append('error', 'uncaught', errorFacts(error)));
  window.addEventListener('unhandledrejection', ({ reason }) =>
    append('error', 'uncaught', errorFacts(reason)),
  );
}

/**
 * Returns the log as text: a heading with the versions of the app and the browser, followed by the lines, oldest first.
 * @param maxLength the maximum number of characters. If the log is longer, the oldest lines are omitted.
 */
export async function readLog(maxLength = Number.POSITIVE_INFINITY): Promise<string> {
  await flush();
  let stored: readonly LogLine[] = [];
  try {
    stored = (await book?.read()) ?? [];
  } catch (error) {
    console.warn('log.not_read', error);
  }
  const head = `Linnet ${version}, ${document.documentElement.lang}, ${navigator.userAgent}`;
  const lines = [...stored, ...pending].map(({ line }) => `${line}\n`);
  let length = head.length + 1;
  const lastOmitted = lines.findLastIndex((line) => {
    length += line.length;
    return length > maxLength;
  });
  return `${head}\n${lines.slice(lastOmitted + 1).join('')}`;
}

/** Writes an event to the console and the log. Facts must be names and numbers, not content or personal data. */
export const log: Log = (event, facts = {}) => {
  console.info(event, facts);
  append('info', event, facts);
};

/** Reports an unexpected error to the console and the log. */
export function reportError(error: unknown): void {
  console.error(error);
  append('error', 'failed', errorFacts(error));
}

/** Returns the name and location of an error. Its message is omitted, because it may contain a title or an address. */
function errorFacts(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const locations = [...(error.stack ?? '').matchAll(/([\w.-]+\.(?:m?js|tsx?)):(\d+):(\d+)/g)];
  const code = 'code' in error ? { code: error.code } : {};
  const cause = error.cause instanceof Error ? { cause: error.cause.name } : {};
  const frames = locations
    .slice(0, MAX_FRAMES)
    .map(([location], index) => [`at${index}`, location]);
  return { name: error.name, ...code, ...cause, ...Object.fromEntries(frames) };
}

/**
 * The app's log. Lines are kept for ten days, and users can attach them to feedback. They contain names and numbers,
 * but no content, addresses or secrets.
 */
import type { Log } from '@linnet/sync';

/** A log line. `at` is in milliseconds since 1970. */
export type LogLine = { readonly at: number; readonly line: string };

/** Persistent storage for log lines. */
export type LogBook = {
  /** @throws the browser's error when storage is full */
  add(lines: readonly LogLine[]): Promise<void>;
  /** Returns all stored lines, oldest first. */
  read(): Promise<readonly LogLine[]>;
};

/** Delay in milliseconds before collected lines are written. */
const BATCH_MS = 1000;
/** Maximum number of unwritten lines in memory. Beyond that, the oldest are dropped. */
const MAX_PENDING = 500;
/** Number of stack frames logged with an error. */
const MAX_FRAMES = 6;

/** Matches names, numbers, versions and source locations. Any other value could be content or a secret. */
const safeValue = /^[\w.:+/-]{1,64}$/;

let book: LogBook | null = null;
let version = '';
let pending: LogLine[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
/** Settles when all writes started so far have completed. Writes run in sequence. */
let writing = Promise.resolve();

function append(level: 'info' | 'error', event: string, facts: Readonly<Record<string, unknown>>) {
  const pairs = Object.entries(facts).map(([name, value]) => {
    const text = String(value);
    return ` ${name}=${safeValue.test(text) ? text : '?'}`;
  });
  const loggedAt = Date.now();
  pending.push({
    at: loggedAt,
    line: `${new Date(loggedAt).toISOString()} ${level} ${event}${pairs.join('')}`,
  });
  pending = pending.slice(-MAX_PENDING);
  if (book) timer ??= setTimeout(flush, BATCH_MS);
}

/** Writes the pending lines. If that fails, they stay pending and the error goes to the console. */
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
 * Starts persisting the log, including lines logged earlier.
 * @param appVersion the app version to show in the log's heading
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
 * Returns the log as text: a heading with the app and browser versions, followed by the lines, oldest first.
 * @param maxLength the maximum number of characters; omits the oldest lines of a longer log
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

/** Writes an event to the console and the log. `facts` must be names and numbers, not content or personal data. */
export const log: Log = (event, facts = {}) => {
  console.info(event, facts);
  append('info', event, facts);
};

/** Reports an unexpected error to the console and the log. */
export function reportError(error: unknown): void {
  console.error(error);
  append('error', 'failed', errorFacts(error));
}

/** Returns an error's name and location. Omits the message, which may contain a title or an address. */
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

import type { Log } from '@linnet/sync';

/** A line of the log. `at` is in milliseconds since 1970. */
export type LogLine = { readonly at: number; readonly line: string };

/** Persistent storage for log lines. */
export type LogBook = {
  /** @throws the browser's error when storage is full */
  add(lines: readonly LogLine[]): Promise<void>;
  /** All stored lines, oldest first. */
  read(): Promise<readonly LogLine[]>;
};

/** Time in milliseconds for which lines are batched. */
const BATCH_MS = 1000;
/** Maximum number of unwritten lines in memory. The oldest are dropped. */
const MAX_PENDING = 500;
/** Number of stack frames stored with an error. */
const FRAMES = 6;

/** A name, a number, a version, or an address of our own code; never content or secrets. */
const safeValue = /^[\w.:+/-]{1,64}$/;

let book: LogBook | null = null;
let version = '';
let pending: LogLine[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
/** The last write. Writes run one after the other. */
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

/** Writes pending lines. After a failure they stay pending, and the error goes to the console. */
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
 * Persists the log, including earlier lines.
 * @param appVersion shown in the log's heading
 */
export function persistLog(store: LogBook, appVersion: string): void {
  book = store;
  version = appVersion;
  const flushWhenHidden = () => document.visibilityState === 'hidden' && void flush();
  document.addEventListener('visibilitychange', flushWhenHidden);
  window.addEventListener('pagehide', () => void flush());
  void flush();
}

/** Logs uncaught errors. */
export function logUncaught(): void {
  window.addEventListener('error', ({ error }) => append('error', 'uncaught', errorFacts(error)));
  window.addEventListener('unhandledrejection', ({ reason }) =>
    append('error', 'uncaught', errorFacts(reason)),
  );
}

/**
 * Returns the log of the last ten days as text: a heading with app and browser, then one line per event, oldest
 * first. It contains no content or secrets.
 * @param maxLength maximum number of characters; older events are omitted
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
  const tooOld = lines.findLastIndex((line) => {
    length += line.length;
    return length > maxLength;
  });
  return `${head}\n${lines.slice(tooOld + 1).join('')}`;
}

/** Writes an event to the console and the log. Facts are names and numbers, never content or personal data. */
export const log: Log = (event, facts = {}) => {
  console.info(event, facts);
  append('info', event, facts);
};

/** Reports an unexpected error to the console and the log. */
export function reportError(error: unknown): void {
  console.error(error);
  append('error', 'failed', errorFacts(error));
}

/** Returns the name and location of an error without its message, which may contain a title or an address. */
function errorFacts(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const places = [...(error.stack ?? '').matchAll(/([\w.-]+\.(?:m?js|tsx?)):(\d+):(\d+)/g)];
  const code = 'code' in error ? { code: error.code } : {};
  const cause = error.cause instanceof Error ? { cause: error.cause.name } : {};
  const frames = places.slice(0, FRAMES).map(([place], index) => [`at${index}`, place]);
  return { name: error.name, ...code, ...cause, ...Object.fromEntries(frames) };
}

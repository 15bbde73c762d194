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

/** Time in milliseconds for which lines are collected before they are written together. */
const GATHER_MS = 1000;
/** Maximum number of lines held in memory while they cannot be written; the oldest are dropped. */
const WAITING = 500;
/** Number of stack frames stored with an error. */
const FRAMES = 6;

/** A name, a number, a version, or an address of our own code; never content or secrets. */
const harmless = /^[\w.:+/-]{1,64}$/;

let book: LogBook | null = null;
let version = '';
let waiting: LogLine[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
/** The current write; writes are serialized in the order of the lines. */
let writing = Promise.resolve();

function append(level: 'info' | 'error', event: string, facts: Readonly<Record<string, unknown>>) {
  const pairs = Object.entries(facts).map(([name, value]) => {
    const text = String(value);
    return ` ${name}=${harmless.test(text) ? text : '?'}`;
  });
  const at = Date.now();
  waiting.push({ at, line: `${new Date(at).toISOString()} ${level} ${event}${pairs.join('')}` });
  waiting = waiting.slice(-WAITING);
  if (book) timer ??= setTimeout(flush, GATHER_MS);
}

/** Writes pending lines. Lines that fail stay pending, and the console shows the error. */
function flush(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  writing = writing.then(async () => {
    const lines = waiting;
    if (!book || lines.length === 0) return;
    waiting = [];
    try {
      await book.add(lines);
    } catch (error) {
      waiting = [...lines, ...waiting].slice(-WAITING);
      console.warn('log.not_kept', error);
    }
  });
  return writing;
}

/**
 * Stores the log in `store` from now on, including earlier lines.
 * @param appVersion shown in the log's heading
 */
export function persistLog(store: LogBook, appVersion: string): void {
  book = store;
  version = appVersion;
  const leave = () => document.visibilityState === 'hidden' && void flush();
  document.addEventListener('visibilitychange', leave);
  window.addEventListener('pagehide', () => void flush());
  void flush();
}

/** Logs uncaught errors. */
export function logUncaught(): void {
  window.addEventListener('error', ({ error }) => append('error', 'uncaught', factsOf(error)));
  window.addEventListener('unhandledrejection', ({ reason }) =>
    append('error', 'uncaught', factsOf(reason)),
  );
}

/**
 * The log as one text for diagnosis: a heading with app and browser, then one line per event, oldest first.
 * Names and numbers of the last ten days, without content or secrets.
 * @param most maximum number of characters; the newest events that fit
 */
export async function readLog(most = Number.POSITIVE_INFINITY): Promise<string> {
  await flush();
  let stored: readonly LogLine[] = [];
  try {
    stored = (await book?.read()) ?? [];
  } catch (error) {
    console.warn('log.not_read', error);
  }
  const head = `Linnet ${version}, ${document.documentElement.lang}, ${navigator.userAgent}`;
  const lines = [...stored, ...waiting].map(({ line }) => `${line}\n`);
  let letters = head.length + 1;
  const tooOld = lines.findLastIndex((line) => {
    letters += line.length;
    return letters > most;
  });
  return `${head}\n${lines.slice(tooOld + 1).join('')}`;
}

/** Writes an event to the browser's console and the log: names and numbers, never content or people. */
export const log: Log = (event, facts = {}) => {
  console.info(event, facts);
  append('info', event, facts);
};

/** Reports an unexpected error to the console and the log. */
export function reportError(error: unknown): void {
  console.error(error);
  append('error', 'failed', factsOf(error));
}

/** Name and location of an error, without its message, which may contain a title or an address. */
function factsOf(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const places = [...(error.stack ?? '').matchAll(/([\w.-]+\.(?:m?js|tsx?)):(\d+):(\d+)/g)];
  const code = 'code' in error ? { code: error.code } : {};
  const cause = error.cause instanceof Error ? { cause: error.cause.name } : {};
  const frames = places.slice(0, FRAMES).map(([place], index) => [`at${index}`, place]);
  return { name: error.name, ...code, ...cause, ...Object.fromEntries(frames) };
}

import type { Log } from '@linnet/sync';

/** One line of the log. `at` is in milliseconds since 1970. */
export type LogLine = { readonly at: number; readonly line: string };

/** Where lines are kept, so that they outlive the page. */
export type LogBook = {
  /** @throws what the browser says when it takes no more */
  add(lines: readonly LogLine[]): Promise<void>;
  /** Everything that is kept, oldest first. */
  read(): Promise<readonly LogLine[]>;
};

/** Milliseconds that lines wait for others, so that they are written together. */
const GATHER_MS = 1000;
/** Lines that wait for a book, or for one that takes none: the oldest go first. */
const WAITING = 500;
/** Places in the code that an error is kept with. */
const FRAMES = 6;

/** A name, a number, a version, an address of our own code: nothing that somebody said, wrote or keeps secret. */
const harmless = /^[\w.:+/-]{1,64}$/;

let book: LogBook | null = null;
let version = '';
let waiting: LogLine[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
/** The writing under way: one at a time, in the order of the lines. */
let writing = Promise.resolve();

function keep(level: 'info' | 'error', event: string, facts: Readonly<Record<string, unknown>>) {
  const told = Object.entries(facts).map(([name, value]) => {
    const text = String(value);
    return ` ${name}=${harmless.test(text) ? text : '?'}`;
  });
  const at = Date.now();
  waiting.push({ at, line: `${new Date(at).toISOString()} ${level} ${event}${told.join('')}` });
  waiting = waiting.slice(-WAITING);
  if (book) timer ??= setTimeout(flush, GATHER_MS);
}

/** Writes what waits. What the book does not take waits on, and the console says why. */
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
 * From now on the log is kept in `kept`, what was logged before included.
 * @param appVersion what the log says it is of
 */
export function keepLog(kept: LogBook, appVersion: string): void {
  book = kept;
  version = appVersion;
  const leave = () => document.visibilityState === 'hidden' && void flush();
  document.addEventListener('visibilitychange', leave);
  window.addEventListener('pagehide', () => void flush());
  void flush();
}

/** Has the log hear of what nobody caught. */
export function logUncaught(): void {
  window.addEventListener('error', ({ error }) => keep('error', 'uncaught', factsOf(error)));
  window.addEventListener('unhandledrejection', ({ reason }) =>
    keep('error', 'uncaught', factsOf(reason)),
  );
}

/**
 * The log as one text for whoever looks into a problem: a line on app and browser, then one for each event,
 * oldest first. Names and numbers of the last ten days, no recording's content and no secret.
 * @param most letters at most: of events, the newest that fit
 */
export async function readLog(most = Number.POSITIVE_INFINITY): Promise<string> {
  await flush();
  let kept: readonly LogLine[] = [];
  try {
    kept = (await book?.read()) ?? [];
  } catch (error) {
    console.warn('log.not_read', error);
  }
  const head = `Linnet ${version}, ${document.documentElement.lang}, ${navigator.userAgent}`;
  const lines = [...kept, ...waiting].map(({ line }) => `${line}\n`);
  let letters = head.length + 1;
  const tooOld = lines.findLastIndex((line) => {
    letters += line.length;
    return letters > most;
  });
  return `${head}\n${lines.slice(tooOld + 1).join('')}`;
}

/** Writes an event to the browser's console and the log: names and numbers, never what was said or by whom. */
export const log: Log = (event, facts = {}) => {
  console.info(event, facts);
  keep('info', event, facts);
};

/** Something that should not have happened. It is shown to whoever looks, never swallowed. */
export function reportError(error: unknown): void {
  console.error(error);
  keep('error', 'failed', factsOf(error));
}

/** What an error is called, and where it was; not its message, which may hold a title or an address. */
function factsOf(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const places = [...(error.stack ?? '').matchAll(/([\w.-]+\.(?:m?js|tsx?)):(\d+):(\d+)/g)];
  const code = 'code' in error ? { code: error.code } : {};
  const cause = error.cause instanceof Error ? { cause: error.cause.name } : {};
  const frames = places.slice(0, FRAMES).map(([place], index) => [`at${index}`, place]);
  return { name: error.name, ...code, ...cause, ...Object.fromEntries(frames) };
}

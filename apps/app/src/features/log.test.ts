import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LogLine } from './log.ts';

/** Loads the log module as a newly opened page would. */
async function loadLog() {
  vi.resetModules();
  return import('./log.ts');
}

function createMemoryBook() {
  const lines: LogLine[] = [];
  let isFull = false;
  return {
    setFull: (value: boolean) => {
      isFull = value;
    },
    add: async (newLines: readonly LogLine[]) => {
      if (isFull) throw new DOMException('storage full', 'QuotaExceededError');
      lines.push(...newLines);
    },
    read: async () => lines,
  };
}

beforeEach(() => {
  const page = Object.assign(new EventTarget(), {
    documentElement: { lang: 'ja' },
    visibilityState: 'visible',
  });
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('navigator', { userAgent: 'Browser/1' });
  for (const method of ['info', 'warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation(() => {});
  }
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('the log', () => {
  it('contains events that were logged before and after persistence was started', async () => {
    const { log, persistLog, readLog } = await loadLog();
    log('link.state', { from: 'idle', to: 'connecting' });
    persistLog(createMemoryBook(), '1.2.3');
    log('upload.done', { bytes: 1600 });
    const [head, ...lines] = (await readLog()).trimEnd().split('\n');
    expect(head).toBe('Linnet 1.2.3, ja, Browser/1');
    expect(lines.map((line) => line.slice(line.indexOf(' ') + 1))).toEqual([
      'info link.state from=idle to=connecting',
      'info upload.done bytes=1600',
    ]);
    expect(Date.parse(lines[0]?.split(' ')[0] ?? '')).toBeGreaterThan(0);
  });

  it('omits the oldest lines if it exceeds the maximum length', async () => {
    const { log, readLog } = await loadLog();
    for (const count of [1, 2, 3]) log('a.line', { count });
    const fullLog = await readLog();
    const [head = ''] = fullLog.split('\n');
    const lineNumbers = (text: string) =>
      text
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => line.at(-1));
    expect(lineNumbers(fullLog).slice(-3)).toEqual(['1', '2', '3']);
    const lastTwo = fullLog.trimEnd().split('\n').slice(-2).join('\n');
    const limit = head.length + 1 + lastTwo.length + 1;
    expect(await readLog(limit)).toBe(`${head}\n${lastTwo}\n`);
    expect(lineNumbers(await readLog(limit - 1))).toEqual(['3']);
    expect(lineNumbers(await readLog(fullLog.length))).toEqual(lineNumbers(fullLog));
    expect(await readLog(1)).toBe(`${head}\n`);
  });

  it('contains no content, addresses or secrets', async () => {
    const { log, reportError, persistLog, readLog } = await loadLog();
    persistLog(createMemoryBook(), '1.2.3');
    log('odd', { title: 'Salary of Ada', email: 'ada@example.org', url: 'https://a/b?token=c' });
    const cause = new RangeError('Salary of Ada');
    const error = Object.assign(new TypeError('GET /audio?sign=secret', { cause }), { code: 'io' });
    reportError(error);
    reportError('Salary of Ada');
    const text = await readLog();
    for (const word of ['Salary', 'Ada', 'example', 'token', 'secret', 'audio']) {
      expect(text).not.toContain(word);
    }
    expect(text).toContain('info odd title=? email=? url=?');
    expect(text).toMatch(
      /error failed name=TypeError code=io cause=RangeError at0=log\.test\.ts:\d+/,
    );
    expect(text).toContain('error failed name=string');
  });

  it('contains uncaught errors', async () => {
    const { logUncaught, persistLog, readLog } = await loadLog();
    persistLog(createMemoryBook(), '1.2.3');
    logUncaught();
    window.dispatchEvent(Object.assign(new Event('error'), { error: new SyntaxError('x') }));
    window.dispatchEvent(
      Object.assign(new Event('unhandledrejection'), { reason: new EvalError('x') }),
    );
    const text = await readLog();
    expect(text).toContain('error uncaught name=SyntaxError');
    expect(text).toContain('error uncaught name=EvalError');
  });

  it('is written when the page is hidden, including lines whose first write failed', async () => {
    const { log, persistLog, readLog } = await loadLog();
    const book = createMemoryBook();
    book.setFull(true);
    persistLog(book, '1.2.3');
    log('first');
    expect(await readLog()).toContain('info first');
    expect(await book.read()).toEqual([]);
    book.setFull(false);
    log('second');
    window.dispatchEvent(new Event('pagehide'));
    await expect.poll(async () => (await book.read()).length).toBe(2);
    expect((await readLog()).match(/first/g)).toHaveLength(1);
  });
});

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@linnet/server/embedded';
import { type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test';
import lighthouse from 'lighthouse';
import config, { chromiumFlags } from '../playwright.config.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { findFreePort } from '../support/ports.ts';
import { ServerAccount } from '../support/server-account.ts';
import { Stack } from '../support/stack.ts';
import { fillLibrary, lastWord, librarySize, rareWord } from './library.ts';
import { type Measurement, roundToThousandths } from './measurement.ts';

const owner = 'reader@example.org';
const PHONE_SCREEN = { width: 390, height: 844 };
/** Number of times each short operation is repeated. The bench reports the median. */
const ROUNDS = 5;
/** Frames longer than this count as dropped: one and a half frames at 60 Hz. */
const DROPPED_FRAME_MS = 25;

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number;
}

/**
 * Measures the app with 10,000 recordings and one eight-hour recording, in real Chromium at a phone's screen size. The
 * baseline is a plain HTML page with the same list.
 */
export async function run(): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-bench-'));
  const postgres = await startPostgres({ dataDir: folder, log: () => undefined });
  const env = { DATABASE_URL: postgres.url, BILLING: 'off' };
  const stack = await Stack.start({ env });
  const plainPage = await servePlainPage();
  const port = await findFreePort();
  const context = await chromium.launchPersistentContext(join(folder, 'browser'), {
    ...config.use?.launchOptions,
    args: [...chromiumFlags, `--remote-debugging-port=${port}`],
    viewport: PHONE_SCREEN,
  });
  try {
    const measurements = [...(await audit('sign-in', `${stack.url}/pages/index`, port))];
    await ServerAccount.register(stack, owner);
    const longRecording = await fillLibrary(postgres.url, owner);
    const page = await signInAndSync(context, stack);
    measurements.push(...(await measureList(page, stack, plainPage.url)));
    measurements.push(...(await measureScrolling(page, stack, plainPage.url)));
    measurements.push(...(await measureSearch(page, stack)));
    measurements.push(...(await measureLongRecording(page, stack, longRecording)));
    await closePage(page, context, stack);
    measurements.push(...(await audit('files', `${stack.url}/pages/files`, port)));
    return measurements;
  } finally {
    await context.close();
    await plainPage.close();
    await stack.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs Lighthouse with its mobile settings. The browser stays signed in. */
async function audit(name: string, url: string, port: number): Promise<Measurement[]> {
  const result = await lighthouse(url, {
    port,
    output: 'json',
    logLevel: 'error',
    disableStorageReset: true,
    onlyCategories: ['performance', 'accessibility'],
  });
  if (!result) throw new Error(`Lighthouse returned no result for ${name}`);
  const { categories, audits, runtimeError } = result.lhr;
  if (runtimeError) throw new Error(`Lighthouse: ${runtimeError.message}`);
  const displayValue = (id: string) => audits[id]?.displayValue ?? null;
  const failed = Object.values(audits)
    .filter(({ score, scoreDisplayMode }) => scoreDisplayMode === 'binary' && score === 0)
    .map(({ id }) => id);
  return ['performance', 'accessibility'].map((category) => ({
    name: `lighthouse ${name}: ${category}`,
    value: categories[category]?.score ?? 0,
    unit: 'score',
    detail: {
      fcp: displayValue('first-contentful-paint'),
      lcp: displayValue('largest-contentful-paint'),
      tbt: displayValue('total-blocking-time'),
      cls: displayValue('cumulative-layout-shift'),
      // Shows whether the page rendered the list or an error screen.
      elements: audits['dom-size-insight']?.numericValue ?? null,
      failed,
    },
  }));
}

/** Closes a page and waits until it releases the database. Otherwise the next page would offer to take over. */
async function closePage(page: Page, context: BrowserContext, stack: Stack): Promise<void> {
  await page.close();
  const blankPage = await context.newPage();
  // Open a page of the same origin that doesn't load the app.
  await blankPage.goto(`${stack.url}/readyz`);
  await blankPage.waitForFunction(async () => (await navigator.locks.query()).held?.length === 0);
  await blankPage.close();
}

/** Serves a plain page that contains the complete list. */
async function servePlainPage(): Promise<{ url: string; close(): Promise<void> }> {
  const rows = Array.from(
    { length: librarySize.recordings },
    (_, index) =>
      `<li><b>Notes ${index + 1}</b><br>1 January · 0:22 · Note<br>About the orchids and the key</li>`,
  );
  const body = `<!doctype html><meta charset="utf-8"><title>Notes</title><ul>${rows.join('')}</ul>`;
  const server: Server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Signs in, and waits until all recordings have been synced and indexed. */
async function signInAndSync(context: BrowserContext, stack: Stack): Promise<Page> {
  const page = await context.newPage();
  const app = new LinnetApp(page, stack);
  await app.open('/pages/index');
  await app.signIn(owner);
  const longTimeout = { timeout: 900_000 };
  await page
    .locator('.files-total')
    .filter({ hasText: new Intl.NumberFormat('en').format(librarySize.recordings) })
    .waitFor(longTimeout);
  await page.goto(`${stack.url}/pages/search`);
  await page.getByTestId('search-input').fill(lastWord);
  await page.locator('.results > .found-list').waitFor(longTimeout);
  await page.locator('.search-indexing').waitFor({ ...longTimeout, state: 'detached' });
  return page;
}

/** Returns the time from the start of a navigation until an element is rendered, in milliseconds. */
async function timeToElement(page: Page, url: string, selector: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator(selector).first().waitFor();
  return page.evaluate(
    () => new Promise<number>((resolve) => requestAnimationFrame(() => resolve(performance.now()))),
  );
}

async function measureList(page: Page, stack: Stack, plain: string): Promise<Measurement[]> {
  const [appTimes, plainTimes]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    plainTimes.push(await timeToElement(page, plain, 'li'));
    const url = `${stack.url}/pages/files`;
    appTimes.push(await timeToElement(page, url, '[data-testid="record-row"]'));
  }
  const [value, reference] = [quantile(appTimes, 0.5), quantile(plainTimes, 0.5)];
  return [
    {
      name: 'app: time to show a list of 10,000 ÷ time for a plain page with the same list',
      value: roundToThousandths(value / reference),
      unit: 'ratio',
      detail: { ms: Math.round(value), plainMs: Math.round(reference) },
    },
  ];
}

/** The number of frames in two seconds at 60 Hz. */
const SCROLL_FRAMES = 120;
/** The speed of a fling in pixels per frame: 6,000 pixels per second at 60 Hz. */
const FLING_PX_PER_FRAME = 100;

/**
 * Scrolls a list frame by frame.
 * @param step pixels per frame; by default, scrolls to the end of the list
 * @returns the frame times in milliseconds
 */
async function scroll(page: Page, selector: string, step?: number): Promise<number[]> {
  return page.evaluate(
    async ({ selector, step, scrollFrames }) => {
      const scroller = document.querySelector(selector) as Element;
      const end = scroller.scrollHeight - scroller.clientHeight;
      const frames: number[] = [];
      let before = await new Promise<number>(requestAnimationFrame);
      for (let frame = 1; frame <= scrollFrames; frame += 1) {
        scroller.scrollTop = frame * (step ?? end / scrollFrames);
        const now = await new Promise<number>(requestAnimationFrame);
        frames.push(now - before);
        before = now;
      }
      return frames;
    },
    { selector, step, scrollFrames: SCROLL_FRAMES },
  );
}

async function measureScrolling(page: Page, stack: Stack, plain: string): Promise<Measurement[]> {
  const droppedShare = (frames: readonly number[]) =>
    frames.filter((ms) => ms > DROPPED_FRAME_MS).length / frames.length;
  const measurements: Measurement[] = [];
  for (const [label, step] of [
    ['during a fling', FLING_PX_PER_FRAME],
    ['scrolled to the end in two seconds', undefined],
  ] as const) {
    await timeToElement(page, plain, 'li');
    const plainFrames = await scroll(page, 'html', step);
    await timeToElement(page, `${stack.url}/pages/files`, '[data-testid="record-row"]');
    const appFrames = await scroll(page, '.files', step);
    measurements.push({
      name: `app: frames dropped in a list of 10,000, ${label}`,
      value: roundToThousandths(droppedShare(appFrames)),
      unit: 'share',
      detail: {
        p95Ms: roundToThousandths(quantile(appFrames, 0.95)),
        plain: roundToThousandths(droppedShare(plainFrames)),
        plainP95Ms: roundToThousandths(quantile(plainFrames, 0.95)),
      },
    });
  }
  return measurements;
}

async function measureSearch(page: Page, stack: Stack): Promise<Measurement[]> {
  await page.goto(`${stack.url}/pages/search`);
  const field = page.getByTestId('search-input');
  await field.waitFor();
  const times: number[] = [];
  for (const query of ['orchids', rareWord, 'Notes 9999', 'harbour key', 'ke', 'Notes 12']) {
    for (let round = 0; round < ROUNDS; round += 1) {
      await field.fill('');
      await page.getByTestId('found').first().waitFor({ state: 'detached' });
      const start = await page.evaluate(() => performance.now());
      await field.fill(query);
      await page.getByTestId('found').first().waitFor();
      times.push((await page.evaluate(() => performance.now())) - start);
    }
  }
  return [
    {
      name: 'app: time from input to search results in 10,000 recordings, p95',
      value: Math.round(quantile(times, 0.95)),
      unit: 'ms',
      detail: { median: Math.round(quantile(times, 0.5)), searches: times.length },
    },
  ];
}

/** Returns the size of all reachable JavaScript objects, in MiB. */
async function measureHeapMiB(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 2 ** 20;
}

async function measureLongRecording(
  page: Page,
  stack: Stack,
  long: string,
): Promise<Measurement[]> {
  const session = await page.context().newCDPSession(page);
  await timeToElement(page, `${stack.url}/pages/files`, '[data-testid="record-row"]');
  const heapBefore = await measureHeapMiB(session);
  const address = `${stack.url}/pages/fileDetail?id=${long}`;
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    times.push(await timeToElement(page, address, '[data-testid="paragraph"]'));
  }
  const heapAfter = await measureHeapMiB(session);
  return [
    {
      name: `app: time to open ${librarySize.longHours} hours with ${librarySize.longParagraphs} paragraphs, from a cold start`,
      value: Math.round(quantile(times, 0.5)),
      unit: 'ms',
    },
    {
      name: 'app: memory with the long recording open ÷ memory with the list open',
      value: roundToThousandths(heapAfter / heapBefore),
      unit: 'ratio',
      detail: { openMB: roundToThousandths(heapAfter), listMB: roundToThousandths(heapBefore) },
    },
  ];
}

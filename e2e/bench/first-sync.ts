import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@linnet/server/embedded';
import { chromium, type Page } from '@playwright/test';
import config, { chromiumFlags } from '../playwright.config.ts';
import { LinnetApp, PASSWORD } from '../support/linnet-app.ts';
import { ServerAccount } from '../support/server-account.ts';
import { Stack } from '../support/stack.ts';
import { fillLibrary, librarySize } from './library.ts';
import { type Measurement, roundToThousandths } from './measurement.ts';

const owner = 'reader@example.org';
/** Timeout for the list, and for the last transcript. */
const TIMEOUT_MS = 300_000;

/**
 * Measures how long a new phone takes to list 10,000 recordings and to receive the last transcript, in real Chromium at a
 * phone's screen size. The baselines are a plain page that requests the same changes without storing them: the pages of
 * recordings that come first, and all pages. The phone opens the recording with the last transcript once it is listed.
 */
export async function run(): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-bench-'));
  const postgres = await startPostgres({ dataDir: folder, log: () => undefined });
  const stack = await Stack.start({ env: { DATABASE_URL: postgres.url, BILLING: 'off' } });
  const context = await chromium.launchPersistentContext(join(folder, 'browser'), {
    ...config.use?.launchOptions,
    args: chromiumFlags,
    viewport: { width: 390, height: 844 },
  });
  try {
    await ServerAccount.register(stack, owner);
    const last = await fillLibrary(postgres.url, owner);
    const page = await context.newPage();
    const plainChanges = await requestChanges(page, stack);
    const app = new LinnetApp(page, stack);
    await app.open('/pages/index');
    const startedAt = performance.now();
    const secondsSinceStart = () => roundToThousandths((performance.now() - startedAt) / 1000);
    await app.signIn(owner);
    await page
      .locator('.files-total')
      .filter({ hasText: new Intl.NumberFormat('en').format(librarySize.recordings) })
      .waitFor({ timeout: TIMEOUT_MS });
    const listed = secondsSinceStart();
    await app.openRecording(last);
    // The server sends the last recording's transcript on the last page, and the phone stores each page at once.
    await page.getByTestId('paragraph').first().waitFor({ timeout: TIMEOUT_MS });
    const received = secondsSinceStart();
    return [
      {
        name: 'first-sync: time until a new phone lists 10,000 recordings ÷ requesting them',
        value: roundToThousandths(listed / plainChanges.recordings),
        unit: 'ratio',
        detail: {
          seconds: listed,
          plainSeconds: plainChanges.recordings,
          // Comparable with measurements from before the recordings were sent first.
          allPlainSeconds: plainChanges.withoutPreview,
          dividedByAll: roundToThousandths(listed / plainChanges.withoutPreview),
        },
      },
      {
        name: 'first-sync: time until a new phone has the last transcript ÷ requesting all changes',
        value: roundToThousandths(received / plainChanges.all),
        unit: 'ratio',
        detail: { seconds: received, plainSeconds: plainChanges.all },
      },
    ];
  } finally {
    await context.close();
    await stack.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Durations of requests in seconds. */
type Durations = {
  /** The pages of recordings that come first. */
  readonly recordings: number;
  /** All pages, including those of recordings. */
  readonly all: number;
  /** All pages without those of recordings, as requested by phones that don't ask for the recordings first. */
  readonly withoutPreview: number;
};

/** Signs in and requests all changes from a page without the app, with and without the recordings first. */
async function requestChanges(page: Page, stack: Stack): Promise<Durations> {
  await page.goto(`${stack.url}/readyz`);
  const durations = await page.evaluate(
    async (login) => {
      const call = async (name: string, body: object, token?: string) => {
        const response = await fetch(`/api/${name}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(token && { authorization: `Bearer ${token}` }),
          },
          body: JSON.stringify(body),
        });
        return (await response.json()).data;
      };
      const { access_token } = await call('user/login', login);
      type Page = { changes: { kind: string }[]; cursor: string; more: boolean };
      const isPreview = ({ changes }: Page) =>
        changes.every(({ kind }) => kind === 'recording' || kind === 'setting');
      /** Requests all pages, and returns when the preview and the last page had arrived. */
      const request = async (first: object) => {
        const startedAt = performance.now();
        const seconds = () => (performance.now() - startedAt) / 1000;
        let preview = 0;
        let isInPreview = true;
        let page: Page = await call('sync/changes', first, access_token);
        for (;;) {
          isInPreview &&= isPreview(page);
          if (isInPreview) preview = seconds();
          if (!page.more) return { preview, all: seconds() };
          page = await call('sync/changes', { cursor: page.cursor }, access_token);
        }
      };
      const withoutPreview = await request({});
      const { preview, all } = await request({ recordings_first: true });
      return { recordings: preview, all, withoutPreview: withoutPreview.all };
    },
    { email: owner, password: PASSWORD },
  );
  if (durations.recordings === 0) throw new Error('the server sent no recordings first');
  return {
    recordings: roundToThousandths(durations.recordings),
    all: roundToThousandths(durations.all),
    withoutPreview: roundToThousandths(durations.withoutPreview),
  };
}

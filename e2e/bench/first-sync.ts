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

/**
 * Measures how long a new phone takes to receive 10,000 recordings with their transcripts, in real Chromium at a
 * phone's screen size. The baseline is a plain page that requests the same changes without storing them.
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
    await fillLibrary(postgres.url, owner);
    const page = await context.newPage();
    const plainSeconds = await requestAll(page, stack);
    const app = new LinnetApp(page, stack);
    await app.open('/pages/index');
    const startedAt = performance.now();
    await app.signIn(owner);
    await page
      .locator('.files-total')
      .filter({ hasText: new Intl.NumberFormat('en').format(librarySize.recordings) })
      .waitFor({ timeout: 300_000 });
    const seconds = (performance.now() - startedAt) / 1000;
    return [
      {
        name: 'first-sync: time until a new phone lists 10,000 recordings ÷ requesting the same changes',
        value: roundToThousandths(seconds / plainSeconds),
        unit: 'ratio',
        detail: { seconds: roundToThousandths(seconds), plainSeconds },
      },
    ];
  } finally {
    await context.close();
    await stack.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Signs in and requests all changes from a page without the app. @returns the duration of the requests in seconds */
async function requestAll(page: Page, stack: Stack): Promise<number> {
  await page.goto(`${stack.url}/readyz`);
  const seconds = await page.evaluate(
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
      const startedAt = performance.now();
      for (let page = await call('sync/changes', {}, access_token); page.more; ) {
        page = await call('sync/changes', { cursor: page.cursor }, access_token);
      }
      return (performance.now() - startedAt) / 1000;
    },
    { email: owner, password: PASSWORD },
  );
  return roundToThousandths(seconds);
}

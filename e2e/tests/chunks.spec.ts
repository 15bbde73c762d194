/** A screen whose code does not come, in a browser that keeps nothing of the app yet. */
import { expect, type Page, test } from '@playwright/test';
import { LinnetApp } from '../support/linnet-app.ts';
import { QuietStack } from '../support/quiet-stack.ts';

/** The code of the page about Linnet. */
const CODE = '**/assets/about-us-page-*.js';

const words = {
  missing: 'This page could not be loaded: a file is missing',
  timeout: 'This page took too long to load',
};

let quiet: QuietStack;
test.use({ serviceWorkers: 'block' });
test.beforeAll(async () => {
  quiet = await QuietStack.start();
});
test.afterAll(() => quiet?.stop());

async function expectRetry(
  page: Page,
  title: string,
  code: string | RegExp = CODE,
  screen = /About/,
): Promise<void> {
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  await page.unroute(code);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page).toHaveTitle(screen);
}

test('a screen whose file is missing says so, and comes with another try', async ({ page }) => {
  await page.route(CODE, (route) => route.fulfill({ status: 404 }));
  await new LinnetApp(page, quiet.stack).open('/pages/index');
  await page.getByTestId('to-about').click();
  await expectRetry(page, words.missing);
});

test('a screen that is asked for again without a network stays, and comes with it', async ({
  page,
  context,
}) => {
  await new LinnetApp(page, quiet.stack).open('/pages/index');
  const about = page.getByTestId('to-about');
  await expect(about).toBeVisible();
  await context.setOffline(true);
  await about.click();
  const failed = page.getByRole('heading', { name: words.missing });
  await expect(failed).toBeVisible();
  const lost = page.waitForEvent('requestfailed', (request) => request.method() === 'HEAD');
  await page.getByRole('button', { name: 'Try again' }).click();
  await lost;
  await expect(failed).toBeVisible();
  await context.setOffline(false);
  await expectRetry(page, words.missing);
});

test('a screen whose file never ends says that it takes too long', async ({ page }) => {
  await page.clock.install();
  const asked = Promise.withResolvers<void>();
  // Never answered.
  await page.route(CODE, () => asked.resolve());
  await new LinnetApp(page, quiet.stack).open('/pages/index');
  await page.getByTestId('to-about').click();
  await asked.promise;
  await page.clock.fastForward('01:00');
  await expectRetry(page, words.timeout);
});

test('what is behind signing in says that its file is missing, and comes with another try', async ({
  page,
}) => {
  const code = '**/assets/signed-in-*.js';
  await page.route(code, (route) => route.abort());
  await new LinnetApp(page, quiet.stack).signUp('dunlin@example.org');
  await expectRetry(page, words.missing, code, /Files/);
});

test('a demo whose file is missing says so, and comes with another try', async ({ page }) => {
  const code = /\/assets\/demo-(?!page)[^/]*\.js$/;
  await page.route(code, (route) => route.abort());
  await new LinnetApp(page, quiet.stack).open('/pages/demo');
  await expectRetry(page, words.missing, code, /Reading festival/);
});

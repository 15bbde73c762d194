/** Tests pages whose code fails to load, in a browser that has not cached the app. */
import { expect, type Page, test } from '@playwright/test';
import { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import { LinnetApp } from '../support/linnet-app.ts';

/** The chunk of the About page. */
const ABOUT_CHUNK = '**/assets/about-us-page-*.js';

const messages = {
  missing: 'Couldn’t load this page: a file is missing',
  timeout: 'This page took too long to load',
};

let environment: EmptyRecorderStack;
test.beforeAll(async () => {
  environment = await EmptyRecorderStack.start();
});
test.afterAll(() => environment?.stop());

async function expectRetry(
  page: Page,
  title: string,
  code: string | RegExp = ABOUT_CHUNK,
  screen = /About/,
): Promise<void> {
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  await page.unroute(code);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page).toHaveTitle(screen);
}

test('a missing chunk of a page shows an error, and loads on retry', async ({ page }) => {
  await page.route(ABOUT_CHUNK, (route) => route.fulfill({ status: 404 }));
  await new LinnetApp(page, environment.stack).open('/pages/index');
  await page.getByTestId('to-about').click();
  await expectRetry(page, messages.missing);
});

test('a retry fails while offline, and succeeds once online', async ({ page, context }) => {
  await new LinnetApp(page, environment.stack).open('/pages/index');
  const aboutLink = page.getByTestId('to-about');
  await expect(aboutLink).toBeVisible();
  await context.setOffline(true);
  await aboutLink.click();
  const failed = page.getByRole('heading', { name: messages.missing });
  await expect(failed).toBeVisible();
  const lost = page.waitForEvent('requestfailed', (request) => request.method() === 'HEAD');
  await page.getByRole('button', { name: 'Try again' }).click();
  await lost;
  await expect(failed).toBeVisible();
  await context.setOffline(false);
  await expectRetry(page, messages.missing);
});

test('a stalled chunk of a page times out with a message', async ({ page }) => {
  await page.clock.install();
  const requested = Promise.withResolvers<void>();
  // The request is never fulfilled.
  await page.route(ABOUT_CHUNK, () => requested.resolve());
  await new LinnetApp(page, environment.stack).open('/pages/index');
  await page.getByTestId('to-about').click();
  await requested.promise;
  await page.clock.fastForward('01:00');
  await expectRetry(page, messages.timeout);
});

test('a missing chunk of the signed-in app shows an error, and loads on retry', async ({
  page,
}) => {
  const code = '**/assets/signed-in-*.js';
  await page.route(code, (route) => route.abort());
  await new LinnetApp(page, environment.stack).signUp('dunlin@example.org');
  await expectRetry(page, messages.missing, code, /Files/);
});

test('a missing chunk of the demo shows an error, and loads on retry', async ({ page }) => {
  const code = /\/assets\/demo-(?!page)[^/]*\.js$/;
  await page.route(code, (route) => route.abort());
  await new LinnetApp(page, environment.stack).open('/pages/demo');
  await expectRetry(page, messages.missing, code, /Reading festival/);
});

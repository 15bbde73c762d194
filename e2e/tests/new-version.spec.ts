/** Tests app updates: a new version waits for the user's consent and then reloads the page. */
import { SAMPLE_RATE } from '@linnet/audio/format';
import { writeWave } from '@linnet/audio/wave';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import { LinnetApp } from '../support/linnet-app.ts';

let environment: EmptyRecorderStack;
test.use({ serviceWorkers: 'allow' });
test.beforeAll(async () => {
  environment = await EmptyRecorderStack.start();
});
test.afterAll(() => environment?.stop());

/**
 * Makes the page register an older app version than the server's. Routes apply only when the page registers the service
 * worker. The browser's later update checks get the server's version.
 */
async function serveOlderVersion(context: BrowserContext): Promise<void> {
  await context.route('**/sw.js', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${await response.text()}\n// older` });
  });
}

/** Opens Files in a page controlled by the service worker. A new version can only replace controlled pages. */
async function openControlled(app: LinnetApp): Promise<void> {
  const { page } = app;
  await page.evaluate(() => navigator.serviceWorker.ready);
  await app.open('/pages/files');
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await expect(page.getByTestId('record-button')).toBeVisible();
}

/** Makes the browser check for a new version, as it does regularly. */
const checkForUpdate = (page: Page) =>
  page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
const isWaiting = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null);

test('offers a new version, and starts it on request', async ({ page, context }) => {
  await serveOlderVersion(context);
  const app = new LinnetApp(page, environment.stack);
  await app.signUp('swallow@example.org');
  const note = page.getByTestId('update-note');
  await openControlled(app);
  await expect(note).toHaveCount(0);

  await checkForUpdate(page);
  await expect(note).toContainText('A new version of Linnet is ready.');

  await page.evaluate(() => document.documentElement.setAttribute('data-old', ''));
  await note.getByRole('button', { name: 'Restart' }).click();
  await expect(page.locator('html[data-old]')).toHaveCount(0);
  await expect(page.getByTestId('record-button')).toBeVisible();
  await expect(note).toHaveCount(0);
  expect(await isWaiting(page)).toBe(false);
});

test('does not offer a new version during a transfer', async ({ page, context }) => {
  await serveOlderVersion(context);
  // A service worker served by a route has no IP address, so its pages need permission for local network access.
  await context.grantPermissions(['local-network-access']);
  const { recorder } = environment.stack;
  const app = new LinnetApp(page, environment.stack);
  await app.signUp('martin@example.org');
  await openControlled(app);
  await app.bind('websocket');
  // At this speed, transferring two minutes of silence takes more than five minutes.
  await recorder.setSpeed(0.05);
  await recorder.addSession(writeWave(new Int16Array(120 * SAMPLE_RATE), SAMPLE_RATE));
  const transferring = app.rows('fetching');
  await expect(transferring).toHaveCount(1);

  await checkForUpdate(page);
  await expect.poll(() => isWaiting(page)).toBe(true);
  const note = page.getByTestId('update-note');
  // Select by attribute, because elements behind the open guide have no accessible role.
  const getPercent = async () =>
    Number(await transferring.locator('[role="progressbar"]').getAttribute('aria-valuenow'));
  const before = await getPercent();
  await expect.poll(getPercent).toBeGreaterThan(before + 2);
  await expect(note).toHaveCount(0);

  await recorder.setSpeed(20);
  await expect(note).toContainText('A new version of Linnet is ready.', { timeout: 180_000 });
  await expect(transferring).toHaveCount(0);
});

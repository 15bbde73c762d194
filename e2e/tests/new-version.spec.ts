/** A new version of the app waits for consent, then reloads the page. */
import { SAMPLE_RATE } from '@linnet/audio/format';
import { writeWave } from '@linnet/audio/wave';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import { LinnetApp } from '../support/linnet-app.ts';

let environment: EmptyRecorderStack;
test.beforeAll(async () => {
  environment = await EmptyRecorderStack.start();
});
test.afterAll(() => environment?.stop());

/**
 * Registers an older version of the app than the server's. Only registrations from the page pass through the test:
 * the browser's later update checks go to the server itself.
 */
async function beginWithOlder(context: BrowserContext): Promise<void> {
  await context.route('**/sw.js', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${await response.text()}\n// older` });
  });
}

/** Opens Files under the service worker, which only then can be replaced. */
async function openControlled(app: LinnetApp): Promise<void> {
  const { page } = app;
  await page.evaluate(() => navigator.serviceWorker.ready);
  await app.open('/pages/files');
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await expect(page.getByTestId('record-button')).toBeVisible();
}

/** Makes the browser check for a new version, as it does automatically now and then. */
const checkForUpdate = (page: Page) =>
  page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
const isWaiting = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null);

test('a new version is offered, and takes over with a tap', async ({ page, context }) => {
  await beginWithOlder(context);
  const app = new LinnetApp(page, environment.stack);
  await app.signUp('swallow@example.org');
  const note = page.getByTestId('update-note');
  await openControlled(app);
  await expect(note).toHaveCount(0);

  await checkForUpdate(page);
  await expect(note).toContainText('A new version of Linnet is here.');

  await page.evaluate(() => document.documentElement.setAttribute('data-old', ''));
  await note.getByRole('button', { name: 'Restart' }).click();
  await expect(page.locator('html[data-old]')).toHaveCount(0);
  await expect(page.getByTestId('record-button')).toBeVisible();
  await expect(note).toHaveCount(0);
  expect(await isWaiting(page)).toBe(false);
});

test('a new version is not offered during a transfer', async ({ page, context }) => {
  await beginWithOlder(context);
  // A service worker served by a test has no address: its pages may not call this machine.
  await context.grantPermissions(['local-network-access']);
  const { recorder } = environment.stack;
  const app = new LinnetApp(page, environment.stack);
  await app.signUp('martin@example.org');
  await openControlled(app);
  await app.bind('websocket');
  // So slow that two minutes of silence take more than five to transfer.
  await recorder.setSpeed(0.05);
  await recorder.addSession(writeWave(new Int16Array(120 * SAMPLE_RATE), SAMPLE_RATE));
  const comes = app.rows('fetching');
  await expect(comes).toHaveCount(1);

  await checkForUpdate(page);
  await expect.poll(() => isWaiting(page)).toBe(true);
  const note = page.getByTestId('update-note');
  // By attribute: behind the open guide it has no accessible role.
  const percent = async () =>
    Number(await comes.locator('[role="progressbar"]').getAttribute('aria-valuenow'));
  const before = await percent();
  await expect.poll(percent).toBeGreaterThan(before + 2);
  await expect(note).toHaveCount(0);

  await recorder.setSpeed(20);
  await expect(note).toContainText('A new version of Linnet is here.', { timeout: 180_000 });
  await expect(comes).toHaveCount(0);
});

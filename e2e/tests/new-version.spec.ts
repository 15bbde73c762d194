/** Tests app updates: a new version waits for the user's consent and then reloads the page. */
import { SAMPLE_RATE } from '@linnet/audio/format';
import { writeWave } from '@linnet/audio/wave';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import { LinnetApp } from '../support/linnet-app.ts';

let environment: EmptyRecorderStack;
test.use({ serviceWorkers: 'allow' });
test.beforeAll(async () => {
  // Without a trial, nothing is uploaded after the transfer.
  environment = await EmptyRecorderStack.start({ env: { TRIAL_DAYS: '0' } });
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

/** Makes the browser check for a new version, as it does regularly. */
const checkForUpdate = (page: Page) =>
  page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
const isWaiting = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null);

test('offers a new version once a transfer is complete, and starts it on request', async ({
  page,
  context,
}) => {
  await serveOlderVersion(context);
  // A service worker served by a route has no IP address, so its pages need permission for local network access.
  await context.grantPermissions(['local-network-access']);
  const { recorder } = environment.stack;
  const app = new LinnetApp(page, environment.stack);
  await app.signUp('martin@example.org');
  await page.evaluate(() => navigator.serviceWorker.ready);
  // Binding reloads the page, which the service worker then controls. A new version can only replace controlled pages.
  await app.bind('websocket');
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  // At this speed, transferring half a minute of silence takes more than two minutes.
  await recorder.setSpeed(0.05);
  await recorder.addSession(writeWave(new Int16Array(30 * SAMPLE_RATE), SAMPLE_RATE));
  const transferring = app.rows('fetching');
  await expect(transferring).toHaveCount(1);

  const note = page.getByTestId('update-note');
  await test.step('no new version is offered during a transfer', async () => {
    await checkForUpdate(page);
    await expect.poll(() => isWaiting(page)).toBe(true);
    // Select by attribute, because elements behind the open guide have no accessible role.
    const getPercent = async () =>
      Number(await transferring.locator('[role="progressbar"]').getAttribute('aria-valuenow'));
    const before = await getPercent();
    // Five percent take longer than the time without activity after which a new version is offered.
    await expect.poll(getPercent).toBeGreaterThan(before + 5);
    await expect(note).toHaveCount(0);
  });

  await test.step('the new version is offered after the transfer', async () => {
    await recorder.setSpeed(20);
    await expect(note).toContainText('A new version of Linnet is ready.', { timeout: 180_000 });
    await expect(transferring).toHaveCount(0);
  });

  await test.step('the new version starts on request', async () => {
    await page.evaluate(() => document.documentElement.setAttribute('data-old', ''));
    await note.getByRole('button', { name: 'Restart' }).click();
    await expect(page.locator('html[data-old]')).toHaveCount(0);
    await expect(page.getByTestId('record-button')).toBeVisible();
    await expect(note).toHaveCount(0);
    expect(await isWaiting(page)).toBe(false);
  });
});

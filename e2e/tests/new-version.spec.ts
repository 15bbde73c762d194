/** A new version of the app waits until it is asked for, and then begins the page anew. */
import { expect, test } from '@playwright/test';
import { LinnetApp } from '../support/linnet-app.ts';
import { QuietStack } from '../support/quiet-stack.ts';

let quiet: QuietStack;
test.beforeAll(async () => {
  quiet = await QuietStack.start();
});
test.afterAll(() => quiet?.stop());

test('a new version is offered, and takes over with a tap', async ({ page, context }) => {
  let version = '';
  await context.route('**/sw.js', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${await response.text()}\n${version}` });
  });
  const app = new LinnetApp(page, quiet.stack);
  await app.signUp('swallow@example.org');
  const note = page.getByTestId('update-note');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await app.open('/pages/files');
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await expect(page.getByTestId('record-button')).toBeVisible();
  await expect(note).toHaveCount(0);

  version = '// another';
  const look = () =>
    page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
  await look();
  await expect(note).toContainText('A new version of Linnet is here.');

  await page.evaluate(() => document.documentElement.setAttribute('data-old', ''));
  await note.getByRole('button', { name: 'Restart' }).click();
  await expect(page.locator('html[data-old]')).toHaveCount(0);
  await expect(page.getByTestId('record-button')).toBeVisible();
  await expect(note).toHaveCount(0);
  const waits = await page.evaluate(
    async () => (await navigator.serviceWorker.ready).waiting !== null,
  );
  expect(waits).toBe(false);
});

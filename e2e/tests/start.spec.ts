/** Tests failures at app startup: missing code or translations, and an unanswered permission prompt. */
import { expect, test } from '@playwright/test';
import { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import { LinnetApp } from '../support/linnet-app.ts';

let environment: EmptyRecorderStack;
test.beforeAll(async () => {
  environment = await EmptyRecorderStack.start();
});
test.afterAll(() => environment?.stop());

for (const [name, files] of [
  ['code', '**/assets/main-*.js'],
  ['translations', '**/assets/words-en-entry-*.js'],
] as const) {
  test(`the app reports that its ${name} failed to load, and starts on retry`, async ({ page }) => {
    await page.route(files, (route) => route.abort());
    const app = new LinnetApp(page, environment.stack);
    await app.open('/pages/index');
    await expect(page.getByRole('alert')).toContainText('Linnet couldn’t start.');
    await page.unroute(files);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
}

test('a private window that refuses to store files shows an error after sign-in', async ({
  page,
}) => {
  // Firefox's private windows reject the request, both in the page and in its workers.
  const refuse = `StorageManager.prototype.getDirectory = () =>
    Promise.reject(new DOMException('Security error when calling GetDirectory', 'SecurityError'));`;
  await page.addInitScript(refuse);
  await page.route('**/assets/*worker*.js', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${refuse}\n${await response.text()}` });
  });
  const app = new LinnetApp(page, environment.stack);
  await app.signUp('private@example.org');
  await expect(page.getByText('You may be in a private window')).toBeVisible();
  await expect(page.getByText('Missing: origin-private file system')).toBeVisible();
});

test('an unanswered prompt for persistent storage does not delay the start', async ({ page }) => {
  await page.addInitScript(() => {
    Object.assign(navigator.storage, {
      persisted: async () => false,
      persist: () => new Promise(() => {}),
    });
  });
  const app = new LinnetApp(page, environment.stack);
  await app.signUp('asked@example.org');
  await expect(page.getByTestId('record-button')).toBeVisible();
});

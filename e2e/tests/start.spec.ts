/** An app whose code does not come, and one whose browser does not answer. */
import { expect, test } from '@playwright/test';
import { LinnetApp } from '../support/linnet-app.ts';
import { QuietStack } from '../support/quiet-stack.ts';

let quiet: QuietStack;
test.beforeAll(async () => {
  quiet = await QuietStack.start();
});
test.afterAll(() => quiet?.stop());

for (const [what, files] of [
  ['code does', '**/assets/main-*.js'],
  ['words do', '**/assets/words-en-entry-*.js'],
] as const) {
  test(`an app whose ${what} not come says so, and starts with another try`, async ({ page }) => {
    await page.route(files, (route) => route.abort());
    const app = new LinnetApp(page, quiet.stack);
    await app.open('/pages/index');
    await expect(page.getByRole('alert')).toContainText('Linnet did not start.');
    await page.unroute(files);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
}

test('a browser that asks its owner whether to keep what is stored holds nothing up', async ({
  page,
}) => {
  await page.addInitScript(() => {
    Object.assign(navigator.storage, {
      persisted: async () => false,
      persist: () => new Promise(() => {}),
    });
  });
  const app = new LinnetApp(page, quiet.stack);
  await app.signUp('asked@example.org');
  await expect(page.getByTestId('record-button')).toBeVisible();
});

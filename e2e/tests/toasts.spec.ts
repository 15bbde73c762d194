/** How long words over the page stay (specification, section 9). The workbench has one of each kind. */
import { expect, test } from '@playwright/test';
import { QuietStack } from '../support/quiet-stack.ts';

let quiet: QuietStack;

test.beforeAll(async () => {
  quiet = await QuietStack.start();
});
test.afterAll(async () => {
  await quiet?.stop();
});

test('words leave after a second, mistakes after one and a half, the server’s when dismissed', async ({
  page,
}) => {
  await page.clock.install();
  await page.goto(`${quiet.stack.url}/pages/workbench`);
  const toast = page.getByTestId('toast');
  const press = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).click();
    await expect(toast).toBeVisible();
    // Whoever has gone there, or points at it, is not done with it.
    await page.mouse.move(0, 0);
  };
  for (const [name, ms] of [
    ['Toast', 1000],
    ['Error toast', 1500],
  ] as const) {
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await press(name);
    await page.clock.runFor(ms - 50);
    await expect(toast).toBeVisible();
    await page.clock.runFor(100);
    await expect(toast).toHaveCount(0);
    await page.clock.resume();
  }
  await press('Message of the server');
  await page.clock.fastForward(3_600_000);
  await expect(toast).toContainText('The server is being moved');
  await toast.getByRole('button', { name: 'Dismiss' }).click();
  await expect(toast).toHaveCount(0);
});

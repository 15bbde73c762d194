/** Tests how the app shows what retention rules moved, and rules that are paused. Uses the workbench's recordings. */
import { expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { Stack } from '../support/stack.ts';
import { Toasts } from '../support/toasts.ts';
import { findSmallTargets } from '../support/touch-targets.ts';

let stack: Stack;
test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
test.beforeAll(async () => {
  stack = await Stack.start();
});
test.afterAll(() => stack?.stop());

const open = (page: Page, query: string) => page.goto(`${stack.url}/pages/workbench?${query}`);

test('Files reports what rules moved, with a link to the run', async ({ page }) => {
  await open(page, 'at=/pages/files&bin=moved');
  await expect(page.getByTestId('moved-notice')).toContainText(': 4');
  await expectNoViolations(page);
  expect(await findSmallTargets(page)).toEqual([]);
  await expect(page.getByTestId('show-moved')).toHaveAttribute('href', /retention\?run=run/);
  await open(page, 'at=/pages/files');
  await expect(page.getByTestId('record-row').first()).toBeVisible();
  await expect(page.getByTestId('moved-notice')).toHaveCount(0);
});

test('the recycle bin marks moved recordings, and counts them before it is emptied', async ({
  page,
}) => {
  await open(page, 'at=/pages/recycleBin&bin=moved');
  const moved = page.getByTestId('record-row').filter({ hasText: 'Moved automatically' });
  await expect(moved).toHaveCount(4);
  await page.getByTestId('bin-empty').click();
  await expect(page.getByTestId('ask-moved')).toContainText(': 4.');
  await open(page, 'at=/pages/recycleBin');
  await page.getByTestId('bin-empty').click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expect(page.getByTestId('ask-moved')).toHaveCount(0);
});

test('a paused rule is confirmed after its preview, which has pages', async ({ page }) => {
  await open(page, 'at=/pages/retention&rules=paused');
  await expect(page.getByTestId('check-rule')).toHaveCount(2);
  await expectNoViolations(page);
  await page.getByTestId('check-rule').first().click();
  const preview = page.getByTestId('rule-preview');
  await expect(preview.getByTestId('affected')).toHaveCount(20);
  await preview.getByTestId('more').click();
  await expect(preview.getByTestId('affected')).toHaveCount(40);
  await preview.getByTestId('more').click();
  await expect(preview.getByTestId('affected')).toHaveCount(41);
  await expect(preview.getByTestId('more')).toHaveCount(0);
  await page.getByTestId('save-rule').click();
  await expect(page.getByTestId('rule-preview')).toHaveCount(0);
});

test('a deleted rule can be restored immediately, unless it is paused', async ({ page }) => {
  const toasts = await Toasts.of(page);
  const undo = page.getByTestId('toast').getByRole('button', { name: 'Undo' });
  const remove = async (query: string) => {
    await open(page, query);
    // A toast with a button stays open.
    await toasts.withHover(async () => {
      await page.getByTestId('remove-rule').first().click();
      await toasts.expect('Rule deleted');
    });
  };
  await remove('at=/pages/retention');
  await expect(undo).toBeVisible();
  await remove('at=/pages/retention&rules=paused');
  await expect(undo).toHaveCount(0);
});

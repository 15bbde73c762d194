/** A server that bills nothing says so, and why; who bought and used nothing is told what will be here. */
import { expect, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { QuietStack } from '../support/quiet-stack.ts';

let quiet: QuietStack;
test.beforeAll(async () => {
  quiet = await QuietStack.start({ env: { BILLING: 'off', TRIAL_DAYS: '0' } });
});
test.afterAll(() => quiet?.stop());

test('everything is open, and there is nothing to buy', async ({ page }) => {
  const app = new LinnetApp(page, quiet.stack);
  await app.signUp('wren@example.org');
  await app.open('/pages/vip');
  await expect(page.getByTestId('open')).toContainText('Everything is open');
  await expect(page.getByTestId('open')).toContainText('Whoever runs this server bills nothing');
  await expect(page.getByTestId('subscribe')).toHaveCount(0);
  await expect(page.getByTestId('restore')).toHaveCount(0);
  await expectNoViolations(page);
  await app.open('/pages/purchaseRecord');
  await expect(page.locator('.empty')).toContainText('Nothing bought yet');
  await expectNoViolations(page);
  await app.open('/pages/transliterationRecord');
  await expect(page.locator('.empty')).toContainText('No minutes used yet');
  await expectNoViolations(page);
});

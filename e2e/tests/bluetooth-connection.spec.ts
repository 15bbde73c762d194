/** Tests the connection page: state, details, disconnecting and reconnecting. */
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import { resolveColor } from '../support/resolve-color.ts';

let environment: EmptyRecorderStack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;
const pageErrors = new PageErrors();

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  environment = await EmptyRecorderStack.start({ env: { TRIAL_DAYS: '0' } });
  context = await browser.newContext({
    ...{ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, locale: 'en-GB' },
  });
  pageErrors.listenTo(context);
  page = await context.newPage();
  app = new LinnetApp(page, environment.stack);
  await app.signUp('wagtail@example.org');
  await app.bind('websocket');
});
test.afterAll(async () => {
  await context?.close();
  await environment?.stop();
});
// The server publishes no firmware, and the recorder rejects connections for a while.
test.beforeEach(() => pageErrors.allow(/latest\.json/, /net::ERR_/, /WebSocket/));
test.afterEach(() => {
  expect(pageErrors.takeUnexpected()).toEqual([]);
});

const connection = (status: string) =>
  page.locator(`[data-testid="connection"][data-status="${status}"]`);

test('shows the transport, duration and encryption of the connection', async () => {
  const { recorder } = environment.stack;
  await app.open('/pages/myDevice');
  await page.getByTestId('to-connection').click();
  await expect(connection('connected')).toContainText('Connected over the network');
  // The dots use the design token for safe states, not some similar green.
  await expect(page.locator('.link-dots i')).toHaveCount(5);
  for (const dot of await page.locator('.link-dots i').all()) {
    await expect(dot).toHaveCSS('background-color', await resolveColor(page, '--leaf'));
  }
  const { sn, isSealed } = await recorder.getStatus();
  expect(isSealed).toBe(true);
  await expect(page.getByTestId('serial')).toHaveText(sn);
  await expect(page.getByTestId('fact-sealing')).toContainText('Encrypted with a key');
  await expect(page.getByTestId('fact-protocol')).toHaveText('Version 2');
  await expect(page.getByTestId('fact-payload')).toHaveText(/^\d+ bytes$/);
  await expect(page.getByTestId('fact-since')).toHaveText(/\d/);
  await expect(page.getByTestId('fact-last-loss')).toHaveText('Not since you opened Linnet');
  await expectNoViolations(page);
});

test('shows when and why the connection was lost, and reconnects automatically', async () => {
  const { recorder } = environment.stack;
  await recorder.setFaults({ refuseConnect: true, drop: true });
  await expect(connection('reconnecting')).toBeVisible();
  await expect(page.getByTestId('link-why')).toContainText('The connection was lost');
  // The signal dots are no longer green.
  await expect(page.locator('.link-dots i').first()).toHaveCSS(
    'background-color',
    await resolveColor(page, '--line-strong'),
  );
  await expect(page.getByTestId('fact-last-loss')).toHaveText(/\d/);
  await expect(page.getByText('The recorder was out of range or turned off.')).toBeVisible();
  await expectNoViolations(page);
  await recorder.setFaults({ refuseConnect: false });
  await expect(connection('connected')).toBeVisible();
});

test('disconnects on request, and stays disconnected until the user reconnects', async () => {
  await page.getByTestId('disconnect').click();
  await expect(connection('idle')).toBeVisible();
  await expect
    .poll(async () => (await environment.stack.recorder.getStatus()).connected)
    .toBe(false);
  await expect(page.getByTestId('link-why')).toHaveText('Not connected.');
  await page.getByTestId('reconnect').click();
  await expect(connection('connected')).toBeVisible();
});

test('forgets an absent recorder after confirmation', async () => {
  await page.getByTestId('disconnect').click();
  await expect(connection('idle')).toBeVisible();
  await page.getByTestId('forget').click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('from your account and this device');
  await dialog.getByRole('button', { name: /^Remove/ }).click();
  await expect(page.getByText('No recorder paired here')).toBeVisible();
  await expectNoViolations(page);
});

/** Tests membership: plans, the sandbox's payment outcomes, restoring, canceling, purchases and usage. */
import type { Order } from '@linnet/contract';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import { ScriptedSpeechStack, type TranscribedTalk } from '../support/scripted-speech-stack.ts';
import { ServerAccount } from '../support/server-account.ts';

const owner = 'robin@example.org';
let environment: ScriptedSpeechStack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;
let talk: TranscribedTalk;
const pageErrors = new PageErrors();

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  environment = await ScriptedSpeechStack.start({ env: { TRIAL_DAYS: '0' } });
  const account = await ServerAccount.register(environment.stack, owner);
  const lines = ['Please water the orchids tomorrow.', 'Who has the key?'];
  talk = await environment.transcribe(account, { title: 'Keys', language: 'en', lines });
  await environment.transcribe(account, {
    title: 'اجتماع',
    language: 'ar',
    lines: ['أرسل العقد غدا.'],
  });
  context = await browser.newContext({
    ...{ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, locale: 'en-GB' },
  });
  pageErrors.listenTo(context);
  page = await context.newPage();
  app = new LinnetApp(page, environment.stack);
  await app.open('/pages/index');
  await app.signIn(owner);
});
test.afterAll(async () => {
  await context?.close();
  await environment?.stop();
});
test.afterEach(() => {
  expect(pageErrors.takeUnexpected()).toEqual([]);
});

const result = () => page.getByTestId('pay-result');
const minutesLeft = () => page.getByTestId('minutes-left');
/** Presses a button in the sandbox checkout and waits for the result page. */
async function completeCheckout(button: RegExp | string): Promise<void> {
  await page.waitForURL('**/pay/sandbox/**');
  await page.getByRole('button', { name: button }).click();
  await page.waitForURL('**/pages/payResult?**');
}

test('links from locked features to the membership page, which lists the plans and their benefits', async () => {
  await app.show(`/pages/fileDetail?id=${talk.id}&tab=audio`);
  await page.getByTestId('noise-locked').getByTestId('to-vip').click();
  await page.waitForURL('**/pages/vip');
  await app.show('/pages/me');
  await page.getByRole('link', { name: 'VIP and minutes' }).click();
  await expect(page.getByTestId('plan')).toHaveText('Free');
  // Two of the initial 30 minutes have been used.
  await expect(minutesLeft()).toHaveText('28');
  const monthly = page.getByTestId('plan-vip_monthly');
  await expect(monthly).toContainText('US$9.99 a month');
  await expect(monthly).not.toContainText('Save');
  await expect(page.getByTestId('plan-vip_annual')).toContainText('Save 16%');
  for (const plan of ['120', '600', '3000']) {
    await expect(page.getByTestId(`buy-package_${plan}`)).toBeVisible();
  }
  const minutes = page.getByRole('row', { name: /Transcription minutes/ });
  await expect(minutes.getByRole('cell')).toHaveText(['30 to start', '1,200 a month']);
  const getBackground = () =>
    page.locator('.vip').evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(await getBackground()).toBe('rgb(19, 17, 16)');
  await expectNoViolations(page);
});

test('reports a canceled payment', async () => {
  await page.getByText('Monthly', { exact: true }).click();
  await page.getByTestId('subscribe').click();
  await completeCheckout('Cancel');
  await expect(result()).toContainText('Payment canceled');
  await expect(page.getByTestId('bought')).toHaveText('VIP monthly');
  await expectNoViolations(page);
});

test('adds minutes and unlocks the features after buying a month of VIP', async () => {
  await page.getByTestId('pay-again').click();
  await completeCheckout(/^Pay/);
  await expect(result()).toContainText('Payment complete');
  await expect(page.getByTestId('vip-until')).toBeVisible();
  await expect(minutesLeft()).toHaveText('1,228');
  await expectNoViolations(page);
  await page.getByRole('link', { name: 'Go to Membership' }).click();
  await expect(page.getByTestId('plan')).toHaveText('VIP monthly');
  await expect(page.getByTestId('term')).toContainText('Renews on');
  await expect(page.getByTestId('subscribe')).toHaveCount(0);
  await expectNoViolations(page);
  await app.show(`/pages/fileDetail?id=${talk.id}&tab=audio`);
  await expect(page.getByTestId('noise')).toBeVisible();
  await expect(page.getByTestId('noise-locked')).toHaveCount(0);
});

test('adds the minutes of a package, and reports the result of restoring purchases', async () => {
  await app.show('/pages/vip');
  await page.getByTestId('buy-package_600').click();
  await completeCheckout(/^Pay/);
  await expect(page.getByTestId('bought')).toHaveText('600 minutes');
  await expect(page.getByTestId('amount')).toContainText('US$');
  await expect(minutesLeft()).toHaveText('1,828');
  await app.show('/pages/vip');
  await page.getByTestId('restore').click();
  await expect(page.getByTestId('restored')).toHaveText('All your purchases are already here');
});

test('lists purchases and usage', async () => {
  const { list } = await app.callApi<{ list: Order[] }>('/user/orderRecord');
  await app.show('/pages/purchaseRecord');
  await expect(page.getByTestId('order')).toHaveCount(list.length);
  await expect(page.getByTestId('order').first()).toContainText('600 minutes');
  await app.show('/pages/transliterationRecord');
  await expect(page.getByTestId('used')).toHaveCount(2);
  await expect(page.getByTestId('used').first()).toContainText('اجتماع');
});

test('turns off renewal, and keeps the paid period', async () => {
  await app.open('/pages/vip');
  await page.getByTestId('cancel-renewal').click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('You keep VIP until');
  await dialog.getByRole('button', { name: 'Turn off renewal' }).click();
  await expect(page.getByTestId('term')).toContainText('Until');
  await expect(page.getByTestId('plan')).toHaveText('VIP monthly');
  await expect(page.getByTestId('subscribe')).toBeVisible();
});

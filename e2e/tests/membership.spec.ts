/** Tests membership: plans, the sandbox's payment outcomes, restoring, canceling, purchases and usage. */
import type { Order, UserInfo } from '@linnet/contract';
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
async function completeCheckout(button: RegExp | string, on = page): Promise<void> {
  await on.waitForURL('**/pay/sandbox/**');
  await on.getByRole('button', { name: button }).click();
  await on.waitForURL('**/pages/payResult?**');
}

test('links from locked features to the membership page, which lists the plans and their benefits', async () => {
  await app.open(`/pages/fileDetail?id=${talk.id}&tab=audio`);
  await page.getByTestId('noise-locked').getByTestId('to-vip').click();
  await page.waitForURL('**/pages/vip');
  await app.open('/pages/me');
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

test('reports a canceled or failed payment, regardless of the return URL', async () => {
  await page.getByText('Monthly', { exact: true }).click();
  await page.getByTestId('subscribe').click();
  await completeCheckout('Cancel');
  await expect(result()).toContainText('Payment canceled');
  await expect(page.getByTestId('bought')).toHaveText('VIP monthly');
  await expectNoViolations(page);
  // The server, not the URL, decides the outcome.
  await page.goto(page.url().replace('status=cancel', 'status=success'));
  await expect(result()).toContainText('Payment canceled');
  await page.getByTestId('pay-again').click();
  await completeCheckout('Simulate a failed payment');
  await expect(result()).toContainText('Payment failed');
  await app.open('/pages/payResult?order=0199aaaa-0000-7000-8000-000000000000&status=success');
  await expect(result()).toContainText('Order not found');
});

test('buying a month of VIP adds minutes and unlocks the features', async () => {
  await app.open('/pages/vip');
  await expect(page.getByTestId('plan')).toHaveText('Free');
  await page.getByText('Monthly', { exact: true }).click();
  await page.getByTestId('subscribe').click();
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
  await app.open(`/pages/fileDetail?id=${talk.id}&tab=audio`);
  await expect(page.getByTestId('noise')).toBeVisible();
  await expect(page.getByTestId('noise-locked')).toHaveCount(0);
  await app.open('/pages/vip');
});

test('sells a year of VIP, compared with twelve months of the monthly plan', async ({
  browser,
}) => {
  const otherContext = await browser.newContext({ locale: 'en-GB' });
  pageErrors.listenTo(otherContext);
  const buyer = new LinnetApp(await otherContext.newPage(), environment.stack);
  await buyer.signUp('wren@example.org');
  await buyer.open('/pages/vip');
  const annual = buyer.page.getByTestId('plan-vip_annual');
  await expect(annual).toContainText('US$99.99 a year');
  await expect(annual).toContainText('Save 16%');
  await expect(annual).toContainText('12 months on the monthly plan: US$119.88');
  await annual.click();
  await buyer.page.getByTestId('subscribe').click();
  await completeCheckout(/^Pay/, buyer.page);
  await expect(buyer.page.getByTestId('pay-result')).toContainText('Payment complete');
  await expect(buyer.page.getByTestId('bought')).toHaveText('VIP annual');
  await expect(buyer.page.getByTestId('amount')).toHaveText('US$99.99');
  // The initial 30 minutes, plus the 1,200 minutes of the first month.
  await expect(buyer.page.getByTestId('minutes-left')).toHaveText('1,230');
  const member = await buyer.callApi<UserInfo>('/user/info');
  expect(member.vip_plan).toBe('annual');
  const { list } = await buyer.callApi<{ list: Order[] }>('/user/orderRecord');
  const [start, end] = [list[0]?.paid_at, member.vip_expires_at].map((at) => new Date(at ?? 0));
  expect(end?.getUTCFullYear()).toBe((start?.getUTCFullYear() ?? 0) + 1);
  expect(end?.getUTCMonth()).toBe(start?.getUTCMonth());
  await otherContext.close();
});

test('adds the minutes of a package, and reports the result of restoring purchases', async () => {
  await page.getByTestId('buy-package_600').click();
  await completeCheckout(/^Pay/);
  await expect(page.getByTestId('bought')).toHaveText('600 minutes');
  await expect(page.getByTestId('amount')).toContainText('US$');
  await expect(minutesLeft()).toHaveText('1,828');
  await app.open('/pages/vip');
  await page.getByTestId('restore').click();
  await expect(page.getByTestId('restored')).toHaveText('All your purchases are already here');
});

test('waits for a pending payment, and shows its success', async () => {
  const order = await app.callApi<{ order_id: string; pay_url: string }>('/user/pay', {
    plan: 'package_120',
  });
  await app.open(`/pages/payResult?order=${order.order_id}&status=cancel`);
  await expect(result()).toContainText('Checking your payment');
  // The user pays in another window.
  const response = await fetch(order.pay_url, {
    method: 'POST',
    body: new URLSearchParams({ choice: 'success' }),
    redirect: 'manual',
  });
  expect(response.status).toBe(303);
  await expect(result()).toContainText('Payment complete');
  await expect(minutesLeft()).toHaveText('1,948');
});

test('lists the purchases and the usage', async () => {
  const { list } = await app.callApi<{ list: Order[] }>('/user/orderRecord');
  await app.open('/pages/purchaseRecord');
  await expect(page.getByTestId('order')).toHaveCount(list.length);
  await expect(page.getByTestId('order').first()).toContainText('120 minutes');
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

/** Tests searching for a recorder: progress, results, and no results. */
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';

let environment: EmptyRecorderStack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;
const pageErrors = new PageErrors();
const phone = {
  ...{ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, locale: 'en-GB' },
};

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  environment = await EmptyRecorderStack.start({ env: { TRIAL_DAYS: '0' } });
  context = await browser.newContext(phone);
  pageErrors.listenTo(context);
  page = await context.newPage();
  app = new LinnetApp(page, environment.stack);
});
test.afterAll(async () => {
  await context?.close();
  await environment?.stop();
});
test.afterEach(() => {
  expect(pageErrors.takeUnexpected()).toEqual([]);
});

/** Returns the names and states of the animations on the waves around the recorder. */
const getRunningAnimations = (onPage: Page) =>
  onPage.locator('.connect-waves > span').evaluateAll((all) =>
    all.flatMap((wave) =>
      wave.getAnimations().map((each) => {
        const { animationName } = each as CSSAnimation;
        return `${animationName} ${each.playState}`;
      }),
    ),
  );

/** Starts a search in the workbench, which finds recorders as a phone with Bluetooth would. */
async function searchIn(workbench: Page, recorders: string): Promise<void> {
  const query = `at=/pages/deviceConnect&link=none&recorders=${recorders}`;
  await workbench.goto(`${environment.stack.url}/pages/workbench?${query}`);
  await workbench.getByTestId('way-web-bluetooth').click();
}

test('an unpaired recorder is found, and shown as available', async () => {
  await app.signUp('plover@example.org');
  await app.open('/pages/deviceConnect');
  // Headless Chromium has no Bluetooth.
  await expect(page.getByTestId('way-web-bluetooth')).toHaveAttribute('data-unavailable', 'true');
  await page.getByTestId('way-websocket').click();
  const { sn } = await environment.stack.recorder.getStatus();
  await expect(page.getByTestId('found-recorder')).toContainText(/Very close.*Available/);
  await expect(page.getByTestId('found-recorder')).toContainText(sn);
  await page.getByTestId('found-recorder').click();
  await expect(page.getByTestId('bind-done')).toBeVisible();
});

test('a bound recorder is shown as bound to other accounts', async ({ browser }) => {
  const otherContext = await browser.newContext(phone);
  pageErrors.listenTo(otherContext);
  const otherUser = new LinnetApp(await otherContext.newPage(), environment.stack);
  await otherUser.signUp('stint@example.org');
  await otherUser.open('/pages/deviceConnect');
  await otherUser.page.getByTestId('way-websocket').click();
  await expect(otherUser.page.getByTestId('found-recorder')).toContainText('Already paired');
  await otherContext.close();
});

test('a software recorder is found at its address, if the server allows that', async ({
  browser,
}) => {
  const otherContext = await browser.newContext(phone);
  pageErrors.listenTo(otherContext);
  const maker = new LinnetApp(await otherContext.newPage(), environment.stack);
  await maker.signUp('dunlin@example.org');
  await maker.open('/pages/deviceConnect');
  await maker.page.getByTestId('way-address').click();
  await maker.page.getByTestId('recorder-address').fill('http://127.0.0.1:9');
  await maker.page.getByTestId('find-at-address').click();
  const notice = maker.page.getByRole('alert');
  await expect(notice).toContainText('Your server doesn’t allow this address');
  await expect(notice).toContainText('RECORDER_URLS');
  await expectNoViolations(maker.page);
  const { recorder } = environment.stack;
  await maker.page.getByTestId('recorder-address').fill(`${recorder.url}/`);
  await maker.page.getByTestId('find-at-address').click();
  const { sn } = await recorder.getStatus();
  await expect(maker.page.getByTestId('found-recorder')).toContainText(sn);
  await otherContext.close();
});

test('animates waves during a search, except with reduced motion', async () => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await searchIn(page, 'searching');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText('Looking for recorders');
  await expect(
    page.getByText('Press your recorder’s button briefly to keep it awake.'),
  ).toBeVisible();
  expect(await getRunningAnimations(page)).toEqual(Array(3).fill('connect-wave running'));
  await expectNoViolations(page);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect(page.locator('.connect-waves > span')).toHaveCount(3);
  await expect.poll(() => getRunningAnimations(page)).toEqual([]);
});

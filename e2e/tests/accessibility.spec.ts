/**
 * Checks the accessibility of sign-in, empty pages, pairing, recording and Me, including their overlays, and of states
 * from the workbench.
 */
import { writeWave } from '@linnet/audio/wave';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { AccessibilityWalk, narrow, selectWalks } from '../support/accessibility-walk.ts';
import { publishFirmware } from '../support/firmware.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import { ServerAccount } from '../support/server-account.ts';
import { Stack } from '../support/stack.ts';
import { findSmallTargets } from '../support/touch-targets.ts';

const pageErrors = new PageErrors();
let stack: Stack;
let context: BrowserContext | undefined;

/** Pages that are checked only in their initial state. Other tests cover their overlays. */
const otherPages = [
  ...['language', 'serverAddress', 'personalInformation', 'changePassword', 'vocabulary'],
  ...['apiKeys', 'vault', 'webhooks', 'webhook', 'shareLinks', 'calendar', 'voices', 'ask'],
  ...['notifications', 'retention'],
  ...['WiFiFastTransmission', 'WiFiFastConnection', 'WiFiFastConnection2', 'NewTransmission'],
  ...['WiFiFastTransmissionDetail', 'spaceManagement', 'storageLocation', 'cloudBackup'],
  ...['dataSynchronization', 'vip', 'purchaseRecord', 'transliterationRecord', 'aboutUs'],
  ...['privacyPolicy', 'userAgreement', 'kefu', 'kefuOnLine', 'instructions'],
  ...['questions/question1', 'questions/question2', 'questions/question3', 'questions/question4'],
  ...['bluetoothConnection', 'demo'],
];

const expectShown = (selector: string) => (page: Page) =>
  expect(page.locator(selector).first()).toBeVisible();
const search = (result: string) => async (page: Page) => {
  await page.getByTestId('way-web-bluetooth').click();
  await expectShown(result)(page);
};
/** States that are easier to show in the workbench: its query, and a function that shows the state. */
const workbenchStates: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
  ['at=/pages/files&bin=moved', expectShown('[data-testid="moved-notice"]')],
  ['at=/pages/retention&rules=paused', expectShown('[data-testid="check-rule"]')],
  ['at=/pages/deviceConnect&link=none&recorders=several', search('[data-testid="found-recorder"]')],
  ['at=/pages/deviceConnect&link=none&recorders=nothing', search('.empty')],
  ['at=/pages/upgrade&firmware=none', expectShown('.empty')],
  ['at=/pages/upgrade&firmware=failed', expectShown('[data-testid="error"]')],
  ['at=/pages/upgrade&link=recording', expectShown('[data-testid="error"]')],
  ['at=/pages/ask?thread=1&ask=unanswered', expectShown('[data-testid="ask-again"]')],
  ['at=/pages/vip&failure=network', expectShown('[data-testid="minutes-failed"]')],
  ['at=/pages/vip&server=free', expectShown('[data-testid="open"]')],
  ['at=/pages/purchaseRecord', expectShown('[data-testid="order"]')],
  ['at=/pages/transliterationRecord', expectShown('[data-testid="used-chart"]')],
  [
    'at=/pages/fileDetail?id=two',
    async (page) => {
      await expectShown('[data-testid="paragraph"]')(page);
      await page.keyboard.press('?');
      await expectShown('[data-testid="shortcuts"]')(page);
    },
  ],
];

// The tests have many short steps.
test.describe.configure({ timeout: 300_000 });
test.beforeAll(async () => {
  // Without a trial, nothing is uploaded or transcribed automatically, so pages show only the test's own data.
  stack = await Stack.start({ env: { TRIAL_DAYS: '0' } });
});
test.afterEach(async () => {
  await context?.close();
  expect(pageErrors.takeUnexpected()).toEqual([]);
});
test.afterAll(() => stack?.stop());

for (const { name, locale, language, appearances } of selectWalks('ar')) {
  test(`sign-in, an empty library and a recorder, ${name}`, async ({ browser }) => {
    context = await browser.newContext({ viewport: narrow, locale });
    pageErrors.listenTo(context);
    const page = await context.newPage();
    const app = new LinnetApp(page, stack, { guide: 'show' });
    const walk = new AccessibilityWalk(page, appearances);
    const id = (testId: string) => walk.getByTestId(testId);
    const owner = `walker-${language}@example.org`;
    await ServerAccount.register(stack, owner);

    await test.step('sign-in', async () => {
      await app.open('/');
      await walk.checkOverlay('languages', () => id('switch-language').click());
      await id('submit').click();
      await expect(id('error').first()).toBeVisible();
      await walk.check('sign-in with errors');
      for (const path of ['register', 'register/findMyPasswd']) {
        await app.show(`/pages/${path}`);
        await walk.check(path);
        await id('submit').click();
        await expect(id('error').first()).toBeVisible();
        await walk.check(`${path} with errors`);
      }
      await app.show('/');
      await walk.check('sign-in');
      await app.signIn(owner);
    });

    await test.step('empty pages', async () => {
      await expect(page.locator('.empty')).toBeVisible();
      await walk.check('files, empty');
      for (const path of ['recycleBin', 'search', 'me', 'deviceFiles', 'folders']) {
        await app.show(`/pages/${path}`);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await walk.check(`${path}, empty`);
      }
    });

    await test.step('a recorder', async () => {
      const { recorder } = stack;
      await recorder.addSession(writeWave(new Int16Array(48_000), 16_000));
      await app.show('/pages/deviceConnect');
      await walk.check('transports');
      await recorder.setFaults({ bindConfirm: 'button' });
      await id('way-websocket').click();
      await expect(id('found-recorder')).toBeVisible();
      await walk.check('found');
      await id('found-recorder').click();
      const expectStep = (step: string) =>
        expect(id('bind-status')).toHaveAttribute('data-step', step, { timeout: 60_000 });
      await expectStep('confirming');
      await walk.check('binding');
      await recorder.press();
      await expectStep('done');
      await walk.check('bound');
      // The guide waits for the recorder's recordings only while it is connected.
      await app.open('/pages/files');
      await page.getByTestId('guide-done').click();
      await expect(app.rows().first()).toBeVisible();
      await id('record-options').click();
      await walk.check('how to record');
      await app.startRecording();
      await expect(id('record-timer')).toBeVisible();
      await walk.check('recording');
      await page.locator('.recording-panel header button').click();
      await walk.check('recording, collapsed');
      await app.stopRecording();
      await app.show('/pages/deviceFiles');
      await expect(id('device-session').first()).toBeVisible();
      await walk.check('recordings on the recorder');
      await walk.checkOverlay('delete from the recorder', () =>
        page.locator('.session-delete').first().click(),
      );
      await app.show('/pages/deviceConnect');
      await walk.check('connected');
      await app.show('/pages/me');
      await expect(
        page.locator('[data-testid="connected"][data-status="connected"]'),
      ).toBeVisible();
      await walk.check('me');
      await walk.checkOverlay('sign out', () => id('sign-out').click());
      for (const path of otherPages) {
        await app.show(`/pages/${path}`);
        await walk.check(path);
      }
      for (const outcome of ['success', 'fail', 'cancel'] as const) {
        await app.show(`/pages/payResult?order=${await app.placeOrder(outcome)}`);
        await walk.check(`payResult, ${outcome}`);
      }
      // The walks share a server, so each needs its own version.
      const version = language === 'en' ? '1.2.0' : '1.3.0';
      await publishFirmware(stack, { version, bytes: 30_000, notes: 'Quieter.' });
      await app.show('/pages/upgrade');
      await expect(id('offered')).toBeVisible();
      await walk.check('firmware, offered');
      await recorder.setFaults({ usbDisk: true });
      await id('update').click();
      await expect(id('update-again')).toBeVisible();
      await walk.check('firmware, refused');
      await recorder.setFaults({ usbDisk: false });
      await app.show('/pages/myDevice');
      await expect(id('usage')).toBeVisible();
      await expect(page.locator('.firmware-ready')).toBeVisible();
      await id('notes').locator('summary').click();
      await expect(id('notes').locator('li').first()).toBeVisible();
      await walk.check('my recorder');
      await walk.checkOverlay('unbind', () => id('unbind').click());
      await id('unbind').click();
      await page.getByRole('alertdialog').locator('[data-look="danger"]').click();
      await expect(page.locator('.empty')).toBeVisible();
      await walk.check('my recorder, none');
      await app.show('/pages/upgrade');
      await walk.check('firmware, no recorder');
      await app.show('/pages/me');
      await expect(page.locator('.recorder-none')).toBeVisible();
    });
  });

  test(`states from the workbench, ${name}`, async ({ browser }) => {
    context = await browser.newContext({ viewport: narrow, locale });
    pageErrors.listenTo(context);
    const page = await context.newPage();
    const walk = new AccessibilityWalk(page, appearances);
    for (const [query, show] of workbenchStates) {
      await page.goto(`${stack.url}/pages/workbench?${query}`);
      await show(page);
      await walk.check(query);
      expect.soft(await findSmallTargets(page), query).toEqual([]);
    }
  });
}

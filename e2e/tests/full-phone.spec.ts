/** A phone whose database is out of disk space: requests are done or reported as failed, and no button hangs. */
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { DiskFullSwitch } from '../support/disk-full-switch.ts';
import { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';

let environment: EmptyRecorderStack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;
let phone: DiskFullSwitch;
let session: number;
const pageErrors = new PageErrors();

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  // Without a trial nothing is uploaded automatically: recordings stay on the phone.
  environment = await EmptyRecorderStack.start({ env: { TRIAL_DAYS: '0' } });
  context = await browser.newContext({ locale: 'en-GB', serviceWorkers: 'block' });
  pageErrors.listenTo(context);
  page = await context.newPage();
  phone = await DiskFullSwitch.install(page);
  app = new LinnetApp(page, environment.stack);
  await app.signUp('stint@example.org');
  await app.bind('websocket');
  // The recorder overstates the length of the session, so that no copy agrees.
  await environment.stack.recorder.setFaults({ lengthLie: 160 });
  session = await environment.addSpeech(6);
  await expect(app.rows('trouble')).toBeVisible({ timeout: 60_000 });
});
test.afterAll(async () => {
  await context?.close();
  await environment?.stop();
});
test.beforeEach(() =>
  pageErrors.allow(/QuotaExceededError|StorageFull|SqlError: full/, /addEventListener/),
);
test.afterEach(() => expect(pageErrors.takeUnexpected()).toEqual([]));

const row = () => page.locator(`[data-testid="device-session"][data-session-id="${session}"]`);

/** Navigates by a link: loading the page would retry failed recordings. */
async function goTo(path: string): Promise<void> {
  await page.evaluate((address) => {
    history.pushState(null, '', address);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

/** Presses a button on a full phone: an error appears, and the button can be pressed again. */
async function expectTold(button: string): Promise<void> {
  await expect(page.getByTestId(button)).toBeEnabled();
  await phone.setFull(true);
  await page.getByTestId(button).click();
  await app.expectToast('could not save', 'error');
  await expect(page.getByTestId(button)).not.toHaveAttribute('aria-busy');
  await expect(page.getByTestId('no-room-note')).toBeVisible();
  await phone.setFull(false);
}

test('retrying a failed recording is reported as failed', async () => {
  await goTo('/pages/dataSynchronization');
  await expect(page.getByTestId('retry-one')).toBeVisible();
  await expectTold('sync-now');
  await expectTold('retry-one');
});

test('requesting a transfer is reported as failed', async () => {
  await goTo('/pages/WiFiFastTransmission');
  await expectTold('start-bluetooth');
  await page.getByTestId('start-bluetooth').click();
  await expect(page.getByTestId('transfer-ended')).toBeVisible({ timeout: 60_000 });
  await expectTold('bring-rest');
  await environment.stack.recorder.setFaults({ lengthLie: 0 });
  await page.getByTestId('bring-rest').click();
  await expect(page.getByTestId('transfer-ended')).toHaveAttribute('data-came', '1');
});

test('deleting on the recorder succeeds, and the question closes', async () => {
  await goTo('/pages/deviceFiles');
  await expect(row()).toHaveAttribute('data-state', 'whole');
  await row()
    .getByRole('button', { name: /^Delete/ })
    .click();
  await phone.setFull(true);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await app.expectToast('Deleted from the recorder');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(row()).toHaveCount(0);
  await expect(page.getByTestId('no-room-note')).toBeVisible();
  expect((await environment.stack.recorder.getStatus()).sessions).toEqual([]);
  await phone.setFull(false);
});

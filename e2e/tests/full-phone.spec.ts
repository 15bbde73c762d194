/** A phone whose database is out of disk space: requests are done or reported as failed, and no button hangs. */
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { Complaints } from '../support/complaints.ts';
import { FullPhone } from '../support/full-phone.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { QuietStack } from '../support/quiet-stack.ts';

let quiet: QuietStack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;
let phone: FullPhone;
let session: number;
const complaints = new Complaints();

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  // Without a trial nothing is uploaded automatically: recordings stay on the phone.
  quiet = await QuietStack.start({ env: { TRIAL_DAYS: '0' } });
  context = await browser.newContext({ locale: 'en-GB', serviceWorkers: 'block' });
  complaints.listenTo(context);
  page = await context.newPage();
  phone = await FullPhone.of(page);
  app = new LinnetApp(page, quiet.stack);
  await app.signUp('stint@example.org');
  await app.bind('websocket');
  // The recorder overstates the length of the session, so that no copy agrees.
  await quiet.stack.recorder.faults({ lengthLie: 160 });
  session = await quiet.addSpeech(6);
  await expect(app.rows('trouble')).toBeVisible({ timeout: 60_000 });
});
test.afterAll(async () => {
  await context?.close();
  await quiet?.stop();
});
test.beforeEach(() =>
  complaints.expect(/QuotaExceededError|StorageFull|SqlError: full/, /addEventListener/),
);
test.afterEach(() => expect(complaints.unexpected()).toEqual([]));

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
  await phone.set(true);
  await page.getByTestId(button).click();
  await app.expectToast('could not save', 'error');
  await expect(page.getByTestId(button)).not.toHaveAttribute('aria-busy');
  await expect(page.getByTestId('no-room-note')).toBeVisible();
  await phone.set(false);
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
  await quiet.stack.recorder.faults({ lengthLie: 0 });
  await page.getByTestId('bring-rest').click();
  await expect(page.getByTestId('transfer-ended')).toHaveAttribute('data-came', '1');
});

test('deleting on the recorder succeeds, and the question closes', async () => {
  await goTo('/pages/deviceFiles');
  await expect(row()).toHaveAttribute('data-state', 'whole');
  await row()
    .getByRole('button', { name: /^Delete/ })
    .click();
  await phone.set(true);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await app.expectToast('Deleted from the recorder');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(row()).toHaveCount(0);
  await expect(page.getByTestId('no-room-note')).toBeVisible();
  expect((await quiet.stack.recorder.status()).sessions).toEqual([]);
  await phone.set(false);
});

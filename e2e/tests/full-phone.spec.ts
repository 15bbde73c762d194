/** A phone whose database finds no room: what its owner asked for is done or told, and no button waits for ever. */
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
  // Without a trial nothing is uploaded by itself: what is seen here ends on the phone.
  quiet = await QuietStack.start({ env: { TRIAL_DAYS: '0' } });
  context = await browser.newContext({ locale: 'en-GB', serviceWorkers: 'block' });
  complaints.listenTo(context);
  page = await context.newPage();
  phone = await FullPhone.of(page);
  app = new LinnetApp(page, quiet.stack);
  await app.signUp('stint@example.org');
  await app.bind('websocket');
  // It says that the session is longer than it is, which no copy agrees with.
  await quiet.stack.recorder.faults({ lengthLie: 160 });
  session = await quiet.addSpeech(6);
  await expect(app.rows('trouble')).toBeVisible({ timeout: 60_000 });
});
test.afterAll(async () => {
  await context?.close();
  await quiet?.stop();
});
test.beforeEach(() =>
  complaints.expect(/QuotaExceededError|NoRoom|SqlError: full/, /addEventListener/),
);
test.afterEach(() => expect(complaints.unexpected()).toEqual([]));

const row = () => page.locator(`[data-testid="device-session"][data-session-id="${session}"]`);

/** As by a link: in a page that is opened anew what stopped is read again. */
async function goTo(path: string): Promise<void> {
  await page.evaluate((address) => {
    history.pushState(null, '', address);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

/** Presses it on a full phone, which says so, and on which it can be pressed again. */
async function expectTold(button: string): Promise<void> {
  await expect(page.getByTestId(button)).toBeEnabled();
  await phone.set(true);
  await page.getByTestId(button).click();
  await app.expectToast('could not save', 'error');
  await expect(page.getByTestId(button)).not.toHaveAttribute('aria-busy');
  await expect(page.getByTestId('no-room-note')).toBeVisible();
  await phone.set(false);
}

test('what stopped is not tried anew, which is told', async () => {
  await goTo('/pages/dataSynchronization');
  await expect(page.getByTestId('retry-one')).toBeVisible();
  await expectTold('sync-now');
  await expectTold('retry-one');
});

test('what is to be brought over is not, which is told', async () => {
  await goTo('/pages/WiFiFastTransmission');
  await expectTold('start-bluetooth');
  await page.getByTestId('start-bluetooth').click();
  await expect(page.getByTestId('transfer-ended')).toBeVisible({ timeout: 60_000 });
  await expectTold('bring-rest');
  await quiet.stack.recorder.faults({ lengthLie: 0 });
  await page.getByTestId('bring-rest').click();
  await expect(page.getByTestId('transfer-ended')).toHaveAttribute('data-came', '1');
});

test('what is deleted on the recorder is gone there, and so is the question', async () => {
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

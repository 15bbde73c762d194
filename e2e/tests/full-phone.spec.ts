/** Tests actions while the phone's disk is full: each one succeeds or reports its failure, and no button hangs. */
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { DiskFullSwitch } from '../support/disk-full-switch.ts';
import { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';

let environment: EmptyRecorderStack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;
let disk: DiskFullSwitch;
let session: number;
const pageErrors = new PageErrors();

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  // Without a trial, nothing is uploaded automatically, so recordings stay on the phone.
  environment = await EmptyRecorderStack.start({ env: { TRIAL_DAYS: '0' } });
  context = await browser.newContext({ locale: 'en-GB' });
  pageErrors.listenTo(context);
  page = await context.newPage();
  disk = await DiskFullSwitch.install(page);
  app = new LinnetApp(page, environment.stack);
  await app.signUp('stint@example.org');
  await app.bind('websocket');
  // The recorder reports a wrong length for the session, so its verification fails.
  await environment.stack.recorder.setFaults({ lengthLie: 160 });
  session = await environment.addSpeech(6);
  await expect(app.rows('trouble')).toBeVisible({ timeout: 60_000 });
});
test.afterAll(async () => {
  await context?.close();
  await environment?.stop();
});
test.beforeEach(() => pageErrors.allow(/QuotaExceededError|StorageFull|SqlError: full/));
test.afterEach(() => expect(pageErrors.takeUnexpected()).toEqual([]));

const row = () => page.locator(`[data-testid="device-session"][data-session-id="${session}"]`);

/** Navigates within the app, because a reload would retry failed recordings. */
async function goTo(path: string): Promise<void> {
  await page.evaluate((address) => {
    history.pushState(null, '', address);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

/** Presses a button while the disk is full, and asserts that an error is shown and the button can be pressed again. */
async function expectFailureReported(button: string): Promise<void> {
  await expect(page.getByTestId(button)).toBeEnabled();
  await disk.setFull(true);
  await page.getByTestId(button).click();
  await app.expectToast('Couldn’t save', 'error');
  await expect(page.getByTestId(button)).not.toHaveAttribute('aria-busy');
  await expect(page.getByTestId('no-room-note')).toBeVisible();
  await disk.setFull(false);
}

test('reports that a failed recording cannot be retried', async () => {
  await goTo('/pages/dataSynchronization');
  await expect(page.getByTestId('retry-one')).toBeVisible();
  await expectFailureReported('sync-now');
  await expectFailureReported('retry-one');
});

test('reports that a transfer cannot be requested', async () => {
  await goTo('/pages/WiFiFastTransmission');
  await expectFailureReported('start-bluetooth');
  await page.getByTestId('start-bluetooth').click();
  await expect(page.getByTestId('transfer-ended')).toBeVisible({ timeout: 60_000 });
  await expectFailureReported('bring-rest');
  await environment.stack.recorder.setFaults({ lengthLie: 0 });
  await page.getByTestId('bring-rest').click();
  await expect(page.getByTestId('transfer-ended')).toHaveAttribute('data-received', '1');
});

test('deletes a session on the recorder, and closes the dialog', async () => {
  await goTo('/pages/deviceFiles');
  await expect(row()).toHaveAttribute('data-state', 'complete');
  await row()
    .getByRole('button', { name: /^Delete/ })
    .click();
  await disk.setFull(true);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await app.expectToast('Deleted from the recorder');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(row()).toHaveCount(0);
  await expect(page.getByTestId('no-room-note')).toBeVisible();
  expect((await environment.stack.recorder.getStatus()).sessions).toEqual([]);
  await disk.setFull(false);
});

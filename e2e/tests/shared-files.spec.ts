/** Tests the import of audio files that another app shares or the user drops on the app. */
import { SAMPLE_RATE } from '@linnet/audio/format';
import { writeWave } from '@linnet/audio/wave';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { LinnetApp } from '../support/linnet-app.ts';
import { Quota } from '../support/quota.ts';
import { Stack } from '../support/stack.ts';
import { createTone } from '../support/tone.ts';

const owner = 'sharer@example.org';
let stack: Stack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;

test.use({ serviceWorkers: 'allow' });
test.beforeAll(async ({ browser }) => {
  stack = await Stack.start({ env: { TRIAL_DAYS: '0' } });
  context = await browser.newContext();
  page = await context.newPage();
  app = new LinnetApp(page, stack);
  await app.signUp(owner);
  await activateServiceWorker();
});
test.afterAll(async () => {
  await context?.close();
  await stack?.stop();
});

/** Creates a three-second tone. Tones with different periods are different recordings. */
const createSound = (period: number) => Buffer.from(writeWave(createTone(3, period), SAMPLE_RATE));

/** Shares a file as the system's share sheet does: by posting a multipart form to the URL in the manifest. */
async function share(name: string, buffer: Buffer): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    const { share_target: target } = await (await fetch('/manifest.webmanifest')).json();
    const form = Object.assign(document.createElement('form'), {
      ...{ method: target.method, action: target.action, enctype: target.enctype },
    });
    const input = Object.assign(document.createElement('input'), { type: 'file' });
    input.name = target.params.files[0].name;
    input.dataset.testid = 'shared';
    form.append(input);
    document.body.append(form);
  });
  const input = page.getByTestId('shared');
  await input.setInputFiles({ name, mimeType: 'audio/wav', buffer });
  await input.evaluate((field: HTMLInputElement) => field.form?.submit());
}

/** Waits for the service worker, then reloads the page so that the service worker controls it. */
async function activateServiceWorker(): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.reload();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

test('the app imports a shared file once', async () => {
  await share('Überraschung 会议.wav', createSound(12));
  await page.waitForURL('**/pages/files');
  const row = app.rows().filter({ hasText: 'Überraschung 会议' });
  await expect(row).toHaveCount(1);
  await page.reload();
  await expect(row).toHaveCount(1);
});

test('the app reports once that a shared file does not fit on a full disk', async () => {
  const quota = await Quota.attach(page);
  // Enough for the app's own writes, but not for the file.
  await quota.setFreeBytes(2_000_000);
  await share('Zu viel & 太多.wav', Buffer.alloc(8_000_000));
  const failedRow = page.getByTestId('import-row');
  await expect(failedRow).toContainText(/Zu viel & 太多\.wav/);
  expect(new URL(page.url()).search).toBe('');
  await page.reload();
  await expect(page.getByTestId('import')).toBeVisible();
  await expect(failedRow).toHaveCount(0);
  await quota.setFreeBytes(null);
});

test('a file dropped on any page is imported', async () => {
  await app.show('/pages/me');
  const data = await page.evaluateHandle(
    (bytes) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], 'Dropped.wav', { type: 'audio/wav' }));
      return transfer;
    },
    [...createSound(14)],
  );
  await page.getByRole('main').waitFor();
  await page.dispatchEvent('body', 'dragover', { dataTransfer: data });
  await expect(page.locator('.drop-target')).toBeVisible();
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
  await page.getByRole('button', { name: 'Show' }).click();
  await page.waitForURL('**/pages/files');
  await expect(app.rows().filter({ hasText: 'Dropped' })).toHaveCount(1);
});

test('a file shared while signed out is imported after sign-in', async () => {
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) {
      if (key.includes('Token')) localStorage.removeItem(key);
    }
  });
  await share('Waiting.wav', createSound(16));
  await expect(page.getByTestId('password')).toBeVisible();
  await app.signIn(owner);
  await expect(app.rows().filter({ hasText: 'Waiting' })).toHaveCount(1);
});

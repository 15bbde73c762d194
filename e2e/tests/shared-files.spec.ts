/** Sound that comes from outside: shared by another app, or dropped on any screen. */
import { SAMPLE_RATE } from '@linnet/audio/format';
import { writeWave } from '@linnet/audio/wave';
import { expect, type Page, test } from '@playwright/test';
import { LinnetApp } from '../support/linnet-app.ts';
import { Quota } from '../support/quota.ts';
import { Stack } from '../support/stack.ts';

let stack: Stack;

test.beforeAll(async () => {
  stack = await Stack.start({ env: { TRIAL_DAYS: '0' } });
});
test.afterAll(() => stack?.stop());

/** Three seconds of a tone. */
const tone = Buffer.from(
  writeWave(
    Int16Array.from({ length: 3 * SAMPLE_RATE }, (_, at) => 6000 * Math.sin(at / 12)),
    SAMPLE_RATE,
  ),
);

/** Posts a file the way the system's share sheet does: a form of many parts, to the address in the manifest. */
async function share(page: Page, name: string, buffer = tone): Promise<void> {
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

/** The worker answers for a page only from the next time it is opened. */
async function withServiceWorker(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.reload();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

test('a file that another app shares is imported, once', async ({ page }) => {
  const app = new LinnetApp(page, stack);
  await app.signUp('sharer@example.org');
  await withServiceWorker(page);
  await share(page, 'Überraschung 会议.wav');
  await page.waitForURL('**/pages/files');
  const row = app.rows().filter({ hasText: 'Überraschung 会议' });
  await expect(row).toHaveCount(1);
  await page.reload();
  await expect(row).toHaveCount(1);
});

test('a file that is shared while nobody is signed in waits until somebody is', async ({
  page,
}) => {
  const app = new LinnetApp(page, stack);
  await app.signUp('later@example.org');
  await withServiceWorker(page);
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) {
      if (key.includes('Token')) localStorage.removeItem(key);
    }
  });
  await share(page, 'Waiting.wav');
  await expect(page.getByTestId('password')).toBeVisible();
  await app.signIn('later@example.org');
  await expect(app.rows().filter({ hasText: 'Waiting' })).toHaveCount(1);
});

test('a shared file that a full phone cannot keep is named, once', async ({ page }) => {
  const app = new LinnetApp(page, stack);
  await app.signUp('full@example.org');
  await withServiceWorker(page);
  const quota = await Quota.of(page);
  // Room for what the app itself writes.
  await quota.limit(2_000_000);
  await share(page, 'Zu viel & 太多.wav', Buffer.alloc(8_000_000));
  const refused = page.getByTestId('import-row');
  await expect(refused).toContainText(/no room left for .*Zu viel & 太多\.wav/);
  expect(new URL(page.url()).search).toBe('');
  await page.reload();
  await expect(page.getByTestId('import')).toBeVisible();
  await expect(refused).toHaveCount(0);
  await quota.limit(null);
});

test('a file is taken on whatever screen it is dropped', async ({ page }) => {
  const app = new LinnetApp(page, stack);
  await app.signUp('dropper@example.org');
  await app.open('/pages/me');
  const data = await page.evaluateHandle(
    (bytes) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], 'Dropped.wav', { type: 'audio/wav' }));
      return transfer;
    },
    [...tone],
  );
  await page.getByRole('main').waitFor();
  await page.dispatchEvent('body', 'dragover', { dataTransfer: data });
  await expect(page.locator('.drop-target')).toBeVisible();
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
  await page.getByRole('button', { name: 'Show' }).click();
  await page.waitForURL('**/pages/files');
  await expect(app.rows().filter({ hasText: 'Dropped' })).toHaveCount(1);
});

/** Tests the folder of Markdown files that the user picks in the browser. */
import { SAMPLE_RATE } from '@linnet/audio/format';
import { writeWave } from '@linnet/audio/wave';
import { expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { fileTexts, installDrive, putFiles } from '../support/browser-drive.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { Stack } from '../support/stack.ts';
import { createTone } from '../support/tone.ts';

let stack: Stack;
test.beforeAll(async () => {
  stack = await Stack.start({ env: { TRIAL_DAYS: '0' } });
});
test.afterAll(() => stack?.stop());

/** Replaces the browser's permission prompt, which tests can't operate. The user allows access when asked. */
async function installPermission(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.assign(FileSystemHandle.prototype, {
      queryPermission: async () => sessionStorage.getItem('permission') ?? 'granted',
      requestPermission: async () => {
        sessionStorage.setItem('permission', 'granted');
        return 'granted';
      },
    });
  });
}

test('recordings are written to a picked folder while offline, and edits are kept', async ({
  page,
}) => {
  test.setTimeout(150_000);
  const app = new LinnetApp(page, stack);
  await installDrive(page);
  await installPermission(page);
  await app.signUp('vault@example.org');
  const buffer = Buffer.from(writeWave(createTone(1, 7), SAMPLE_RATE));
  const wave = { name: 'Heron.wav', mimeType: 'audio/wav', buffer };
  await page.getByTestId('import-files').setInputFiles(wave);
  await expect(app.rows()).toHaveCount(1);

  const names = async () => Object.keys(await fileTexts(page)).sort();
  const card = page.getByTestId('vault-device');
  await app.open('/pages/vault');
  await page.getByTestId('pick-vault').click();
  await expect(card).toHaveAttribute('data-state', 'current');
  await expect(card).toContainText('Files: 1');
  await expectNoViolations(page);
  const [name = ''] = await names();
  expect(name).toMatch(/ \([0-9a-z]{7}\)\.md$/);
  expect((await fileTexts(page))[name]).toMatch(/^---\nid: ".+"\n/);

  await putFiles(page, [{ name, bytes: Buffer.from('my edits') }]);
  // Load the form's code while online. Service workers, which would cache it for offline use, are blocked here.
  await page.getByTestId('template-device').click();
  await page.getByTestId('vault-template').fill('{{title}} is here');
  await page.context().setOffline(true);
  await page.getByTestId('save-template').click();
  await expect.poll(async () => (await names()).length).toBe(2);
  const copy = (await names()).find((each) => each !== name) ?? '';
  expect(copy).toContain('(edited ');
  expect((await fileTexts(page))[copy]).toBe('my edits');
  await expect.poll(async () => (await fileTexts(page))[name]).toMatch(/ is here\n$/);
  await page.context().setOffline(false);

  await page.evaluate(() => sessionStorage.setItem('permission', 'prompt'));
  await page.reload();
  await expect(card).toHaveAttribute('data-state', 'permission');
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'Allow access again' }).click();
  await expect(card).toHaveAttribute('data-state', 'current');
  expect(await names()).toHaveLength(2);

  await page.getByTestId('disconnect-device').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect folder' }).click();
  await expect(page.getByTestId('pick-vault')).toBeVisible();
  expect(await names()).toHaveLength(2);
});

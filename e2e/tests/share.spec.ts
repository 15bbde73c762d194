/** Tests sharing with the system's share sheet. This browser has none, so the test uses a stub. */
import { expect, test } from '@playwright/test';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import { ScriptedSpeechStack } from '../support/scripted-speech-stack.ts';
import { ServerAccount } from '../support/server-account.ts';

const owner = 'sharer@example.org';
const pageErrors = new PageErrors();
let environment: ScriptedSpeechStack;

/** State of the stub. `error` is the name of the DOMException thrown by the next call. */
type Sheet = {
  opened: number;
  files: { name: string; text: string }[];
  error: string | null;
};

test.beforeAll(async () => {
  environment = await ScriptedSpeechStack.start();
});
test.afterAll(() => environment?.stop());
test.afterEach(() => expect(pageErrors.takeUnexpected()).toEqual([]));

test('handles a closed share sheet, asks for another tap if the first has expired, and saves rejected files', async ({
  context,
  page,
}) => {
  pageErrors.listenTo(context);
  await context.addInitScript(() => {
    const sheet: Sheet = { opened: 0, files: [], error: null };
    Object.assign(window, { sheet });
    Object.assign(navigator, {
      canShare: () => true,
      async share({ files: [file] }: { files: [File] }) {
        sheet.opened++;
        if (sheet.error) throw new DOMException('refused', sheet.error);
        sheet.files.push({ name: file.name, text: await file.text() });
      },
    });
  });
  const account = await ServerAccount.register(environment.stack, owner);
  const talk = { title: 'Keys', language: 'en', lines: ['Who has the key?'] } as const;
  const { id } = await environment.transcribe(account, {
    ...talk,
    recordedAt: '2026-02-21T10:00:00Z',
  });
  const app = new LinnetApp(page, environment.stack);
  await app.open('/');
  await app.signIn(owner);
  await app.openRecording(id);
  await page.getByTestId('export').click();
  const popup = page.getByRole('dialog');
  const share = popup.getByTestId('export-share');
  const getSheet = () => page.evaluate(() => (window as unknown as { sheet: Sheet }).sheet);
  const getSharedFiles = async () => (await getSheet()).files;
  const setError = (name: string | null) =>
    page.evaluate((error) => {
      (window as unknown as { sheet: Sheet }).sheet.error = error;
    }, name);

  await popup.getByTestId('format-txt').click();
  await setError('AbortError');
  await share.click();
  await expect.poll(async () => (await getSheet()).opened).toBe(1);
  await expect(share).toBeVisible();
  await expect(popup.getByTestId('error')).toHaveCount(0);
  await expect(page.getByTestId('toast')).toHaveCount(0);
  expect(await getSharedFiles()).toEqual([]);

  // Delay the response until the tap's user activation has expired.
  await setError(null);
  await popup.getByText('Audio', { exact: true }).click();
  await popup.getByTestId('format-wav').click();
  await page.route('**/task/index', async (route) => {
    const isForExport = route.request().postDataJSON().limit === 1;
    if (isForExport) await page.waitForFunction(() => !navigator.userActivation.isActive);
    await route.continue();
  });
  await share.click();
  // `evaluate` would count as user activation, so poll in the page.
  await page.waitForFunction(() => document.querySelector('.export-ready'));
  expect(await getSharedFiles()).toEqual([]);
  await popup.locator('.export-ready + button').click();
  await expect(popup).toBeHidden();
  expect((await getSharedFiles()).map(({ name }) => name)).toEqual(['2026-02-21 Keys.wav']);
  await page.unroute('**/task/index');

  await page.getByTestId('export').click();
  await popup.getByText('Text', { exact: true }).click();
  await share.click();
  await expect(popup).toBeHidden();
  const shared = (await getSharedFiles()).at(-1);
  expect(shared?.name).toBe('2026-02-21 Keys.txt');
  expect(shared?.text).toContain('Who has the key?');

  // A browser rejects unsupported file types only in share(). The app then saves the file instead.
  await page.getByTestId('export').click();
  await setError('NotAllowedError');
  const saved = page.waitForEvent('download');
  await share.click();
  expect((await saved).suggestedFilename()).toBe('2026-02-21 Keys.txt');
  await expect(popup).toBeHidden();
  await app.expectToast('saved');
  expect(await getSharedFiles()).toHaveLength(2);
});

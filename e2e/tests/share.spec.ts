/** What is shared reaches the system's share sheet, which this browser does not have: a stand-in takes its place. */
import { expect, test } from '@playwright/test';
import { Complaints } from '../support/complaints.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { ServerAccount } from '../support/server-account.ts';
import { TalkingStack } from '../support/talking-stack.ts';

const owner = 'sharer@example.org';
const complaints = new Complaints();
let talking: TalkingStack;

/** How often the stand-in was opened, what it was given, and how it answers next. */
type Sheet = {
  opened: number;
  taken: { name: string; text: string }[];
  refuses: string | null;
};

test.beforeAll(async () => {
  talking = await TalkingStack.start();
});
test.afterAll(() => talking?.stop());
test.afterEach(() => expect(complaints.unexpected()).toEqual([]));

test('a recording is shared; who closes the sheet lost nothing; a tap that was too long ago is asked for again; what is refused is saved', async ({
  context,
  page,
}) => {
  complaints.listenTo(context);
  await context.addInitScript(() => {
    const sheet: Sheet = { opened: 0, taken: [], refuses: null };
    Object.assign(window, { sheet });
    Object.assign(navigator, {
      canShare: () => true,
      async share({ files: [file] }: { files: [File] }) {
        sheet.opened++;
        if (sheet.refuses) throw new DOMException('refused', sheet.refuses);
        sheet.taken.push({ name: file.name, text: await file.text() });
      },
    });
  });
  const account = await ServerAccount.register(talking.stack, owner);
  const talk = { title: 'Keys', language: 'en', lines: ['Who has the key?'] } as const;
  const { id } = await talking.hear(account, { ...talk, recordedAt: '2026-02-21T10:00:00Z' });
  const app = new LinnetApp(page, talking.stack);
  await app.open('/');
  await app.signIn(owner);
  await app.openRecording(id);
  await page.getByTestId('export').click();
  const popup = page.getByRole('dialog');
  const share = popup.getByTestId('export-share');
  const state = () => page.evaluate(() => (window as unknown as { sheet: Sheet }).sheet);
  const taken = async () => (await state()).taken;
  const refuse = (name: string | null) =>
    page.evaluate((refuses) => {
      (window as unknown as { sheet: Sheet }).sheet.refuses = refuses;
    }, name);

  await popup.getByTestId('format-txt').click();
  await refuse('AbortError');
  await share.click();
  await expect.poll(async () => (await state()).opened).toBe(1);
  await expect(share).toBeVisible();
  await expect(popup.getByTestId('error')).toHaveCount(0);
  await expect(page.getByTestId('toast')).toHaveCount(0);
  expect(await taken()).toEqual([]);

  // Making the file outlasts the tap: the server takes its time until the browser has forgotten it.
  await refuse(null);
  await popup.getByText('Sound', { exact: true }).click();
  await popup.getByTestId('format-wav').click();
  await page.route('**/task/index', async (route) => {
    const forTheFile = route.request().postDataJSON().limit === 1;
    if (forTheFile) await page.waitForFunction(() => !navigator.userActivation.isActive);
    await route.continue();
  });
  await share.click();
  // Each look from outside counts as a tap, so the page looks for itself, once.
  await page.waitForFunction(() => document.querySelector('.export-ready'));
  expect(await taken()).toEqual([]);
  await popup.locator('.export-ready + button').click();
  await expect(popup).toBeHidden();
  expect((await taken()).map(({ name }) => name)).toEqual(['2026-02-21 Keys.wav']);
  await page.unroute('**/task/index');

  await page.getByTestId('export').click();
  await popup.getByText('Text', { exact: true }).click();
  await share.click();
  await expect(popup).toBeHidden();
  const shared = (await taken()).at(-1);
  expect(shared?.name).toBe('2026-02-21 Keys.txt');
  expect(shared?.text).toContain('Who has the key?');

  // Browsers refuse kinds of file only when asked: then it is saved instead.
  await page.getByTestId('export').click();
  await refuse('NotAllowedError');
  const saved = page.waitForEvent('download');
  await share.click();
  expect((await saved).suggestedFilename()).toBe('2026-02-21 Keys.txt');
  await expect(popup).toBeHidden();
  await app.expectToast('saved');
  expect(await taken()).toHaveLength(2);
});

/**
 * Tests links to recordings: the user creates and revokes a link, and a visitor without an account reads and plays it.
 */
import { writeWave } from '@linnet/audio/wave';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { chooseFiles } from '../support/choose-files.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import { ScriptedSpeechStack } from '../support/scripted-speech-stack.ts';
import { ServerAccount } from '../support/server-account.ts';
import { findSmallTargets } from '../support/touch-targets.ts';

const owner = 'sharer@example.org';
const lines = [
  'We meet at the old mill on Monday morning.',
  'The bridge behind the mill is closed until June.',
  'Miriam, please ask the miller for the key by Friday.',
];
const password = 'a quiet mill pond';
const phone = {
  ...{ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, locale: 'en-GB' },
};

const pageErrors = new PageErrors();
let environment: ScriptedSpeechStack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;
let recording: string;
/** The browser of a visitor without an account. */
let visitorContext: BrowserContext;
let visitorPage: Page;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  environment = await ScriptedSpeechStack.start();
  const account = await ServerAccount.register(environment.stack, owner);
  ({ id: recording } = await environment.transcribe(account, {
    ...{ title: 'The mill', language: 'en', lines, pause: 2.5 },
  }));
  context = await browser.newContext(phone);
  pageErrors.listenTo(context);
  page = await context.newPage();
  app = new LinnetApp(page, environment.stack);
  await app.open('/pages/index');
  await app.signIn(owner);
  await expect(app.rows('done')).toHaveCount(1);
  visitorContext = await browser.newContext(phone);
  pageErrors.listenTo(visitorContext);
  visitorPage = await visitorContext.newPage();
});
test.afterAll(async () => {
  await visitorContext?.close();
  await context?.close();
  await environment?.stop();
});
test.afterEach(() => {
  expect(pageErrors.takeUnexpected()).toEqual([]);
});

const byTestId = (name: string) => page.getByTestId(name);

/** Opens the sheet for the recording's links. */
async function openLinkSheet(): Promise<void> {
  await app.open(`/pages/fileDetail?id=${recording}`);
  await byTestId('export').click();
  await byTestId('share-link-open').click();
  await expect(byTestId('create-share-link')).toBeVisible();
}

/** Creates the link configured in the sheet. @returns its URL */
async function createLink(): Promise<string> {
  await byTestId('create-share-link').click();
  return byTestId('share-url').innerText();
}

test('a visitor without an account reads and plays a recording until its link is revoked', async () => {
  await openLinkSheet();
  await byTestId('share-audio').check();
  await expectNoViolations(page);
  const url = await createLink();
  await expect(byTestId('share-link')).toContainText('Not viewed yet');
  await expectNoViolations(page);

  const paragraphs = visitorPage.locator('.paragraph');
  await test.step('reads and plays', async () => {
    await visitorPage.goto(url);
    await expect(visitorPage.getByRole('heading', { level: 1 })).toHaveText('The mill');
    await expect(paragraphs).toHaveCount(lines.length);
    await expectNoViolations(visitorPage);
    expect(await findSmallTargets(visitorPage)).toEqual([]);
    const width = await visitorPage.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBe(phone.viewport.width);

    await paragraphs.nth(1).locator('p').tap();
    await expect(paragraphs.nth(1)).toHaveAttribute('aria-current', 'true');
    const time = () =>
      visitorPage.evaluate(() => document.querySelector('audio')?.currentTime ?? 0);
    const start = Number(await paragraphs.nth(1).getAttribute('data-start'));
    expect(start).toBeGreaterThan(1);
    await expect.poll(time).toBeGreaterThan(start);
    // The highlight follows the audio.
    await expect(paragraphs.nth(2)).toHaveAttribute('aria-current', 'true');
    await expect(paragraphs.nth(1)).not.toHaveAttribute('aria-current');
    await visitorPage.getByRole('button', { name: 'Play from 0:01' }).first().click();
    await expect(paragraphs.nth(0)).toHaveAttribute('aria-current', 'true');
  });

  await test.step('prints without the player', async () => {
    await visitorPage.emulateMedia({ media: 'print' });
    await expect(visitorPage.locator('audio')).toBeHidden();
    await expect(paragraphs.nth(2)).toBeVisible();
    await visitorPage.emulateMedia({ media: null });
  });

  await test.step('the user sees the view count and revokes the link', async () => {
    await app.open('/pages/personalInformation');
    await byTestId('to-share-links').click();
    await expect(byTestId('share-link')).toContainText('The mill');
    await expect(byTestId('share-link')).toContainText('1 view');
    await expectNoViolations(page);
    await byTestId('revoke-share-link').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke link' }).click();
    await expect(page.getByText('No share links yet')).toBeVisible();
  });

  pageErrors.allow(/404 \(Not Found\)/);
  const reloaded = await visitorPage.reload();
  expect(reloaded?.status()).toBe(404);
  await expect(visitorPage.getByRole('heading', { level: 1 })).toHaveText('This link isn’t valid');
});

test('a link with a password opens only with the password', async () => {
  await openLinkSheet();
  await byTestId('share-password').fill('short');
  await byTestId('create-share-link').click();
  await expect(byTestId('error')).toContainText('Choose a stronger password');
  await byTestId('share-password').fill(password);
  const url = await createLink();

  await visitorPage.goto(url);
  await expectNoViolations(visitorPage);
  const field = visitorPage.getByLabel('Password');
  pageErrors.allow(/403 \(Forbidden\)/);
  await field.fill('a loud mill pond');
  await field.press('Enter');
  await expect(visitorPage.getByRole('alert')).toHaveText('Incorrect password');
  await field.fill(password);
  await field.press('Enter');
  await expect(visitorPage.locator('.paragraph')).toHaveCount(lines.length);
  // The audio isn't shared.
  await expect(visitorPage.locator('audio')).toHaveCount(0);
  await visitorPage.reload();
  await expect(visitorPage.locator('.paragraph')).toHaveCount(lines.length);
});

test('a recording that exists only on this device can be shared once it is uploaded', async () => {
  pageErrors.allow(/ERR_FAILED/);
  // Make the upload fail.
  await page.route(/\/oss\/config$/, (route) => route.abort());
  await app.open('/pages/files');
  const buffer = Buffer.from(writeWave(new Int16Array(48_000), 16_000));
  await chooseFiles(byTestId('import-files'), [{ name: 'Hum.wav', mimeType: 'audio/wav', buffer }]);
  const row = app.rows().filter({ hasText: 'Hum' });
  await expect(row).toHaveCount(1);
  const imported = await row.getAttribute('data-record-id');
  await app.open(`/pages/fileDetail?id=${imported}`);
  await byTestId('export').click();
  await byTestId('share-link-open').click();
  await expect(page.getByText('This recording is only on this device.')).toBeVisible();
  await page.unrouteAll();
  // The sheet updates after the upload.
  await expect(byTestId('create-share-link')).toBeVisible({ timeout: 90_000 });
});

/** Performs the main job with the keyboard only. The focus must be visible at every step. */
import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test';
import { Keyboard } from '../support/keyboard.ts';
import { LinnetApp, PASSWORD } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import { ScriptedSpeechStack, type Talk } from '../support/scripted-speech-stack.ts';

const owner = 'keys@example.org';
const talk: Talk = {
  title: 'Plans',
  language: 'en',
  lines: [
    'Today we talk about the spring concert.',
    'Miriam, please call the soloists by Thursday.',
    'We have to order the printed programmes before the end of the month.',
  ],
  pause: 2.5,
};
/** Duration of the recording, longer than the talk. */
const RECORD_MS = 20_000;

const pageErrors = new PageErrors();
let environment: ScriptedSpeechStack;
const contexts: BrowserContext[] = [];

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  environment = await ScriptedSpeechStack.start({ speed: 8, microphone: talk });
});
test.afterAll(async () => {
  for (const context of contexts) await context.close();
  await environment?.stop();
});
test.afterEach(() => expect(pageErrors.takeUnexpected()).toEqual([]));

type Client = { readonly page: Page; readonly app: LinnetApp; readonly keys: Keyboard };

async function openClient(browser: Browser, width: number): Promise<Client> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, locale: 'en-GB' });
  contexts.push(context);
  pageErrors.listenTo(context);
  const freshPage = await context.newPage();
  const app = new LinnetApp(freshPage, environment.stack, { guide: 'show' });
  return { page: freshPage, app, keys: new Keyboard(freshPage) };
}

/** Opens a recording from Files, plays, reads and exports it, then deletes and restores it in Files. */
async function walkRecording({ page, app, keys }: Client, type: string): Promise<void> {
  const id = (await app.rows('done').first().getAttribute('data-record-id')) as string;
  const rowLink = app.row(id).locator('.row-link');
  const heading = page.locator('.detail').getByRole('heading', { level: 1 });
  await keys.activate(rowLink);
  await keys.expectFocused(heading);

  // Play from the beginning, and from a paragraph.
  const player = page.getByTestId('player');
  await expect(player).toHaveAttribute('data-status', 'ready');
  const first = page.getByTestId('paragraph').first();
  await expect(first.locator('.paragraph-text')).toHaveText(talk.lines[0] as string);
  await keys.press('Space');
  await expect(player).toHaveAttribute('data-playing', 'true');
  await keys.press('Space');
  await expect(player).toHaveAttribute('data-playing', 'false');
  await keys.expectFocused(heading);
  await keys.activate(first.locator('.paragraph-time'));
  await expect(player).toHaveAttribute('data-playing', 'true');
  await keys.activate(page.getByTestId('player-play'));
  await expect(player).toHaveAttribute('data-playing', 'false');
  await keys.expectFocused(page.getByTestId('player-play'));

  // The tab list is a single tab stop, and the arrow keys move between its tabs.
  const tab = (name: string) => page.getByTestId(`tab-${name}`);
  await keys.moveTo(tab('transcription'), 'Shift+Tab');
  await keys.press('ArrowRight');
  await keys.expectFocused(tab('summary'));
  await expect(page.getByTestId('summary')).toBeVisible();
  await keys.moveTo(tab('todos'), 'ArrowRight');
  const tick = page.getByTestId('understood-item').first().getByTestId('tick');
  const wasChecked = await tick.isChecked();
  await keys.activate(tick, 'Space');
  await expect(tick).toBeChecked({ checked: !wasChecked });
  await keys.expectFocused(tick);

  // After the export sheet closes, the focus returns to the button that opened it.
  await keys.moveTo(page.getByTestId('export'), 'Shift+Tab');
  await keys.press('Enter');
  const sheet = page.getByRole('dialog');
  await expect(sheet).toBeVisible();
  await keys.expectVisibleFocus();
  expect(await sheet.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  const started = page.waitForEvent('download');
  await keys.activate(sheet.getByTestId('export-save'));
  expect((await started).suggestedFilename()).toMatch(/\.txt$/);
  await expect(sheet).toBeHidden();
  await keys.expectFocused(page.getByTestId('export'));

  // Back returns the focus to the row. Wide screens show the list next to the recording and have no back button.
  const back = page.getByTestId('back');
  if (await back.isVisible()) {
    await keys.moveTo(back, 'Shift+Tab');
    await keys.press('Enter');
    await page.waitForURL('**/pages/files');
    await keys.expectFocused(rowLink);
  }
  await keys.moveTo(rowLink, (await back.isVisible()) ? 'Tab' : 'Shift+Tab');
  await keys.activate(app.row(id).locator('.row-menu'));
  const menu = page.getByRole('menu');
  await expect(menu).toBeVisible();
  await expect(async () => {
    await keys.press('ArrowDown');
    await expect(menu.getByRole('menuitem', { name: 'Move to recycle bin' })).toBeFocused({
      timeout: 100,
    });
  }).toPass();
  await keys.expectVisibleFocus();
  await keys.press('Enter');
  await expect(app.row(id)).toHaveCount(0);
  await keys.expectVisibleFocus();
  await keys.press('Control+z');
  await expect(app.row(id)).toContainText(type);
  await expect(page.getByTestId('toast')).toHaveCount(0);
  await keys.expectVisibleFocus();
}

test('a new user records and reads with the keyboard only, on a wide screen', async ({
  browser,
}) => {
  const desktop = await openClient(browser, 1280);
  const { app, keys } = desktop;
  const deskPage = desktop.page;

  await test.step('creates an account', async () => {
    await app.open('/');
    await keys.activate(deskPage.getByTestId('to-register'));
    await keys.expectFocused(deskPage.getByRole('heading', { level: 1 }));
    await keys.moveTo(deskPage.getByTestId('email'));
    await keys.type(owner);
    await keys.activate(deskPage.getByTestId('send-code'));
    const code = await environment.stack.waitForEmailedCode(owner);
    await keys.moveTo(deskPage.getByTestId('code'), 'Shift+Tab');
    await keys.type(code);
    await keys.moveTo(deskPage.getByTestId('password'));
    await keys.type(PASSWORD);
    await keys.moveTo(deskPage.getByTestId('repassword'));
    await keys.type(PASSWORD);
    await keys.activate(deskPage.getByTestId('agree'), 'Space');
    await keys.press('Enter');
    await deskPage.waitForURL('**/pages/files');
    await keys.expectFocused(deskPage.getByRole('heading', { level: 1 }));
  });

  await test.step('binds a recorder', async () => {
    await keys.activate(deskPage.getByRole('link', { name: 'Connect a recorder' }));
    await deskPage.waitForURL('**/pages/deviceConnect');
    const heading = deskPage.getByRole('heading', { level: 1 });
    await keys.expectFocused(heading);
    await keys.activate(deskPage.getByTestId('way-websocket'));
    await expect(deskPage.getByTestId('found-recorder')).toBeVisible();
    await keys.expectFocused(heading);
    await keys.activate(deskPage.getByTestId('found-recorder'));
    await expect(deskPage.getByTestId('bind-done')).toBeVisible();
    await keys.expectFocused(heading);
    await keys.activate(deskPage.getByTestId('bind-to-files'));
    await deskPage.waitForURL('**/pages/files');
    await keys.expectVisibleFocus();
  });

  await test.step('makes a recording, which is transferred and transcribed automatically', async () => {
    await keys.activate(app.recordButton('idle'));
    await expect(app.recordButton('recording')).toBeVisible();
    await keys.expectFocused(app.recordButton('recording'));
    await expect
      .poll(async () => (await environment.stack.recorder.getStatus()).session?.elapsedMs ?? 0)
      .toBeGreaterThan(RECORD_MS);
    await keys.press('Enter');
    await expect(app.recordButton('idle')).toBeVisible();
    await keys.expectFocused(app.recordButton('idle'));
    await expect(app.rows('done')).toHaveCount(1, { timeout: 60_000 });
  });

  await test.step('closes the guide, which the next visit of Files opens', async () => {
    await keys.activate(deskPage.getByRole('link', { name: 'Me', exact: true }));
    await deskPage.waitForURL('**/pages/me');
    await keys.activate(deskPage.getByRole('link', { name: 'Files', exact: true }));
    await keys.expectFocused(deskPage.getByTestId('guide-done'));
    await keys.press('Enter');
    await expect(deskPage.getByTestId('guide')).toBeHidden();
  });

  await test.step('uses the recording', () => walkRecording(desktop, 'Meeting'));
});

test('a returning user signs in and reads with the keyboard only, on a narrow screen', async ({
  browser,
}) => {
  const phone = await openClient(browser, 390);
  const { app, keys } = phone;
  await app.open('/');
  await keys.moveTo(phone.page.getByTestId('email'));
  await keys.type(owner);
  await keys.moveTo(phone.page.getByTestId('password'));
  await keys.type(PASSWORD);
  await keys.press('Enter');
  await phone.page.waitForURL('**/pages/files');
  await expect(app.rows('done')).toHaveCount(1);
  await keys.expectVisibleFocus();
  await walkRecording(phone, 'Meeting');
});

/** Tests several tabs: one owns the database; the others wait, take over, or continue once it closes. */
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { openProfile } from '../support/open-profile.ts';
import { PageErrors } from '../support/page-errors.ts';

/** Number of consecutive reloads, far more than in normal use. */
const RELOADS = 12;

let environment: EmptyRecorderStack;
let context: BrowserContext;
let id: string;
const pageErrors = new PageErrors();
/** The titles of all system screens shown in any tab. */
const shownScreens: string[] = [];
/** Returns the titles of unexpected screens. A tab may briefly show that Linnet is open in another tab. */
const unexpectedScreens = () =>
  shownScreens.filter((title) => title !== 'Linnet is open in another tab');

test.use({ serviceWorkers: 'allow' });
test.beforeAll(async () => {
  environment = await EmptyRecorderStack.start({ speed: 20 });
  await environment.addSpeech(6);
  context = await openProfile();
  pageErrors.listenTo(context);
  await context.exposeFunction('sawScreen', (title: string) => void shownScreens.push(title));
  await context.addInitScript(() => {
    const { sawScreen } = window as unknown as { sawScreen(title: string): void };
    new MutationObserver(() => {
      const title = document.querySelector('.system-screen h1')?.textContent;
      if (title) sawScreen(title);
    }).observe(document, { childList: true, subtree: true });
  });
  const app = await openTab();
  await app.signUp('wren@example.org');
  await app.bind('websocket');
  await expect(app.rows('done')).toBeVisible({ timeout: 120_000 });
  id = (await app.rows().first().getAttribute('data-record-id')) as string;
});
test.afterAll(async () => {
  await context?.close();
  await environment?.stop();
});
test.beforeEach(() => {
  shownScreens.length = 0;
});
test.afterEach(() => {
  expect(pageErrors.takeUnexpected()).toEqual([]);
});

async function openTab(): Promise<LinnetApp> {
  return new LinnetApp(await context.newPage(), environment.stack);
}

/** Opens a tab with the recordings and closes all others. */
async function openOnlyTab(): Promise<LinnetApp> {
  const app = await openTab();
  for (const page of context.pages()) if (page !== app.page) await page.close();
  await app.open('/pages/files');
  await expectRecordings(app);
  return app;
}

/** Asserts that a tab lists the recording, reads its audio, and is connected to the recorder. */
async function expectRecordings(app: LinnetApp): Promise<void> {
  await expect(app.row(id)).toHaveAttribute('data-state', 'done');
  expect((await app.readStoredFile(id, 'wav')).length).toBeGreaterThan(44);
  await expect(app.recordButton('idle')).toBeVisible();
}

const takeOverButton = (page: Page) => page.getByTestId('take-over');

test('a second tab offers to take over, and then the first tab does too', async () => {
  const first = await openOnlyTab();
  const second = await openTab();
  await second.open('/pages/files');
  await expect(takeOverButton(second.page)).toBeVisible();
  await expect(second.page.locator('h1')).toHaveText('Linnet is open in another tab');
  await expectRecordings(first);

  for (const [from, to] of [
    [first, second],
    [second, first],
    [first, second],
  ] as const) {
    await takeOverButton(to.page).click();
    await expectRecordings(to);
    await expect(takeOverButton(from.page)).toBeVisible();
    await expect(from.rows()).toHaveCount(0);
  }
  expect(new Set(shownScreens)).toEqual(new Set(['Linnet is open in another tab']));
});

test('a waiting tab continues automatically after the other closes', async () => {
  const first = await openOnlyTab();
  const second = await openTab();
  await second.open('/pages/files');
  await expect(takeOverButton(second.page)).toBeVisible();
  await first.page.close();
  await expectRecordings(second);
  await expect(takeOverButton(second.page)).toHaveCount(0);
});

test('a tab opened after the first was closed shows the recordings without a prompt', async () => {
  const first = await openOnlyTab();
  await first.page.close();
  const second = await openTab();
  await second.open('/pages/files');
  await expectRecordings(second);
  expect(unexpectedScreens()).toEqual([]);
});

test('a tab opened after the first crashed shows the recordings without a prompt', async () => {
  const first = await openOnlyTab();
  const devtools = await context.newCDPSession(first.page);
  const crashed = first.page.waitForEvent('crash');
  // The command never gets a response, because the page crashes.
  devtools.send('Page.crash').catch(() => null);
  await crashed;
  const second = await openTab();
  await second.open('/pages/files');
  await expectRecordings(second);
  expect(unexpectedScreens()).toEqual([]);
});

test('quick reloads show no prompt and no error', async () => {
  const app = await openOnlyTab();
  // Leave the page early and late in its loading, and after it has rendered. The first two use goto() with the same
  // URL, because reload() fails on a page that is still loading.
  for (const waitUntil of ['commit', 'domcontentloaded'] as const) {
    for (let n = 0; n < RELOADS; n++) await app.page.goto(app.page.url(), { waitUntil });
  }
  for (let n = 0; n < RELOADS; n++) {
    await app.page.reload();
    await expect(app.row(id)).toBeVisible();
  }
  await expectRecordings(app);
  expect(unexpectedScreens()).toEqual([]);
});

/** Tests several tabs: one owns the database; the others wait, take over, or continue once it closes. */
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { openProfile } from '../support/open-profile.ts';
import { PageErrors } from '../support/page-errors.ts';

/** Number of consecutive reloads at each stage before the page has rendered, far more than in normal use. */
const EARLY_RELOADS = 12;
/** Number of consecutive reloads of the rendered page. */
const LATE_RELOADS = 5;

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
  // Without a trial, nothing is uploaded, so the recording stays on the phone.
  environment = await EmptyRecorderStack.start({ speed: 20, env: { TRIAL_DAYS: '0' } });
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
  await expect(app.rows('local')).toBeVisible({ timeout: 120_000 });
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
  await expect(app.row(id)).toHaveAttribute('data-state', 'local');
  expect((await app.readStoredFile(id, 'wav')).length).toBeGreaterThan(44);
  await expect(app.recordButton('idle')).toBeVisible();
}

const takeOverButton = (page: Page) => page.getByTestId('take-over');

test('tabs take over from each other, and continue automatically after another closes or crashes', async () => {
  const first = await openOnlyTab();
  const second = await openTab();
  await test.step('a second tab offers to take over, and then the first tab does too', async () => {
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

  const third = await openTab();
  await test.step('a waiting tab continues automatically after the other closes', async () => {
    await first.page.close();
    await third.open('/pages/files');
    await expect(takeOverButton(third.page)).toBeVisible();
    await second.page.close();
    await expectRecordings(third);
    await expect(takeOverButton(third.page)).toHaveCount(0);
  });

  const fourth = await openTab();
  await test.step('a tab opened after the other was closed shows the recordings without a prompt', async () => {
    await third.page.close();
    await fourth.open('/pages/files');
    await expectRecordings(fourth);
    expect(unexpectedScreens()).toEqual([]);
  });

  await test.step('a tab opened after the other crashed shows the recordings without a prompt', async () => {
    const devtools = await context.newCDPSession(fourth.page);
    const crashed = fourth.page.waitForEvent('crash');
    // The command never gets a response, because the page crashes.
    devtools.send('Page.crash').catch(() => null);
    await crashed;
    const fifth = await openTab();
    await fifth.open('/pages/files');
    await expectRecordings(fifth);
    expect(unexpectedScreens()).toEqual([]);
  });
});

test('quick reloads show no prompt and no error', async () => {
  const app = await openOnlyTab();
  // Leave the page early and late in its loading, and after it has rendered. The first two use goto() with the same
  // URL, because reload() fails on a page that is still loading.
  for (const waitUntil of ['commit', 'domcontentloaded'] as const) {
    for (let n = 0; n < EARLY_RELOADS; n++) await app.page.goto(app.page.url(), { waitUntil });
  }
  for (let n = 0; n < LATE_RELOADS; n++) {
    await app.page.reload();
    await expect(app.row(id)).toBeVisible();
  }
  await expectRecordings(app);
  expect(unexpectedScreens()).toEqual([]);
});

/** Tests saved filters of the list, on a phone and on a second client with a wide screen. */
import { type BrowserContext, expect, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import { ScriptedSpeechStack } from '../support/scripted-speech-stack.ts';
import { ServerAccount } from '../support/server-account.ts';

const owner = 'filters@example.org';
const daysAgo = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString();
const talks = [
  { title: 'Choir', at: daysAgo(1), line: 'The choir meets on Thursday.', speaker: 'Anna' },
  { title: 'Garden', at: daysAgo(12), line: 'Plant the beans in May.', speaker: 'Ben' },
  { title: 'Budget', at: daysAgo(60), line: 'The hall costs two hundred.', speaker: 'Anna' },
];

let environment: ScriptedSpeechStack;
let phone: LinnetApp;
let desktop: LinnetApp;
const contexts: BrowserContext[] = [];
const pageErrors = new PageErrors();

test.use({ serviceWorkers: 'allow' });
test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  environment = await ScriptedSpeechStack.start();
  const account = await ServerAccount.register(environment.stack, owner);
  for (const { title, at, line, speaker } of talks) {
    const talk = { title, language: 'en', lines: [line], recordedAt: at } as const;
    const { id } = await environment.transcribe(account, talk);
    await account.nameSpeaker(id, '1', speaker);
  }
  const narrow = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
  for (const options of [narrow, { viewport: { width: 1280, height: 800 } }]) {
    const context = await browser.newContext({ ...options, locale: 'en-GB' });
    pageErrors.listenTo(context);
    contexts.push(context);
  }
  const [first, second] = contexts as [BrowserContext, BrowserContext];
  phone = new LinnetApp(await first.newPage(), environment.stack);
  desktop = new LinnetApp(await second.newPage(), environment.stack);
  for (const app of [phone, desktop]) {
    await app.open('/pages/index');
    await app.signIn(owner);
    await expect(names(app)).toHaveCount(talks.length);
  }
});
test.afterAll(async () => {
  for (const context of contexts) await context.close();
  await environment?.stop();
});
test.afterEach(() => {
  expect(pageErrors.takeUnexpected()).toEqual([]);
});

const names = (app: LinnetApp) => app.page.locator('.row-name');
const saved = (app: LinnetApp) => app.page.getByTestId('saved-filter');
const savedAs = (app: LinnetApp, name: string) =>
  app.page.getByRole('button', { name, exact: true });

async function chooseFilter(app: LinnetApp, part: string, label: string): Promise<void> {
  await app.page.getByTestId(`filter-${part}`).click();
  await app.page.getByRole('menuitemcheckbox', { name: label, exact: true }).click();
}

/** Opens the menu of the active filter, and chooses an item. */
async function chooseFromFilterMenu(app: LinnetApp, name: string, label: string): Promise<void> {
  await savedAs(app, name).click();
  await app.page.getByRole('menuitem', { name: label, exact: true }).click();
}

async function saveAs(app: LinnetApp, name: string): Promise<void> {
  await app.page.getByTestId('filter-save').click();
  await app.page.getByTestId('filter-name').fill(name);
  await app.page.getByTestId('save-filter').click();
  await expect(savedAs(app, name)).toHaveAttribute('aria-pressed', 'true');
}

async function refresh(app: LinnetApp): Promise<void> {
  await app.page.getByTestId('files-menu').click();
  await app.page.getByRole('menuitem', { name: 'Refresh' }).click();
  await app.expectToast('Everything is up to date');
}

test('saves the filters under a name, and shows them with one tap on both clients', async () => {
  const { page } = phone;
  await expect(page.getByTestId('filter-save')).toHaveCount(0);
  await chooseFilter(phone, 'speaker', 'Anna');
  await expect(names(phone)).toHaveText(['Choir', 'Budget']);
  await page.getByTestId('filter-save').click();
  await expect(page.getByTestId('save-filter')).toBeDisabled();
  await expectNoViolations(page);
  await page.getByTestId('filter-name').fill('With Anna');
  await page.keyboard.press('Enter');
  await expect(saved(phone)).toHaveText(['With Anna']);
  await expect(saved(phone)).toBeFocused();
  await expect(page.getByTestId('filter-save')).toHaveCount(0);
  await expectNoViolations(page);

  await page.getByTestId('filter-clear').click();
  await expect(names(phone)).toHaveCount(talks.length);
  await expect(saved(phone)).toHaveAttribute('aria-pressed', 'false');
  await saved(phone).tap();
  await expect(names(phone)).toHaveText(['Choir', 'Budget']);
  await chooseFromFilterMenu(phone, 'With Anna', 'Clear filter');
  await expect(names(phone)).toHaveCount(talks.length);

  await refresh(phone);
  await refresh(desktop);
  await saved(desktop).click();
  await expect(names(desktop)).toHaveText(['Choir', 'Budget']);
});

test('changes the name and the filters of a saved filter', async () => {
  const { page } = desktop;
  await chooseFromFilterMenu(desktop, 'With Anna', 'Edit filter');
  const sheet = page.getByRole('dialog');
  await expect(sheet.getByTestId('files-total')).toContainText('2 of 3 recordings');
  // A menu and a dialog open above the sheet.
  await sheet.getByTestId('filter-time').click();
  await page.getByRole('menuitemcheckbox', { name: 'Past month', exact: true }).click();
  await expect(sheet.getByTestId('files-total')).toContainText('1 of 3 recordings');
  await sheet.getByTestId('filter-time').click();
  await page.getByRole('menuitemcheckbox', { name: 'Choose dates', exact: true }).click();
  await page.getByTestId('first-day').fill(daysAgo(70).slice(0, 10));
  await page.getByTestId('last-day').fill(daysAgo(50).slice(0, 10));
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await sheet.getByTestId('filter-name').fill('Autumn');
  await expectNoViolations(page);
  await sheet.getByTestId('save-filter').click();
  await expect(sheet).toHaveCount(0);
  await expect(saved(desktop)).toHaveText(['Autumn']);
  await expect(names(desktop)).toHaveText(['Budget']);
  await refresh(desktop);
  await refresh(phone);
  await expect(saved(phone)).toHaveText(['Autumn']);
});

test('orders and deletes filters, and keeps them while offline', async () => {
  const { page } = phone;
  pageErrors.allow(/ERR_INTERNET_DISCONNECTED/);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await contexts[0]?.setOffline(true);
  await chooseFilter(phone, 'time', 'Past week');
  await saveAs(phone, 'This week');
  await expect(names(phone)).toHaveText(['Choir']);
  await expect(saved(phone)).toHaveText(['Autumn', 'This week']);
  await savedAs(phone, 'This week').press('Enter');
  await page.keyboard.press('Home');
  await page.getByRole('menuitem', { name: 'Move earlier', exact: true }).press('Enter');
  await expect(saved(phone)).toHaveText(['This week', 'Autumn']);
  await expect(savedAs(phone, 'This week')).toBeFocused();
  await savedAs(phone, 'Autumn').tap();
  await phone.performAndUndo(
    async () => {
      await chooseFromFilterMenu(phone, 'Autumn', 'Delete filter');
      await expect(saved(phone)).toHaveText(['This week']);
      await expect(names(phone)).toHaveCount(talks.length);
    },
    { by: 'finger' },
  );
  await expect(saved(phone)).toHaveText(['This week', 'Autumn']);
  await page.reload();
  await expect(saved(phone)).toHaveText(['This week', 'Autumn']);
  await contexts[0]?.setOffline(false);
  await refresh(phone);
  await refresh(desktop);
  await expect(saved(desktop)).toHaveText(['This week', 'Autumn']);
});

test('aligns the row of filters with the edge of the page in Arabic', async () => {
  const { page } = phone;
  await page.evaluate(() => localStorage.setItem('language', 'ar'));
  await page.reload();
  await savedAs(phone, 'Autumn').tap();
  await expect(names(phone)).toHaveText(['Budget']);
  await expectNoViolations(page);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
});

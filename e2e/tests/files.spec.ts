/** Tests the list of recordings and the recycle bin, on a phone and on a second client with a wide screen. */
import { type BrowserContext, expect, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { Finger } from '../support/finger.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import { ScriptedSpeechStack } from '../support/scripted-speech-stack.ts';
import { ServerAccount } from '../support/server-account.ts';

const owner = 'lister@example.org';
const daysAgo = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString();
const talks = [
  { title: 'Choir', at: daysAgo(1), line: 'The choir meets on Thursday.' },
  { title: 'Garden', at: daysAgo(12), line: 'Plant the beans in May.' },
  { title: 'Budget', at: daysAgo(60), line: 'The hall costs two hundred.' },
  { title: 'Archive', at: daysAgo(150), line: 'The old letters are in the attic.' },
];

let environment: ScriptedSpeechStack;
let phone: LinnetApp;
let desktop: LinnetApp;
const contexts: BrowserContext[] = [];
const pageErrors = new PageErrors();
const ids: Record<string, string> = {};

test.use({ serviceWorkers: 'allow' });
test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  environment = await ScriptedSpeechStack.start();
  const account = await ServerAccount.register(environment.stack, owner);
  for (const { title, at, line } of talks) {
    const talk = { title, language: 'en', lines: [line], recordedAt: at } as const;
    ids[title] = (await environment.transcribe(account, talk)).id;
  }
  const narrow = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
  // Only the phone goes offline.
  const wide = { viewport: { width: 1280, height: 800 }, serviceWorkers: 'block' } as const;
  for (const options of [narrow, wide]) {
    const context = await browser.newContext({ ...options, locale: 'en-GB' });
    pageErrors.listenTo(context);
    contexts.push(context);
  }
  const [first, second] = contexts as [BrowserContext, BrowserContext];
  phone = new LinnetApp(await first.newPage(), environment.stack, { guide: 'show' });
  desktop = new LinnetApp(await second.newPage(), environment.stack, { guide: 'show' });
});
test.afterAll(async () => {
  for (const context of contexts) await context.close();
  await environment?.stop();
});
test.afterEach(() => {
  expect(pageErrors.takeUnexpected()).toEqual([]);
});

const names = (app: LinnetApp) => app.page.locator('.row-name');
const getRow = (app: LinnetApp, title: string) => app.row(ids[title] as string);
const getTotal = (app: LinnetApp) => app.page.getByTestId('files-total');
const toast = (app: LinnetApp) => app.page.getByTestId('toast');

async function chooseFilter(app: LinnetApp, part: string, label: string): Promise<void> {
  await app.page.getByTestId(`filter-${part}`).click();
  await app.page.getByRole('menuitemcheckbox', { name: label, exact: true }).click();
}

/** Starts a sync from the menu, and waits until it has finished. */
async function refresh(app: LinnetApp): Promise<void> {
  await app.page.getByTestId('files-menu').click();
  await app.page.getByRole('menuitem', { name: 'Refresh' }).click();
  await app.expectToast('Everything is up to date');
}

async function chooseFromRowMenu(app: LinnetApp, title: string, label: string): Promise<void> {
  await getRow(app, title).locator('.row-menu').click();
  await app.page.getByRole('menuitem', { name: label, exact: true }).click();
}

test('shows the guide once per account, not once per phone', async () => {
  await phone.open('/pages/index');
  await phone.signIn(owner);
  await expect(phone.page.getByTestId('guide')).toBeVisible();
  await expect(phone.page.getByTestId('guide-done')).toBeFocused();
  await phone.page.keyboard.press('Enter');
  await expect(phone.page.getByTestId('guide')).toHaveCount(0);
  await expect(names(phone)).toHaveText(talks.map(({ title }) => title));
  await expect(phone.rows('done')).toHaveCount(4);
  // The waveforms come from the server, because this phone has no audio.
  await expect(phone.rows().locator('.trace')).toHaveCount(4);
  await expect(phone.rows().locator('.trace[data-empty]')).toHaveCount(0);
  // The sync also sends the server that the guide was seen.
  await refresh(phone);
  for (const app of [phone, desktop]) {
    await app.open('/pages/index');
    if (app === desktop) await app.signIn(owner);
    await expect(names(app)).toHaveCount(4);
    await refresh(app);
    await expect(app.page.getByTestId('guide')).toHaveCount(0);
  }
  await expectNoViolations(desktop.page);
});

test('filters the list, saves the filter, and clears it with one tap', async () => {
  const { page } = phone;
  await chooseFilter(phone, 'time', 'Past week');
  await expect(names(phone)).toHaveText(['Choir']);
  await expect(getTotal(phone)).toContainText('1 of 4 recordings');
  // The list changes before the filter is saved, so wait for a sync before the reload.
  await refresh(phone);
  await page.reload();
  await expect(names(phone)).toHaveText(['Choir']);
  await chooseFilter(phone, 'time', 'Past month');
  await expect(names(phone)).toHaveText(['Choir', 'Garden']);
  await chooseFilter(phone, 'time', 'Past three months');
  await expect(names(phone)).toHaveText(['Choir', 'Garden', 'Budget']);
  await phone.openRecording(ids.Garden as string);
  await page.getByTestId('back').click();
  await expect(names(phone)).toHaveText(['Choir', 'Garden', 'Budget']);

  await chooseFilter(phone, 'time', 'Choose dates');
  await page.getByTestId('first-day').fill(daysAgo(70).slice(0, 10));
  await page.getByTestId('last-day').fill(daysAgo(80).slice(0, 10));
  await expect(page.getByRole('button', { name: 'Apply', exact: true })).toBeDisabled();
  await page.getByTestId('last-day').fill(daysAgo(10).slice(0, 10));
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(names(phone)).toHaveText(['Garden', 'Budget']);
  await refresh(phone);
  await refresh(desktop);
  await expect(names(desktop)).toHaveText(['Garden', 'Budget']);

  await desktop.page.getByTestId('filter-clear').click();
  await expect(names(desktop)).toHaveCount(4);
  await refresh(desktop);
  await refresh(phone);
  await expect(names(phone)).toHaveCount(4);
  for (const [part, expectedTotal, shown] of [
    ['type', 'Audio files', 4],
    ['transcript', 'Transcribed', 4],
    ['place', 'In the cloud', 4],
    ['type', 'Calls', 0],
  ] as const) {
    await chooseFilter(phone, part, expectedTotal);
    await expect(names(phone)).toHaveCount(shown);
  }
  await expect(page.getByText('No matching recordings')).toBeVisible();
  await page.getByRole('button', { name: 'Show all recordings' }).click();
  await expect(names(phone)).toHaveCount(4);
  await expect(page.getByTestId('filter-clear')).toHaveCount(0);
});

test('sorts the list by last change', async () => {
  await chooseFromRowMenu(phone, 'Archive', 'Rename');
  await phone.page.getByRole('textbox').fill('Letters');
  await phone.page.keyboard.press('Enter');
  await expect(names(phone)).toHaveText(['Choir', 'Garden', 'Budget', 'Letters']);
  await chooseFilter(phone, 'sort', 'Recently edited');
  await expect(names(phone).first()).toHaveText('Letters');
  await chooseFilter(phone, 'sort', 'Newest first');
  await expect(names(phone).last()).toHaveText('Letters');
});

test('adds and removes tags of one or several recordings, on both clients', async () => {
  const { page } = phone;
  await chooseFromRowMenu(phone, 'Choir', 'Tags');
  await page.getByTestId('new-tag').fill('music');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('tag')).toHaveAttribute('aria-pressed', 'true');
  await page.getByTestId('tags-done').click();
  await expect(getRow(phone, 'Choir')).toContainText('music');
  await refresh(phone);

  await refresh(desktop);
  await expect(getRow(desktop, 'Choir')).toContainText('music');
  for (const title of ['Choir', 'Garden']) {
    await getRow(desktop, title)
      .locator('.row-link')
      .click({ modifiers: ['Control'] });
  }
  await expect(desktop.page.getByTestId('selection-head')).toContainText('2 selected');
  await desktop.page.getByTestId('selection-tag').click();
  await expect(desktop.page.getByTestId('tag')).toHaveAttribute('aria-pressed', 'mixed');
  await desktop.page.getByTestId('tag').click();
  await desktop.page.getByTestId('new-tag').fill('spring');
  await desktop.page.getByTestId('add-tag').click();
  await expect(desktop.page.getByTestId('tag')).toHaveCount(2);
  // Done adds the typed tag, unless the text was only used to find an existing tag.
  await desktop.page.getByTestId('new-tag').fill('mus');
  const music = desktop.page.getByTestId('tag').filter({ hasText: 'music' });
  await music.click();
  await expect(music).toHaveAttribute('aria-pressed', 'false');
  await music.click();
  await expect(music).toHaveAttribute('aria-pressed', 'true');
  await desktop.page.getByTestId('new-tag').fill('evening');
  await desktop.page.getByTestId('tags-done').click();
  await desktop.page.keyboard.press('Escape');
  await expect(getRow(desktop, 'Garden')).toContainText('spring');
  await expect(getRow(desktop, 'Garden')).toContainText('evening');
  await expect(desktop.page.getByText('mus', { exact: true })).toHaveCount(0);
  await chooseFilter(desktop, 'tag', 'music');
  await expect(names(desktop)).toHaveText(['Choir', 'Garden']);
  await desktop.page.getByTestId('filter-clear').click();
  await refresh(desktop);

  await refresh(phone);
  await expect(getRow(phone, 'Garden')).toContainText('music');
  await chooseFromRowMenu(phone, 'Garden', 'Tags');
  await page.getByTestId('tag').filter({ hasText: 'music' }).click();
  await page.getByTestId('tags-done').click();
  await expect(getRow(phone, 'Garden')).not.toContainText('music');
  await page.reload();
  await expect(getRow(phone, 'Garden')).toContainText('spring');
  await expect(getRow(phone, 'Garden')).not.toContainText('music');
});

test('corrects the date of a recording, on both clients', async () => {
  const { page } = desktop;
  const date = page.locator('.detail-meta time');
  const openDialog = async () => {
    await page.getByTestId('change-date').click();
    return page.getByLabel('Date and time');
  };
  const save = () => page.getByRole('button', { name: 'Save' }).click();
  await getRow(desktop, 'Garden').locator('.row-link').click();
  await page.getByTestId('tab-audio').click();
  const original = await (await openDialog()).inputValue();
  await expectNoViolations(page);
  await page.getByLabel('Date and time').fill('2019-05-04T09:30');
  await desktop.performAndUndo(async () => {
    await save();
    await expect(date).toContainText('2019');
  });
  await expect(date).not.toContainText('2019');
  await (await openDialog()).fill('2019-05-04T09:30');
  await save();
  await expect(date).toContainText('2019');
  await page.goBack();
  await refresh(desktop);
  await refresh(phone);
  await expect(getRow(phone, 'Garden')).toContainText('4 May, 9:30');

  await getRow(desktop, 'Garden').locator('.row-link').click();
  await page.getByTestId('tab-audio').click();
  await (await openDialog()).fill(original);
  await save();
  await expect(date).not.toContainText('2019');
  await page.goBack();
  await refresh(desktop);
  await refresh(phone);
  await expect(getRow(phone, 'Garden')).not.toContainText('4 May, 9:30');
});

test('selects rows with a long press, and restores deleted recordings', async () => {
  const { page } = phone;
  const finger = await Finger.create(page);
  const head = page.getByTestId('selection-head');
  await finger.hold(getRow(phone, 'Garden').locator('.row-name'), () =>
    expect(head).toContainText('1 selected'),
  );
  await expect(page).toHaveURL(/pages\/files/);
  await expect(page.getByTestId('tab-files')).toBeHidden();
  await getRow(phone, 'Budget').getByRole('checkbox').tap();
  await expect(head).toContainText('2 selected');
  await phone.performAndUndo(
    async () => {
      await page.getByTestId('selection-bin').tap();
      await phone.expectToast('2 recordings moved to the recycle bin');
      await expect(names(phone)).toHaveText(['Choir', 'Letters']);
    },
    { by: 'finger' },
  );
  await expect(names(phone)).toHaveCount(4);
});

test('offers to delete a row that is swiped, in the opposite direction in Arabic', async () => {
  const { page } = phone;
  const finger = await Finger.create(page);
  const swipe = async (by: number) => {
    const box = await getRow(phone, 'Budget').boundingBox();
    if (!box) throw new Error('no row');
    await finger.drag({ x: 195, y: box.y + box.height / 2 }, { x: by, y: 0 });
  };
  const drawer = page.locator('.swipe', { has: getRow(phone, 'Budget') });
  const getOffset = () => drawer.evaluate((element) => Math.abs(element.scrollLeft));
  await swipe(-180);
  await expect.poll(getOffset).toBeGreaterThan(100);
  // Retry, because a tap has no effect while the row is still moving.
  await expect(async () => {
    await getTotal(phone).tap();
    await expect.poll(getOffset, { timeout: 2000 }).toBe(0);
  }).toPass();
  await swipe(-180);
  await expect.poll(getOffset).toBeGreaterThan(100);
  await phone.performAndUndo(
    async () => {
      await drawer.getByText('Move to recycle bin').tap();
      await expect(names(phone)).toHaveText(['Choir', 'Garden', 'Letters']);
    },
    { by: 'finger' },
  );
  await expect(names(phone)).toHaveCount(4);

  const chooseLanguage = async (language: string) => {
    await phone.show('/pages/language');
    const choice = page.getByTestId(`language-${language}`);
    await page.locator('label', { has: choice }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await phone.show('/pages/files');
    await expect(names(phone)).toHaveCount(4);
  };
  await chooseLanguage('ar');
  await swipe(180);
  await expect.poll(getOffset).toBeGreaterThan(100);
  await phone.performAndUndo(
    async () => {
      await drawer.getByText('نقل إلى سلة المحذوفات').tap();
      await expect(getTotal(phone)).toContainText('3 تسجيلات');
    },
    { by: 'finger', name: 'تراجع' },
  );
  await expect(names(phone)).toHaveCount(4);
  await chooseLanguage('en');
});

test('syncs when the list is pulled down, and reports an unreachable server', async () => {
  const { page } = phone;
  const finger = await Finger.create(page);
  await expect(names(phone)).toHaveCount(4);
  await finger.drag({ x: 195, y: 300 }, { x: 0, y: 240 });
  await phone.expectToast('Everything is up to date');
  await expect(toast(phone)).toHaveCount(0);
  pageErrors.allow(/ERR_INTERNET_DISCONNECTED/);
  await page.context().setOffline(true);
  await finger.drag({ x: 195, y: 300 }, { x: 0, y: 240 });
  await phone.expectToast('', 'error');
  await expect(names(phone)).toHaveCount(4);
});

test('edits the recycle bin offline, and syncs it once online', async () => {
  const { page } = phone;
  pageErrors.allow(/ERR_INTERNET_DISCONNECTED/);
  for (const title of ['Choir', 'Garden', 'Budget'])
    await chooseFromRowMenu(phone, title, 'Move to recycle bin');
  await expect(names(phone)).toHaveText(['Letters']);
  await page.getByTestId('files-menu').click();
  await page.getByRole('menuitem', { name: 'Recycle bin' }).click();
  await page.waitForURL('**/pages/recycleBin');
  await expect(names(phone)).toHaveCount(3);
  await getRow(phone, 'Choir').getByTestId('recover').click();
  await expect(names(phone)).toHaveCount(2);
  await getRow(phone, 'Budget').getByTestId('delete').click();
  await expect(page.getByRole('alertdialog')).toContainText('Delete 1 recording permanently?');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(names(phone)).toHaveCount(2);
  await getRow(phone, 'Budget').getByTestId('delete').click();
  await page.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(names(phone)).toHaveText(['Garden']);
  await page.context().setOffline(false);
  await page.getByTestId('back').click();
  await refresh(phone);

  await refresh(desktop);
  await expect(names(desktop)).toHaveText(['Choir', 'Letters']);
  await desktop.show('/pages/me');
  await desktop.page.getByTestId('to-bin').click();
  await expect(names(desktop)).toHaveText(['Garden']);
  await expectNoViolations(desktop.page);
  await desktop.page.getByTestId('bin-empty').click();
  await expect(desktop.page.getByRole('alertdialog')).toContainText(
    'Delete 1 recording permanently?',
  );
  await desktop.page.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(desktop.page.getByText('The recycle bin is empty')).toBeVisible();
  await expectNoViolations(desktop.page);
  await desktop.show('/pages/files');
  await refresh(desktop);

  await refresh(phone);
  await phone.show('/pages/recycleBin');
  await expect(page.getByText('The recycle bin is empty')).toBeVisible();
  const remaining = await phone.callApi<{ list: { name: string }[] }>('/task/index', {
    limit: 100,
    page: 1,
  });
  expect(remaining.list.map(({ name }) => name).sort()).toEqual(['Choir', 'Letters']);
});

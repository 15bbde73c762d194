/** Tests transcript search: on the phone, offline, in scripts without spaces, and on the server. */
import { expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import {
  ScriptedSpeechStack,
  type Talk,
  type TranscribedTalk,
} from '../support/scripted-speech-stack.ts';
import { ServerAccount } from '../support/server-account.ts';

const owner = 'finder@example.org';
const talks = {
  keys: {
    title: 'Keys and orchids',
    language: 'en',
    lines: ['Please water the orchids tomorrow.', 'Who has the résumé of Miriam?'],
    pause: 2.5,
  },
  meeting: { title: '周会', language: 'zh-Hans', lines: ['我们明天开会。', '谁有会议室的钥匙？'] },
  school: { title: 'اجتماع', language: 'ar', lines: ['هذا كِتَابٌ من المدرسة.'] },
  rehearsal: { title: 'ซ้อม', language: 'th', lines: ['ประชุมพรุ่งนี้ตอนเช้า'] },
} as const satisfies Record<string, Talk>;
type TalkName = keyof typeof talks;
/** The calls that sync recordings to a phone. */
const syncCalls = /\/api\/(sync\/changes|task\/index)$/;

let environment: ScriptedSpeechStack;
let transcribed: Record<TalkName, TranscribedTalk>;
let page: Page;
let app: LinnetApp;
const pageErrors = new PageErrors();

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  environment = await ScriptedSpeechStack.start();
  const account = await ServerAccount.register(environment.stack, owner);
  const transcribedTalks: Partial<Record<TalkName, TranscribedTalk>> = {};
  for (const [name, talk] of Object.entries(talks)) {
    transcribedTalks[name as TalkName] = await environment.transcribe(account, talk);
  }
  transcribed = transcribedTalks as Record<TalkName, TranscribedTalk>;
  const context = await browser.newContext();
  pageErrors.listenTo(context);
  page = await context.newPage();
  app = new LinnetApp(page, environment.stack);
});
test.afterEach(() => expect(pageErrors.takeUnexpected()).toEqual([]));
test.afterAll(async () => {
  await page?.context().close();
  await environment?.stop();
});

/** Makes the phone poll the server immediately, as it does after a network event. */
const pollNow = () => page.evaluate(() => window.dispatchEvent(new Event('online')));
const input = (onPage = page) => onPage.getByTestId('search-input');
const result = (name: TalkName, onPage = page) =>
  onPage.locator(`[data-testid="found"][data-record-id="${transcribed[name].id}"]`);
const allResults = () => page.getByTestId('found');
const getMarkedTexts = (name: TalkName) => result(name).locator('mark').allTextContents();

test('appends results from the server, and merges them once their recordings are on the phone', async () => {
  pageErrors.allow(/ERR_FAILED/);
  await page.route(syncCalls, (route) => route.abort());
  await app.open('/pages/index');
  await app.signIn(owner);
  await app.show('/pages/search?q=orchids');
  const serverResults = page.getByRole('region', { name: 'On the server' });
  await expect(serverResults.getByTestId('found')).toHaveCount(1);
  await expect(serverResults.getByRole('link')).toHaveCount(0);
  await page.unroute(syncCalls);
  await pollNow();
  await expect(serverResults).toHaveCount(0, { timeout: 30_000 });
  await expect(allResults()).toHaveCount(1);
  await expect(result('keys').getByRole('link').first()).toBeVisible();
});

test('finds words of any script while the user types', async () => {
  await app.show('/pages/search');
  await expect(input()).toBeFocused();
  await expectNoViolations(page);
  for (const [typed, name, marked] of [
    ['会议', 'meeting', '会议'],
    ['ชุ', 'rehearsal', 'ชุ'],
    ['كتاب', 'school', 'كِتَابٌ'],
    ['مدرسه', 'school', 'مدرسة'],
    ['RESUME', 'keys', 'résumé'],
  ] as const) {
    await input().fill(typed);
    await expect(allResults()).toHaveCount(1);
    await expect(result(name)).toBeVisible();
    await expect.poll(() => getMarkedTexts(name)).toContain(marked);
    await expect(page.getByTestId('found-words')).toHaveText('1 recording found.');
  }
});

test('opens a match and returns to it', async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await app.show('/pages/search');
  await input().fill('RESUME');
  const match = result('keys').locator('.found-match[href*="paragraph="]');
  await expect(match).toContainText('0:0');
  await expectNoViolations(page);
  await match.click();
  await page.waitForURL(`**/pages/fileDetail?id=${transcribed.keys.id}&paragraph=*`);
  await page.goBack();
  await expect(input()).toHaveValue('RESUME');
  await expect(match).toBeFocused();

  await input().fill('nobody said this');
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible();
  await expectNoViolations(page);
  await page.setViewportSize({ width: 390, height: 844 });
});

test('updates the results after changes on another phone, and excludes the recycle bin', async () => {
  await app.show('/pages/search?q=orchids');
  await expect(result('keys')).toContainText('Keys and orchids');
  const id = transcribed.keys.serverId;
  const callFromOtherPhone = async (call: string, body: unknown) => {
    await app.callApi(call, body);
    await pollNow();
  };
  await callFromOtherPhone('/radio/rename', { id, name: 'Orchids, renamed' });
  await expect(result('keys')).toContainText('Orchids, renamed');
  await callFromOtherPhone('/radio/delete', { id });
  await expect(allResults()).toHaveCount(0);
  await callFromOtherPhone('/radio/recover', { ids: [id] });
  await expect(result('keys')).toBeVisible();
});

test('saves searches with an opened result on all phones until they are cleared', async ({
  browser,
}) => {
  await app.show('/pages/search');
  await input().fill('钥匙');
  await result('meeting').locator('.found-name').click();
  await page.waitForURL('**/pages/fileDetail*');
  const context = await browser.newContext();
  pageErrors.listenTo(context);
  try {
    const otherPhone = new LinnetApp(await context.newPage(), environment.stack);
    await otherPhone.open('/pages/index');
    await otherPhone.signIn(owner);
    await expect(otherPhone.rows('done')).toHaveCount(Object.keys(talks).length);
    await otherPhone.show('/pages/search');
    const recentSearches = otherPhone.page.getByTestId('recent-search');
    const saved = recentSearches.filter({ hasText: '钥匙' });
    await expect(saved).toBeVisible({ timeout: 30_000 });
    await saved.getByRole('button').first().click();
    await expect(result('meeting', otherPhone.page)).toBeVisible();
    await input(otherPhone.page).fill('');
    await otherPhone.performAndUndo(async () => {
      await otherPhone.page.getByRole('button', { name: 'Clear all' }).click();
      await expect(recentSearches).toHaveCount(0);
    });
    await expect(saved).toBeVisible();
    await otherPhone.page.getByRole('button', { name: 'Clear all' }).click();
    await expect(recentSearches).toHaveCount(0);
    await app.show('/pages/search');
    const none = page.getByRole('heading', { name: 'Find what was said' });
    await expect(async () => {
      await pollNow();
      await expect(none).toBeVisible({ timeout: 2000 });
    }).toPass({ timeout: 60_000 });
  } finally {
    await context.close();
  }
});

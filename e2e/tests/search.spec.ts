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
const pageErrors = new PageErrors();

test.beforeAll(async () => {
  environment = await ScriptedSpeechStack.start();
  const account = await ServerAccount.register(environment.stack, owner);
  const transcribedTalks: Partial<Record<TalkName, TranscribedTalk>> = {};
  for (const [name, talk] of Object.entries(talks)) {
    transcribedTalks[name as TalkName] = await environment.transcribe(account, talk);
  }
  transcribed = transcribedTalks as Record<TalkName, TranscribedTalk>;
});
test.beforeEach(({ context }) => pageErrors.listenTo(context));
test.afterEach(() => expect(pageErrors.takeUnexpected()).toEqual([]));
test.afterAll(() => environment?.stop());

async function signIn(page: Page): Promise<LinnetApp> {
  const app = new LinnetApp(page, environment.stack);
  await app.open('/pages/index');
  await app.signIn(owner);
  await expect(app.rows('done')).toHaveCount(Object.keys(talks).length);
  return app;
}

const input = (page: Page) => page.getByTestId('search-input');
const result = (page: Page, name: TalkName) =>
  page.locator(`[data-testid="found"][data-record-id="${transcribed[name].id}"]`);
const allResults = (page: Page) => page.getByTestId('found');
const getMarkedTexts = (page: Page, name: TalkName) =>
  result(page, name).locator('mark').allTextContents();

for (const size of [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
]) {
  test(`finds words of any script while the user types, ${size.width} wide`, async ({ page }) => {
    await page.setViewportSize(size);
    const app = await signIn(page);
    await app.open('/pages/search');
    await expect(input(page)).toBeFocused();
    await expectNoViolations(page);
    for (const [typed, name, marked] of [
      ['会议', 'meeting', '会议'],
      ['ชุ', 'rehearsal', 'ชุ'],
      ['كتاب', 'school', 'كِتَابٌ'],
      ['مدرسه', 'school', 'مدرسة'],
      ['RESUME', 'keys', 'résumé'],
    ] as const) {
      await input(page).fill(typed);
      await expect(allResults(page)).toHaveCount(1);
      await expect(result(page, name)).toBeVisible();
      await expect.poll(() => getMarkedTexts(page, name)).toContain(marked);
      await expect(page.getByTestId('found-words')).toHaveText('1 recording found.');
    }
    await expectNoViolations(page);

    const match = result(page, 'keys').locator('.found-match[href*="paragraph="]');
    await expect(match).toContainText('0:0');
    await match.click();
    await page.waitForURL(`**/pages/fileDetail?id=${transcribed.keys.id}&paragraph=*`);
    await page.goBack();
    await expect(input(page)).toHaveValue('RESUME');
    await expect(match).toBeFocused();

    await input(page).fill('nobody said this');
    await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible();
    await expectNoViolations(page);
  });
}

test('saves searches with an opened result on all phones until they are cleared', async ({
  browser,
  page,
}) => {
  const app = await signIn(page);
  await app.open('/pages/search');
  await input(page).fill('钥匙');
  await result(page, 'meeting').locator('.found-name').click();
  await page.waitForURL('**/pages/fileDetail*');
  const context = await browser.newContext();
  try {
    const otherPhone = await signIn(await context.newPage());
    await otherPhone.open('/pages/search');
    const recentSearches = otherPhone.page.getByTestId('recent-search');
    await expect(recentSearches.filter({ hasText: '钥匙' })).toBeVisible({ timeout: 30_000 });
    await expectNoViolations(otherPhone.page);
    await recentSearches.filter({ hasText: '钥匙' }).getByRole('button').first().click();
    await expect(result(otherPhone.page, 'meeting')).toBeVisible();
    await input(otherPhone.page).fill('');
    await otherPhone.performAndUndo(async () => {
      await otherPhone.page.getByRole('button', { name: 'Clear all' }).click();
      await expect(recentSearches).toHaveCount(0);
    });
    await expect(recentSearches.filter({ hasText: '钥匙' })).toBeVisible();
    await otherPhone.page.getByRole('button', { name: 'Clear all' }).click();
    await expect(recentSearches).toHaveCount(0);
    await app.open('/pages/search');
    const none = page.getByRole('heading', { name: 'Find what was said' });
    await expect(none).toBeVisible({ timeout: 30_000 });
  } finally {
    await context.close();
  }
});

test('appends results from the server, and merges them once their recordings are on the phone', async ({
  page,
}) => {
  pageErrors.allow(/ERR_FAILED/);
  await page.route(syncCalls, (route) => route.abort());
  const app = new LinnetApp(page, environment.stack);
  await app.open('/pages/index');
  await app.signIn(owner);
  await app.open('/pages/search?q=orchids');
  const serverResults = page.getByRole('region', { name: 'On the server' });
  await expect(serverResults.getByTestId('found')).toHaveCount(1);
  await expect(serverResults.getByRole('link')).toHaveCount(0);
  await page.unroute(syncCalls);
  await expect(serverResults).toHaveCount(0, { timeout: 30_000 });
  await expect(allResults(page)).toHaveCount(1);
  await expect(result(page, 'keys').getByRole('link').first()).toBeVisible();
});

test('updates the results after changes on another phone, and excludes the recycle bin', async ({
  page,
}) => {
  const app = await signIn(page);
  await app.open('/pages/search?q=orchids');
  await expect(result(page, 'keys')).toContainText('Keys and orchids');
  const id = transcribed.keys.serverId;
  // Make a change as another phone would. A network event makes this phone poll immediately.
  const callFromOtherPhone = async (call: string, body: unknown) => {
    await app.callApi(call, body);
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
  };
  await callFromOtherPhone('/radio/rename', { id, name: 'Orchids, renamed' });
  await expect(result(page, 'keys')).toContainText('Orchids, renamed');
  await callFromOtherPhone('/radio/delete', { id });
  await expect(allResults(page)).toHaveCount(0);
  await callFromOtherPhone('/radio/recover', { ids: [id] });
  await expect(result(page, 'keys')).toBeVisible();
});

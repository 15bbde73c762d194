/**
 * Each code of the server's catalogue in the words of its language, and with its number in the small print. What
 * provokes them for real is in `bad-input.spec.ts` and beside the pages; here an answer of the real server is
 * rewritten on its way, because most cannot be provoked one after the other from one page. `npm test` sees three
 * languages, `npm run test:pages` all ten.
 */
import { readFile } from 'node:fs/promises';
import { interfaceLanguages } from '@linnet/app/languages';
import en from '@linnet/app/words/en';
import { catalogue } from '@linnet/contract/codes';
import { expect, test } from '@playwright/test';
import { Complaints } from '../support/complaints.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { Stack } from '../support/stack.ts';

const all = process.env.PAGES_LANGUAGES === 'all';
const languages = interfaceLanguages
  .map(({ language }) => language)
  .filter((language) => all || ['en', 'ar', 'ja'].includes(language));

/** What the server would have written, and where that says more than the code, to who reads English. */
const written = 'The server says more in English.';
const saysMore = ['badRequest', 'tooLarge', 'tooManyRequests'];
saysMore.push('languageUnavailable', 'typeNotAccepted');

const complaints = new Complaints();
let stack: Stack;

test.beforeAll(async () => {
  stack = await Stack.start();
});
test.afterAll(() => stack?.stop());
test.afterEach(() => expect(complaints.unexpected()).toEqual([]));

/** The app's words for the codes, by their name. */
async function wordsIn(language: string): Promise<Readonly<Record<string, string>>> {
  if (language === 'en') return en.server;
  const file = import.meta.resolve(`@linnet/app/words/${language}.json`);
  return JSON.parse(await readFile(new URL(file), 'utf8')).server;
}

for (const language of languages) {
  test(`each code of the server is told in words, in ${language}`, async ({ browser }) => {
    const words = await wordsIn(language);
    const context = await browser.newContext({ viewport: { width: 360, height: 640 } });
    complaints.listenTo(context);
    const page = await context.newPage();
    const app = new LinnetApp(page, stack);
    await app.open('/');
    await page.evaluate((chosen) => localStorage.setItem('language', chosen), language);
    await app.open('/pages/kefu');
    await page.getByTestId('content').fill('Where is the button?');

    let code = 0;
    await page.route('**/site/feedback', (route) =>
      route.fulfill({ json: { code, msg: written, data: null } }),
    );
    for (const [name, entry] of Object.entries(catalogue)) {
      if (name === 'ok') continue;
      ({ code } = entry);
      await page.getByTestId('submit').click();
      const notice = page.getByRole('alert');
      // One after the other in one place: the number tells which one is looked at.
      await expect.soft(notice, name).toContainText(String(code));
      const english = language === 'en' && saysMore.includes(name);
      await expect.soft(notice, name).toContainText(english ? written : (words[name] as string));
    }
    await context.close();
  });
}

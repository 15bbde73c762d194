/**
 * Each code of the server's catalog, in the words of each language and with its number in the small print.
 * `bad-input.spec.ts` and the tests of the pages provoke codes for real; here a response of the real server is
 * rewritten in transit, because most cannot be provoked in sequence from one page. `npm test` checks three
 * languages, `npm run test:pages` all ten.
 */
import { readFile } from 'node:fs/promises';
import { interfaceLanguages } from '@linnet/app/languages';
import en from '@linnet/app/words/en';
import { catalog } from '@linnet/contract/codes';
import { expect, test } from '@playwright/test';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import { Stack } from '../support/stack.ts';

const all = process.env.PAGES_LANGUAGES === 'all';
const languages = interfaceLanguages
  .map(({ language }) => language)
  .filter((language) => all || ['en', 'ar', 'ja'].includes(language));

/** Server messages that say more than the code; shown to readers of English. */
const written = 'The server says more in English.';
const saysMore = ['badRequest', 'tooLarge', 'tooManyRequests'];
saysMore.push('languageUnavailable', 'typeNotAccepted');

const pageErrors = new PageErrors();
let stack: Stack;

test.beforeAll(async () => {
  stack = await Stack.start();
});
test.afterAll(() => stack?.stop());
test.afterEach(() => expect(pageErrors.takeUnexpected()).toEqual([]));

/** The app's messages by the name of their code. */
async function wordsIn(language: string): Promise<Readonly<Record<string, string>>> {
  if (language === 'en') return en.server;
  const file = import.meta.resolve(`@linnet/app/words/${language}.json`);
  return JSON.parse(await readFile(new URL(file), 'utf8')).server;
}

for (const language of languages) {
  test(`each code of the server has a message in ${language}`, async ({ browser }) => {
    const words = await wordsIn(language);
    const context = await browser.newContext({ viewport: { width: 360, height: 640 } });
    pageErrors.listenTo(context);
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
    for (const [name, entry] of Object.entries(catalog)) {
      if (name === 'ok') continue;
      ({ code } = entry);
      await page.getByTestId('submit').click();
      const notice = page.getByRole('alert');
      // All appear in the same place: the number identifies the current one.
      await expect.soft(notice, name).toContainText(String(code));
      const english = language === 'en' && saysMore.includes(name);
      await expect.soft(notice, name).toContainText(english ? written : (words[name] as string));
    }
    await context.close();
  });
}

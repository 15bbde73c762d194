/**
 * Checks that each server error code has a message in every language. The responses are mocked, because a single page
 * can't provoke most codes in sequence. `bad-input.spec.ts` and other tests provoke real errors. `npm test` checks
 * three languages, `npm run test:pages` all ten.
 */
import { readFile } from 'node:fs/promises';
import { interfaceLanguages } from '@linnet/app/languages';
import en from '@linnet/app/words/en';
import { catalog } from '@linnet/contract/codes';
import { expect, test } from '@playwright/test';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import { Stack } from '../support/stack.ts';

const { PAGES_LANGUAGES = 'en,ar,ja' } = process.env;
const languages = interfaceLanguages
  .map(({ language }) => language)
  .filter((language) => PAGES_LANGUAGES === 'all' || PAGES_LANGUAGES.split(',').includes(language));

/** The server's own message. The app doesn't show it, because it has messages for all codes. */
const serverMessage = 'The server says more in English.';

const pageErrors = new PageErrors();
let stack: Stack;

test.beforeAll(async () => {
  stack = await Stack.start();
});
test.afterAll(() => stack?.stop());
test.afterEach(() => expect(pageErrors.takeUnexpected()).toEqual([]));

/** Loads the app's messages, keyed by the name of their code. */
async function loadMessages(language: string): Promise<Readonly<Record<string, string>>> {
  if (language === 'en') return en.server;
  const file = import.meta.resolve(`@linnet/app/words/${language}.json`);
  return JSON.parse(await readFile(new URL(file), 'utf8')).server;
}

for (const language of languages) {
  test(`every error code has a message in ${language}`, async ({ browser }) => {
    const messages = await loadMessages(language);
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
      route.fulfill({ json: { code, msg: serverMessage, data: null } }),
    );
    for (const [name, entry] of Object.entries(catalog)) {
      if (name === 'ok') continue;
      ({ code } = entry);
      await page.getByTestId('submit').click();
      const notice = page.getByRole('alert');
      // All messages appear in the same place, so first wait for the current code's number.
      await expect.soft(notice, name).toContainText(String(code));
      await expect.soft(notice, name).toContainText(messages[name] as string);
      await expect.soft(notice, name).not.toContainText(serverMessage);
    }
    await context.close();
  });
}

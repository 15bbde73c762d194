/** Tests the feedback form: messages reach the operator, optionally with the log, and are never lost. */
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import { ServerAccount } from '../support/server-account.ts';
import { Stack } from '../support/stack.ts';

const pageErrors = new PageErrors();
let stack: Stack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;

const content = () => page.getByTestId('content');
const send = () => page.getByTestId('submit').click();
const expectSent = () => expect(page.getByRole('heading', { name: 'Message sent' })).toBeVisible();
/** Returns the operator's list of messages, newest first, split into fields. */
const listFeedback = async () =>
  (await stack.runCli('feedback', '--limit', '50'))
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  stack = await Stack.start();
  context = await browser.newContext({
    ...{ viewport: { width: 390, height: 844 }, locale: 'en-GB' },
  });
  pageErrors.listenTo(context);
  page = await context.newPage();
  app = new LinnetApp(page, stack);
});
test.afterAll(async () => {
  await context?.close();
  await stack?.stop();
});
test.afterEach(() => expect(pageErrors.takeUnexpected()).toEqual([]));

test('shows a signed-out user the log before it is sent, and sends exactly that log', async () => {
  await app.open('/pages/kefu');
  await page.locator('.choice label').getByText('A question').click();
  await content().fill('Where is the button?\nI looked everywhere.');
  await page.getByTestId('contact').fill('ada@example.org');
  await page.getByTestId('with-log').check();
  await page.getByText('Preview the log').click();
  const log = await page.getByTestId('log').textContent();
  expect(log).toMatch(/^Linnet 1\.0\.77, en, Mozilla/);
  await expectNoViolations(page);
  await send();
  await expectSent();
  await expectNoViolations(page);
  const [first = []] = await listFeedback();
  expect(first.slice(2)).toEqual([
    ...['question', 'ada@example.org', 'has log'],
    JSON.stringify('Where is the button?\nI looked everywhere.'),
  ]);
  // The CLI command adds a line break.
  expect(await stack.runCli('feedback', 'log', first[0] ?? '')).toBe(`${log}\n`);
  await app.show('/pages/kefu');
  await expect(content()).toHaveValue('');
});

test('saves a message while offline until it is sent', async () => {
  pageErrors.allow(/ERR_INTERNET_DISCONNECTED/);
  await content().fill('The train has no network.');
  await context.setOffline(true);
  await send();
  await expect(page.getByRole('alert')).toContainText('saved here until you send it');
  await context.setOffline(false);
  await page.reload();
  await expect(content()).toHaveValue('The train has no network.');
  await send();
  await expectSent();
  expect((await listFeedback())[0]?.at(-1)).toBe('"The train has no network."');
});

test('sends the email of a signed-in user, and doesn’t show the unsent message after sign-out', async () => {
  await ServerAccount.register(stack, 'robin@example.org');
  await app.show('/');
  await app.signIn('robin@example.org');
  await app.show('/pages/kefu');
  await expect(page.getByText('the reply goes to robin@example.org')).toBeVisible();
  await content().fill('It is good.');
  await send();
  await expectSent();
  expect((await listFeedback())[0]?.slice(2)).toEqual([
    ...['problem', 'robin@example.org', '', '"It is good."'],
  ]);
  await page.getByTestId('done').click();
  await expect(page).toHaveURL(/\/pages\/me$/);
  await app.show('/pages/kefu');
  await content().fill('One more thing.');
  await app.show('/pages/me');
  await page.getByTestId('sign-out').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByTestId('email')).toBeVisible();
  await app.show('/pages/kefu');
  await expect(content()).toHaveValue('');
});

/** Tests the bundled demo recording, which needs no account and works offline. */
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { locateWord } from '../support/locate-word.ts';
import { PageErrors } from '../support/page-errors.ts';
import { Stack } from '../support/stack.ts';

const pageErrors = new PageErrors();
let stack: Stack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;

const player = () => page.getByTestId('player');
const getPosition = async () => Number(await player().getAttribute('data-position'));
const paragraph = (index: number) => page.getByTestId('paragraph').nth(index);
const tab = (name: string) => page.getByTestId(`tab-${name}`);

async function open(): Promise<void> {
  await app.open('/pages/demo');
  await expect(player()).toHaveAttribute('data-status', 'ready');
}

/**
 * Presses a word.
 * @returns the position at which playback started, in seconds
 */
async function pressWord(index: number, word: string): Promise<number> {
  const text = paragraph(index).locator('.paragraph-text');
  await text.scrollIntoViewIfNeeded();
  const { x, y } = await locateWord(text, word);
  await page.mouse.click(x, y);
  await expect(player()).toHaveAttribute('data-playing', 'true');
  await expect(paragraph(index)).toHaveAttribute('data-spoken', 'true');
  return getPosition();
}

test.use({ serviceWorkers: 'allow' });
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

test('sign-in links to the demo, which links to registration', async () => {
  await app.open('/');
  await page.getByTestId('to-demo').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Reading festival, first meeting',
  );
  await expect(page.getByTestId('demo-note')).toBeVisible();
  await expectNoViolations(page);
  await page.getByTestId('back').click();
  await page.getByTestId('to-demo').click();
  await page.getByTestId('join').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create your account');
});

test('the demo plays, and the transcript follows word by word', async () => {
  await open();
  expect(Number(await player().getAttribute('data-duration'))).toBeGreaterThan(60);
  const late = await pressWord(3, 'guest');
  const early = await pressWord(1, 'tent');
  expect(early).toBeLessThan(late);
  // Playback continues.
  await expect.poll(getPosition).toBeGreaterThan(early + 0.5);
  await page.keyboard.press('Space');
  await expect(player()).toHaveAttribute('data-playing', 'false');
});

test('the demo has a summary, mind map, to-dos and markers', async () => {
  await tab('summary').click();
  await expect(page.getByTestId('summary')).toContainText('The festival is on the twelfth of June');
  await expect(page.getByTestId('summarize')).toHaveCount(0);
  await tab('mindMap').click();
  await expect(page.getByTestId('mind-map')).toContainText(
    'The printer needs the text of the posters',
  );
  await expectNoViolations(page);
  await tab('todos').click();
  const todo = page.getByRole('checkbox').first();
  await todo.check();
  await expect(todo).toBeChecked();
  await tab('markers').click();
  await expect(page.getByTestId('marker')).toContainText('Readers');
  // Changes are not saved.
  await page.reload();
  await tab('todos').click();
  await expect(todo).not.toBeChecked();
});

test('the demo works offline after the first visit', async () => {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  // The service worker controls the page only after the next navigation.
  await open();
  pageErrors.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
  await context.setOffline(true);
  await open();
  await pressWord(5, 'fifty');
  await tab('mindMap').click();
  await expect(page.getByTestId('mind-map')).toBeVisible();
  await context.setOffline(false);
});

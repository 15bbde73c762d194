/** Tests the help pages and the links between them, for signed-in and signed-out users. */
import en from '@linnet/app/words/en';
import { type BrowserContext, expect, type Locator, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { LinnetApp, PASSWORD } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import { Stack } from '../support/stack.ts';

const support = 'mailto:help@example.org';
const pages = {
  '/pages/aboutUs': 'About Linnet',
  '/pages/privacyPolicy': 'Privacy policy',
  '/pages/userAgreement': 'User agreement',
  '/pages/kefu': 'Help and feedback',
  '/pages/kefuOnLine': 'Customer service',
  '/pages/instructions': 'User guide',
  '/pages/questions/question1': 'How do I pair my recorder?',
  '/pages/questions/question2': 'How do I start recording?',
  '/pages/questions/question3': 'How do I sync recordings?',
  '/pages/questions/question4': 'How do I transcribe and summarize a recording?',
} as const;
/** The pages whose accessibility is checked. The others share their components. */
const accessibilityChecked: ReadonlySet<string> = new Set([
  ...['/pages/aboutUs', '/pages/privacyPolicy', '/pages/kefuOnLine'],
  ...['/pages/instructions', '/pages/questions/question3'],
]);
const pageErrors = new PageErrors();
let stack: Stack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;

/** Sets the language for pages opened from now on. */
const setLanguage = (language: string) =>
  page.evaluate((chosen) => localStorage.setItem('language', chosen), language);
const heading = () => page.getByRole('heading', { level: 1 });

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  stack = await Stack.start({ env: { SUPPORT_URL: support } });
  context = await browser.newContext({
    ...{ viewport: { width: 360, height: 640 }, locale: 'en-GB' },
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

test('every page is open to signed-out users', async () => {
  for (const [path, title] of Object.entries(pages)) {
    await app.open(path);
    await expect(heading()).toHaveText(title);
    await expect(page).toHaveURL(new RegExp(`${path}$`));
    if (accessibilityChecked.has(path)) await expectNoViolations(page);
    // Without history, the back button opens sign-in.
    await page.getByTestId('back').click();
    await expect(page.getByTestId('submit')).toBeVisible();
  }
});

test('every page is complete in Arabic', async () => {
  await setLanguage('ar');
  for (const path of Object.keys(pages)) {
    await app.open(path);
    await expect(heading()).toHaveText(/[\u0600-\u06ff]/);
    const overflow = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.querySelector('main') as HTMLElement;
      return scrollWidth - clientWidth;
    });
    expect(overflow, path).toBe(0);
  }
  await setLanguage('en');
});

/** Asserts that a drawing is visible and not empty. */
async function expectDrawn(drawing: Locator): Promise<void> {
  await expect(drawing).toBeVisible();
  const { width, ink } = await drawing.evaluate((svg: SVGSVGElement) => {
    const size = ({ width, height }: DOMRect) => Math.min(width, height);
    return { width: size(svg.getBoundingClientRect()), ink: size(svg.getBBox()) };
  });
  expect(width).toBeGreaterThan(70);
  expect(ink).toBeGreaterThan(40);
}

test('each question is answered in steps, each with its drawing', async () => {
  for (const [index, question] of (['bind', 'record', 'sync', 'read'] as const).entries()) {
    await app.open(`/pages/questions/question${index + 1}`);
    const { title, note, ...steps } = en.questions[question];
    await expect(heading()).toHaveText(title);
    const stepList = page.locator('.step');
    await expect(stepList).toHaveText(Object.values(steps).map((words, at) => `${at + 1}${words}`));
    for (const step of await stepList.all()) await expectDrawn(step.locator('svg'));
    await expect(page.locator('.help-note')).toHaveText(note);
    // Holding the button for two seconds starts and stops a recording (specification, section 4).
    if (question === 'record') await expect(stepList.getByText('2 seconds')).toHaveCount(2);
  }
});

/** How long buttons must be held, in seconds (specification, section 4). All others are pressed briefly. */
const holdSeconds: Readonly<Record<string, number>> = {
  record: 2,
  forceStop: 9,
  restart: 15,
  clear: 3,
};
/** The times until standby (specification, section 4). */
const standbyTimes = {
  screenOff: '10 seconds',
  sleep: '30 minutes',
  searching: '1 minute',
  disconnected: '15 seconds',
};

test('the guide shows the function and hold time of each button', async () => {
  await app.open('/pages/instructions');
  const parts = page.locator('.guide-parts');
  await expectDrawn(parts.locator('svg'));
  await expect(parts.getByRole('listitem')).toHaveText(
    Object.values(en.handbook.parts).map((words, at) => `${at + 1}${words}`),
  );
  const buttonEntries = Object.entries(en.handbook).flatMap(([button, words]) =>
    typeof words === 'object' && 'title' in words ? [{ button, ...words }] : [],
  );
  await expect(page.locator('.guide-line')).toHaveCount(buttonEntries.length);
  for (const { button, title, text } of buttonEntries) {
    const line = page.locator('.guide-line').filter({
      has: page.getByRole('heading', { name: title, exact: true }),
    });
    const seconds = holdSeconds[button];
    await expect(line.locator('p')).toHaveText(text.replace('{{time}}', `${seconds} seconds`));
    await expectDrawn(line.locator('svg'));
    const dial = line.locator('.draw-dial-part');
    await expect(dial).toHaveCount(seconds ? 1 : 0);
    if (seconds) await expect(dial).toHaveAttribute('stroke-dasharray', `${seconds} 15`);
  }
  await expect(page.locator('.guide-timeout')).toHaveText(
    Object.entries(standbyTimes).map(
      ([after, time]) => `${time}${en.handbook[after as keyof typeof standbyTimes]}`,
    ),
  );
});

test('Thai text breaks between words', async () => {
  await setLanguage('th');
  await app.open('/pages/privacyPolicy');
  await expect(heading()).toHaveText(/[\u0e00-\u0e7f]/);
  const { words, lines, split, wide } = await page.evaluate(() => {
    const article = document.querySelector('.agreement') as HTMLElement;
    const edge = article.getBoundingClientRect().right;
    const segmenter = new Intl.Segmenter('th', { granularity: 'word' });
    const result = { words: 0, lines: 0, split: [] as string[], wide: [] as string[] };
    for (const paragraph of article.querySelectorAll('p')) {
      const [text] = paragraph.childNodes;
      if (!(text instanceof Text) || paragraph.childNodes.length > 1)
        throw new Error('expected plain text');
      const tops = new Set<number>();
      for (const { segment, index, isWordLike } of segmenter.segment(text.data)) {
        if (!isWordLike) continue;
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + segment.length);
        const rects = [...range.getClientRects()].filter(({ width }) => width > 0);
        const lineTops = new Set(rects.map(({ top }) => Math.round(top)));
        for (const top of lineTops) tops.add(top);
        result.words += 1;
        if (lineTops.size !== 1) result.split.push(segment);
        if (rects.some(({ right }) => right > edge + 0.5)) result.wide.push(segment);
      }
      result.lines += tops.size;
    }
    return result;
  });
  expect(split).toEqual([]);
  expect(wide).toEqual([]);
  // The text is long enough that line breaks at random positions would split some words.
  expect(words).toBeGreaterThan(300);
  expect(lines).toBeGreaterThan(words / 10);
  await setLanguage('en');
});

test('sign-in links to the help pages, which link to each other', async () => {
  await app.open('/');
  await page.getByTestId('to-help').click();
  await expect(heading()).toHaveText('Help and feedback');
  await page.getByTestId('back').click();
  await page.getByTestId('to-about').click();
  await expect(heading()).toHaveText('About Linnet');
  await expect(page.getByTestId('version')).toHaveText('Version 1.0.77');
  for (const title of Object.values(pages).filter((each) => each !== 'About Linnet')) {
    await page.getByRole('link', { name: title }).click();
    await expect(heading()).toHaveText(title);
    await page.getByTestId('back').click();
    await expect(heading()).toHaveText('About Linnet');
  }
  const licences = page.getByTestId('licences');
  await licences.locator('summary').click();
  await expect(licences.getByRole('listitem').filter({ hasText: 'fastify' }).first()).toContainText(
    'MIT',
  );
  await expect(licences.getByRole('listitem').filter({ hasText: '@linnet/' })).toHaveCount(0);
});

test('customer service links to the operator’s support address', async () => {
  await app.open('/pages/kefuOnLine');
  await expect(page.getByTestId('support')).toHaveAttribute('href', support);
  await expect(page.getByTestId('support')).toHaveText('help@example.org');
  await page.getByTestId('to-feedback').click();
  await expect(heading()).toHaveText('Help and feedback');
});

test('reading the agreements during registration keeps the entered text', async () => {
  const { agreement_version: version } = (
    await (await page.request.get(`${stack.url}/api/site/config`)).json()
  ).data;
  await app.open('/pages/register');
  const typedText = { email: 'robin@example.org', code: '123456', password: PASSWORD } as const;
  for (const [field, value] of Object.entries(typedText)) await page.getByTestId(field).fill(value);
  await page.getByTestId('repassword').fill(PASSWORD);
  for (const [path, title] of [
    ['/pages/userAgreement', 'User agreement'],
    ['/pages/privacyPolicy', 'Privacy policy'],
  ] as const) {
    await page.getByTestId(`to-${path}`).click();
    await expect(heading()).toHaveText(title);
    await expect(page.getByTestId('agreement-version')).toHaveText(`Version ${version}`);
    await page.getByTestId('back').click();
    await expect(heading()).toHaveText('Create your account');
    for (const [field, value] of Object.entries(typedText)) {
      await expect(page.getByTestId(field)).toHaveValue(value);
    }
    await expect(page.getByTestId('repassword')).toHaveValue(PASSWORD);
    await page.getByTestId('agree').check();
  }
  await expect(page.getByTestId('agree')).toBeChecked();
  // Leaving the form any other way discards the password.
  await page.getByTestId('to-sign-in').click();
  await page.getByTestId('to-register').click();
  await expect(page.getByTestId('password')).toHaveValue('');
});

test('a signed-in user opens the help pages from Me, and returns to it', async () => {
  await app.signUp('owner@example.org');
  await app.open('/pages/me');
  await expect(page.getByTestId('help-about')).toBeVisible();
  await expectNoViolations(page);
  for (const [name, title] of [
    ['guide', 'User guide'],
    ['questions', 'How do I pair my recorder?'],
    ['feedback', 'Help and feedback'],
    ['online', 'Customer service'],
    ['about', 'About Linnet'],
    ['demo', 'Reading festival, first meeting'],
  ] as const) {
    await page.getByTestId(`help-${name}`).click();
    await expect(heading()).toHaveText(title);
    await page.getByTestId('back').click();
    await expect(page.getByTestId('help-about')).toBeVisible();
  }
  for (const [path, title] of Object.entries(pages)) {
    await app.open(path);
    await expect(heading()).toHaveText(title);
  }
  // Without history, the back button opens Me.
  await page.getByTestId('back').click();
  await expect(page).toHaveURL(/\/pages\/me$/);
});

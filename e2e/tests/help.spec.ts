/** Tests the layout and the drawings of the help pages. Their links are tested by page tests. */
import en from '@linnet/app/words/en';
import { type BrowserContext, expect, type Locator, type Page, test } from '@playwright/test';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import { Stack } from '../support/stack.ts';

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
  stack = await Stack.start();
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

test('every page is complete in Arabic', async () => {
  await app.open('/');
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

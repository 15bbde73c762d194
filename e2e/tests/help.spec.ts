/** The pages that help, for whoever is signed in and whoever is not: each is there, and leads back. */
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { Complaints } from '../support/complaints.ts';
import { LinnetApp, PASSWORD } from '../support/linnet-app.ts';
import { Stack } from '../support/stack.ts';

const support = 'mailto:help@example.org';
const pages = {
  '/pages/aboutUs': 'About Linnet',
  '/pages/privacyPolicy': 'Privacy policy',
  '/pages/userAgreement': 'User agreement',
  '/pages/kefu': 'Help and feedback',
  '/pages/kefuOnLine': 'Customer service',
  '/pages/instructions': 'Operation guide',
  '/pages/questions/question1': 'How do I bind my recorder?',
  '/pages/questions/question2': 'How do I start recording?',
  '/pages/questions/question3': 'How do I sync recordings?',
  '/pages/questions/question4': 'How do I transcribe and summarise?',
} as const;
/** One of each kind: the others are made of the same pieces. */
const looked: ReadonlySet<string> = new Set([
  ...['/pages/aboutUs', '/pages/privacyPolicy', '/pages/kefuOnLine'],
  ...['/pages/instructions', '/pages/questions/question3'],
]);
const complaints = new Complaints();
let stack: Stack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;

/** The language from the next page on. */
const speak = (language: string) =>
  page.evaluate((chosen) => localStorage.setItem('language', chosen), language);
const heading = () => page.getByRole('heading', { level: 1 });

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  stack = await Stack.start({ env: { SUPPORT_URL: support } });
  context = await browser.newContext({
    ...{ viewport: { width: 360, height: 640 }, locale: 'en-GB', reducedMotion: 'reduce' },
  });
  complaints.listenTo(context);
  page = await context.newPage();
  app = new LinnetApp(page, stack);
});
test.afterAll(async () => {
  await context?.close();
  await stack?.stop();
});
test.afterEach(() => expect(complaints.unexpected()).toEqual([]));

test('every page is open to whoever has no account', async () => {
  for (const [path, title] of Object.entries(pages)) {
    await app.open(path);
    await expect(heading()).toHaveText(title);
    await expect(page).toHaveURL(new RegExp(`${path}$`));
    if (looked.has(path)) await expectNoViolations(page);
    // Without a past, back leads to the way in.
    await page.getByTestId('back').click();
    await expect(page.getByTestId('submit')).toBeVisible();
  }
});

test('every page is whole in Arabic', async () => {
  await speak('ar');
  for (const path of Object.keys(pages)) {
    await app.open(path);
    await expect(heading()).toHaveText(/[\u0600-\u06ff]/);
    const wide = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.querySelector('main') as HTMLElement;
      return scrollWidth - clientWidth;
    });
    expect(wide, path).toBe(0);
  }
  await speak('en');
});

test('the way in leads to them, and they to each other', async () => {
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

test('customer service is the one of whoever runs the server', async () => {
  await app.open('/pages/kefuOnLine');
  await expect(page.getByTestId('support')).toHaveAttribute('href', support);
  await expect(page.getByTestId('support')).toHaveText('help@example.org');
  await page.getByTestId('to-feedback').click();
  await expect(heading()).toHaveText('Help and feedback');
});

test('the agreements can be read while registering, and nothing typed is lost', async () => {
  const { agreement_version: version } = (
    await (await page.request.get(`${stack.url}/api/site/config`)).json()
  ).data;
  await app.open('/pages/register');
  const typed = { email: 'robin@example.org', code: '123456', password: PASSWORD } as const;
  for (const [field, value] of Object.entries(typed)) await page.getByTestId(field).fill(value);
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
    for (const [field, value] of Object.entries(typed)) {
      await expect(page.getByTestId(field)).toHaveValue(value);
    }
    await expect(page.getByTestId('repassword')).toHaveValue(PASSWORD);
    await page.getByTestId('agree').check();
  }
  await expect(page.getByTestId('agree')).toBeChecked();
  // Who leaves otherwise leaves no password behind.
  await page.getByTestId('to-sign-in').click();
  await page.getByTestId('to-register').click();
  await expect(page.getByTestId('password')).toHaveValue('');
});

test('an owner finds them under Me, and comes back there', async () => {
  await app.signUp('owner@example.org');
  await app.open('/pages/me');
  await expect(page.getByTestId('help-about')).toBeVisible();
  await expectNoViolations(page);
  for (const [name, title] of [
    ['guide', 'Operation guide'],
    ['questions', 'How do I bind my recorder?'],
    ['feedback', 'Help and feedback'],
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
  // Without a past, back leads to Me.
  await page.getByTestId('back').click();
  await expect(page).toHaveURL(/\/pages\/me$/);
});

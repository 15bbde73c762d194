/**
 * Every page of the app by its address, signed out and signed in, on the narrowest screen there is: no error, no
 * name of words in their place, no English left over, nothing cut off, nothing too small for a finger. `npm test`
 * sees two languages, one from right to left and the pseudo-locale; `npm run test:pages` sees all ten.
 */
import { interfaceLanguages, pseudoLanguage } from '@linnet/app/languages';
import { writeWave } from '@linnet/audio/wave';
import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test';
import { Complaints } from '../support/complaints.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { faultsOf } from '../support/page-faults.ts';
import { ServerAccount } from '../support/server-account.ts';
import { TalkingStack } from '../support/talking-stack.ts';
import { smallTargetsOf } from '../support/targets.ts';

/** The narrowest screen that the app is made for. */
const narrowest = { width: 360, height: 640 };

/** Pages by their route (specification, section 2), and who may see them. */
const door = ['index', 'register', 'register/findMyPasswd'];
const open = [
  ...[
    'language',
    'serverAddress',
    'aboutUs',
    'privacyPolicy',
    'userAgreement',
    'kefu',
    'kefuOnLine',
  ],
  ...['instructions', 'questions/question1', 'questions/question2', 'questions/question3'],
  ...['questions/question4', 'demo'],
];
const inside = [
  ...['files', 'me', 'search', 'recycleBin', 'personalInformation', 'changePassword'],
  ...['deviceConnect', 'bluetoothConnection', 'myDevice', 'deviceFiles', 'upgrade'],
  ...['WiFiFastTransmission', 'WiFiFastConnection', 'WiFiFastConnection2', 'NewTransmission'],
  ...['WiFiFastTransmissionDetail', 'spaceManagement', 'storageLocation', 'cloudBackup'],
  ...['dataSynchronization', 'vip', 'purchaseRecord', 'transliterationRecord'],
];
/** Pages inside that are of something: of a recording, or of an order. */
const of = (recording: string, orders: readonly string[]) => [
  ...['fileDetail', 'choose-location', 'open-location'].map((path) => `${path}?id=${recording}`),
  ...orders.map((order) => `payResult?order=${order}`),
];
const parts = [
  ...['transcription', 'summary', 'mindMap', 'audio', 'timeline', 'knowledge', 'todos', 'needs'],
  ...['questions', 'finance', 'topics', 'markers'],
];

/** One from right to left, and the one in which words stand out that come from no locale file. */
const usual = ['ar', pseudoLanguage];
const languages =
  process.env.PAGES_LANGUAGES === 'all'
    ? [...interfaceLanguages.map(({ language }) => language), pseudoLanguage]
    : usual;

/** What becomes of a payment. */
const outcomes = ['success', 'fail', 'cancel'] as const;

const owner = 'pages@example.org';
const talk = {
  title: 'Orchids',
  language: 'en',
  lines: [
    'We decided to move the orchids on Friday.',
    'Tom, please call the gardener tomorrow.',
    'The new shelf costs 250 euros.',
    'Who has the key?',
  ],
} as const;
/**
 * What is on the pages in the language it was said in; also as a title or a mind map begins it, and who speaks
 * in the demo.
 */
const content = `${owner} ${talk.title} ${talk.lines.join(' ')} New Move Anna Ben`;
const complaints = new Complaints();
let talking: TalkingStack;
/** A phone of somebody signed in, with a recorder and a recording. */
let phone: Phone;
let recording: string;
/** One for each outcome. */
const orders: string[] = [];

type Phone = { readonly context: BrowserContext; readonly page: Page; readonly app: LinnetApp };

async function takePhone(browser: Browser): Promise<Phone> {
  const context = await browser.newContext({
    viewport: narrowest,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  });
  complaints.listenTo(context);
  const page = await context.newPage();
  return { context, page, app: new LinnetApp(page, talking.stack) };
}

// Each page is quick; there are many of them.
test.describe.configure({ timeout: 600_000 });
test.beforeAll(async ({ browser }) => {
  // Without a trial nothing is uploaded by itself: what is on the pages is what is put there.
  talking = await TalkingStack.start({ env: { TRIAL_DAYS: '0' } });
  const account = await ServerAccount.register(talking.stack, owner);
  ({ id: recording } = await talking.hear(account, talk));
  await talking.stack.recorder.addSession(writeWave(new Int16Array(48_000), 16_000));
  phone = await takePhone(browser);
  await phone.app.open('/');
  await phone.app.signIn(owner);
  await expect(phone.app.row(recording)).toBeVisible();
  await phone.app.bind('websocket');
  for (const choice of outcomes) orders.push(await phone.app.order(choice));
});
test.afterAll(async () => {
  await phone?.context.close();
  await talking?.stop();
});
test.afterEach(() => {
  expect(complaints.unexpected()).toEqual([]);
});

async function expectWell({ page }: Phone, language: string, what: string): Promise<void> {
  expect.soft(await page.locator('.system-screen').count(), `${what}: there is none`).toBe(0);
  await expect.soft.poll(() => faultsOf(page, language, content), { message: what }).toEqual([]);
  expect.soft(await smallTargetsOf(page), `${what}: targets`).toEqual([]);
}

const speak = ({ page }: Phone, language: string) =>
  page.evaluate((chosen) => localStorage.setItem('language', chosen), language);

for (const language of languages) {
  test(`signed out, every page is whole in ${language}`, async ({ browser }) => {
    const visitor = await takePhone(browser);
    await visitor.app.open('/');
    await speak(visitor, language);
    for (const path of [...door, ...open]) {
      await visitor.app.arrive(`/pages/${path}`);
      await expectWell(visitor, language, `${path}, signed out`);
    }
    // What is behind the door leads to it, and from there to where one wanted to go.
    for (const path of [...inside, ...of(recording, orders)]) {
      await visitor.app.open(`/pages/${path}`);
      await visitor.page.waitForURL(`**/?next=${encodeURIComponent(`/pages/${path}`)}`);
    }
    await visitor.context.close();
  });

  test(`signed in, every page is whole in ${language}`, async () => {
    // No firmware is published.
    complaints.expect(/static\/firmware/);
    await speak(phone, language);
    for (const path of [...inside, ...open]) {
      await phone.app.arrive(`/pages/${path}`);
      expect.soft(new URL(phone.page.url()).pathname).toBe(`/pages/${path}`);
      await expectWell(phone, language, path);
    }
    // Who is in already is not asked in again, and is led nowhere but within the app.
    for (const [path, leadsTo] of [
      ...door.map((each) => [each, 'files'] as const),
      ['index?next=%2Fpages%2Fvip', 'vip'],
      ['index?next=https%3A%2F%2Fexample.org%2Fpages%2Fvip', 'files'],
    ] as const) {
      await phone.app.open(`/pages/${path}`);
      await phone.page.waitForURL(`**/pages/${leadsTo}`);
    }
    for (const map of ['choose-location', 'open-location']) {
      await phone.app.arrive(`/pages/${map}?id=${recording}`);
      await expectWell(phone, language, map);
    }
    for (const order of orders) {
      await phone.app.arrive(`/pages/payResult?order=${order}`);
      await expectWell(phone, language, 'payResult');
    }
    for (const part of parts) {
      await phone.app.arrive(`/pages/fileDetail?id=${recording}&tab=${part}`);
      await expectWell(phone, language, `fileDetail, ${part}`);
    }
  });
}

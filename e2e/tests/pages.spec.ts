/**
 * Opens every page of the app by URL, signed out and signed in, on the narrowest supported screen. Checks each page for
 * errors, raw locale keys, untranslated English, clipped text and undersized touch targets. `npm test` checks only the
 * pseudo-locale, and reloads the app for each page. `npm run test:pages` also checks all ten languages.
 */
import { pseudoLanguage } from '@linnet/app/languages';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { writeWave } from '@linnet/audio/wave';
import { expect, test } from '@playwright/test';
import { NarrowPhone, pageLanguages } from '../support/narrow-phone.ts';
import { PageErrors } from '../support/page-errors.ts';
import { ScriptedSpeechStack } from '../support/scripted-speech-stack.ts';
import { ServerAccount } from '../support/server-account.ts';

/** The pages for signed-out users, by route (specification, section 2). */
const signInPages = ['index', 'register', 'register/findMyPasswd'];
const publicPages = [
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
const protectedPages = [
  ...['files', 'me', 'search', 'recycleBin', 'personalInformation', 'changePassword'],
  ...['folders', 'deviceConnect', 'bluetoothConnection', 'myDevice', 'deviceFiles', 'upgrade'],
  ...['WiFiFastTransmission', 'WiFiFastConnection', 'WiFiFastConnection2', 'NewTransmission'],
  ...['WiFiFastTransmissionDetail', 'spaceManagement', 'storageLocation', 'cloudBackup'],
  ...['dataSynchronization', 'vip', 'purchaseRecord', 'transliterationRecord', 'vocabulary'],
  ...['apiKeys', 'vault', 'webhooks', 'webhook', 'shareLinks', 'calendar', 'voices', 'ask'],
  ...['notifications', 'retention'],
];
/** An element that each page shows once connected to the recorder. */
const loadedElements: Readonly<Record<string, string>> = {
  bluetoothConnection: '[data-testid="connection"][data-status="connected"]',
  myDevice: '[data-testid="usage"]',
  deviceFiles: '[data-testid="device-session"]',
};
const parts = [
  ...['transcription', 'summary', 'mindMap', 'audio', 'timeline', 'knowledge', 'todos', 'needs'],
  ...['questions', 'finance', 'topics', 'markers'],
];

/** The possible outcomes of a payment. */
const outcomes = ['success', 'fail', 'cancel'] as const;

const owner = 'pages@example.org';
/**
 * Twelve minutes of silence. Long enough that the app suggests Wi-Fi; the transfer over Bluetooth takes two minutes.
 */
const longAudio = new Int16Array(12 * 60 * SAMPLE_RATE);
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
/** User content on the pages, which isn't translated: the talk, derived titles, and the demo's speaker names. */
const content = `${owner} ${talk.title} ${talk.lines.join(' ')} New Move Anna Ben`;
const pageErrors = new PageErrors();
let environment: ScriptedSpeechStack;
/** A signed-in phone with a recorder and a recording. */
let phone: NarrowPhone;
let recording: string;
/** The order ids, one for each outcome. */
const orders: string[] = [];

// The test has many short steps.
test.describe.configure({ timeout: 600_000 });
test.beforeAll(async ({ browser }) => {
  // Without a trial, nothing is uploaded automatically, so pages show only the test's own data.
  environment = await ScriptedSpeechStack.start({ env: { TRIAL_DAYS: '0' } });
  const account = await ServerAccount.register(environment.stack, owner);
  ({ id: recording } = await environment.transcribe(account, talk));
  await environment.stack.recorder.addSession(writeWave(new Int16Array(48_000), 16_000));
  phone = await NarrowPhone.open(browser, environment.stack, pageErrors);
  await phone.app.open('/');
  await phone.app.signIn(owner);
  await expect(phone.app.row(recording)).toBeVisible();
  await phone.app.bind('websocket');
  for (const choice of outcomes) orders.push(await phone.app.placeOrder(choice));
});
test.afterAll(async () => {
  await phone?.close();
  await environment?.stop();
});
test.afterEach(() => {
  expect(pageErrors.takeUnexpected()).toEqual([]);
});

for (const language of pageLanguages) {
  /**
   * Opens a page and waits for its data. In the pseudo-locale, reloads the app for each page, as a link would, so no
   * page can rely on data loaded by an earlier page. In other languages, and for other orders and tabs of the same
   * page, only changes the route.
   */
  const open = ({ app }: NarrowPhone, path: string) =>
    language === pseudoLanguage ? app.openAndLoad(path) : app.show(path);

  test(`signed out, no page has faults in ${language}`, async ({ browser }) => {
    const signedOutPhone = await NarrowPhone.open(browser, environment.stack, pageErrors);
    await signedOutPhone.app.open('/');
    await signedOutPhone.setLanguage(language);
    for (const path of [...signInPages, ...publicPages]) {
      await open(signedOutPhone, `/pages/${path}`);
      await signedOutPhone.expectNoFaults(language, `${path}, signed out`, content);
    }
    await signedOutPhone.close();
  });

  test(`signed in, no page has faults in ${language}`, async () => {
    // No firmware is published.
    pageErrors.allow(/static\/firmware/);
    await phone.setLanguage(language);
    for (const path of [...protectedPages, ...publicPages]) {
      // The previous test has already loaded the public pages.
      await (publicPages.includes(path)
        ? phone.app.show(`/pages/${path}`)
        : open(phone, `/pages/${path}`));
      expect.soft(new URL(phone.page.url()).pathname).toBe(`/pages/${path}`);
      const loadedElement = loadedElements[path];
      if (loadedElement) await expect(phone.page.locator(loadedElement).first()).toBeVisible();
      await phone.expectNoFaults(language, path, content);
    }
    for (const map of ['choose-location', 'open-location']) {
      await open(phone, `/pages/${map}?id=${recording}`);
      await phone.expectNoFaults(language, map, content);
    }
    for (const [index, order] of orders.entries()) {
      const path = `/pages/payResult?order=${order}`;
      await (index === 0 ? open(phone, path) : phone.app.show(path));
      await phone.expectNoFaults(language, 'payResult', content);
    }
    for (const [index, part] of parts.entries()) {
      const path = `/pages/fileDetail?id=${recording}&tab=${part}`;
      await (index === 0 ? open(phone, path) : phone.app.show(path));
      await phone.expectNoFaults(language, `fileDetail, ${part}`, content);
    }
  });

  test(`during a transfer over the recorder’s network, no page has faults in ${language}`, async () => {
    // Requests fail while the recorder's network is down.
    pageErrors.allow(/net::ERR_/, /static\/firmware/);
    const { app, page } = phone;
    const { recorder } = environment.stack;
    const id = (testId: string) => page.getByTestId(testId);
    await phone.setLanguage(language);
    // These pages are checked while the transfer over Bluetooth is running, which takes minutes.
    await recorder.setSpeed(0.3);
    const session = await recorder.addSession(writeWave(longAudio, SAMPLE_RATE));
    // The network stays open for only a minute, so reopen it for each page about joining it.
    const openNetwork = async () => {
      await app.open('/pages/WiFiFastTransmission');
      await expect(id('wifi-waiting').first()).toBeVisible();
      await id('start-wifi').click();
      await expect(id('wifi-joining')).toHaveAttribute('data-joining', 'by_hand');
    };
    const openJoinInstructions = async () => {
      await id('by-hand').click();
      await expect(id('wifi-join')).toBeVisible();
      const [name, password] = await Promise.all(
        ['wifi-name', 'wifi-password'].map((each) => id(each).textContent()),
      );
      return { name: `${name}`, password: `${password}` };
    };
    await app.open('/pages/WiFiFastTransmission');
    await expect(id('wifi-waiting').first()).toBeVisible();
    await phone.expectNoFaults(language, 'WiFiFastTransmission, with waiting recordings', content);
    await openNetwork();
    await phone.expectNoFaults(language, 'WiFiFastConnection, under way', content);
    await recorder.press('wifi');
    await openNetwork();
    const { name, password } = await openJoinInstructions();
    for (const summary of await page.locator('.wifi-other > summary').all()) await summary.click();
    await phone.expectNoFaults(
      language,
      'WiFiFastConnection2, with all steps',
      `${content} ${name}`,
    );
    await recorder.press('wifi');
    await openNetwork();
    await openJoinInstructions();
    // At normal speed, the transfer would end before the page has been checked.
    await recorder.setSpeed(0.1);
    await recorder.joinWifi(name, password);
    const file = page.locator(`[data-testid="transfer-file"][data-session-id="${session}"]`);
    await expect(file).toHaveAttribute('data-state', 'moving');
    await phone.expectNoFaults(language, 'NewTransmission, under way', content);
    await recorder.setSpeed(100);
    await expect(id('transfer-ended')).toHaveAttribute('data-end', 'done', { timeout: 60_000 });
    await phone.expectNoFaults(language, 'NewTransmission, done', content);
  });
}

/**
 * Opens every page of the app, signed out and signed in, on the narrowest supported screen. Checks each page for errors,
 * raw locale keys, untranslated English, clipped text and undersized touch targets. `npm test` checks only the
 * pseudo-locale. `npm run test:pages` also checks all ten languages.
 */
import { pseudoLanguage } from '@linnet/app/languages';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { writeWave } from '@linnet/audio/wave';
import { expect, test } from '@playwright/test';
import { NarrowPhone, pageLanguages } from '../support/narrow-phone.ts';
import { PageErrors } from '../support/page-errors.ts';
import { ScriptedSpeechStack } from '../support/scripted-speech-stack.ts';
import { ServerAccount } from '../support/server-account.ts';

const signInPages = ['index', 'register', 'register/findMyPasswd'];
/**
 * The pages for signed-out users, by route (specification, section 2), in groups with one start of the app each. In a
 * group, only pages with the same code use the same translations, so a page that doesn't load its translations shows raw
 * keys.
 */
const signedOutGroups = [
  ['index', 'register', 'privacyPolicy', 'userAgreement', 'kefu'],
  ...[['register/findMyPasswd'], ['language']],
  ['serverAddress', 'aboutUs'],
  ['kefuOnLine'],
  ['instructions'],
  [...['questions/question1', 'questions/question2', 'questions/question3'], 'questions/question4'],
  ['demo'],
];
const publicPages = signedOutGroups.flat().filter((path) => !signInPages.includes(path));

/**
 * Returns the pages for signed-in users, in the same kind of groups. Most pages use only the translations of the shell.
 * Each group but the first begins with a page that no other test opens by its URL, so each page is shown to work without
 * data loaded by another page.
 */
const signedInGroups = () => [
  [
    ...['files', 'me', 'search', 'personalInformation', 'changePassword', 'folders'],
    ...['deviceConnect', 'bluetoothConnection', 'myDevice', 'deviceFiles', 'upgrade'],
    ...['WiFiFastTransmission', 'WiFiFastConnection2', 'spaceManagement', 'storageLocation'],
    ...['cloudBackup', 'dataSynchronization', 'vault', 'voices'],
    ...parts.map((part) => `fileDetail?id=${recording}&tab=${part}`),
    ...['vip', `choose-location?id=${recording}`],
  ],
  ...[['WiFiFastConnection'], ['NewTransmission'], ['WiFiFastTransmissionDetail']],
  ...[['notifications'], ['webhook'], [`open-location?id=${recording}`]],
  ...[['transliterationRecord'], ['recycleBin', 'purchaseRecord'], ['vocabulary']],
  ['apiKeys', ...orders.map((order) => `payResult?order=${order}`)],
  ...[['webhooks'], ['shareLinks'], ['calendar'], ['retention'], ['ask', ...publicPages]],
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
/** Four minutes of silence. Its transfer over Bluetooth takes 40 seconds at normal speed. */
const longAudio = new Int16Array(4 * 60 * SAMPLE_RATE);
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

/**
 * Opens groups of pages, and checks each page once its data has loaded. Starts the app for each group but the first, for
 * which setting the language has started it. In other languages than the pseudo-locale, only changes the route.
 */
async function checkPages(
  checkedPhone: NarrowPhone,
  language: string,
  groups: readonly (readonly string[])[],
  state: 'signed in' | 'signed out',
): Promise<void> {
  const { app, page } = checkedPhone;
  for (const [group, paths] of groups.entries()) {
    for (const [index, path] of paths.entries()) {
      const address = `/pages/${path}`;
      const startsApp = language === pseudoLanguage && group > 0 && index === 0;
      await (startsApp ? app.openAndLoad(address) : app.show(address));
      expect.soft(new URL(page.url()).pathname).toBe(address.split('?')[0]);
      const loadedElement = state === 'signed in' && loadedElements[path];
      if (loadedElement) await expect(page.locator(loadedElement).first()).toBeVisible();
      await checkedPhone.expectNoFaults(language, `${path}, ${state}`, content);
    }
  }
}

for (const language of pageLanguages) {
  test(`signed out, no page has faults in ${language}`, async ({ browser }) => {
    const signedOutPhone = await NarrowPhone.open(browser, environment.stack, pageErrors);
    await signedOutPhone.app.open('/');
    await signedOutPhone.setLanguage(language);
    await checkPages(signedOutPhone, language, signedOutGroups, 'signed out');
    await signedOutPhone.close();
  });

  test(`signed in, no page has faults in ${language}`, async () => {
    // No firmware is published.
    pageErrors.allow(/static\/firmware/);
    await phone.setLanguage(language);
    await checkPages(phone, language, signedInGroups(), 'signed in');
  });

  test(`during a transfer over the recorder’s network, no page has faults in ${language}`, async () => {
    // Requests fail while the recorder's network is down.
    pageErrors.allow(/net::ERR_/, /static\/firmware/);
    const { app, page } = phone;
    const { recorder } = environment.stack;
    const id = (testId: string) => page.getByTestId(testId);
    await phone.setLanguage(language);
    // At this speed, the transfer over Bluetooth and the recorder's network outlast the checks.
    await recorder.setSpeed(0.2);
    const session = await recorder.addSession(writeWave(longAudio, SAMPLE_RATE));
    await app.show('/pages/WiFiFastTransmission');
    await expect(id('wifi-waiting').first()).toBeVisible();
    await phone.expectNoFaults(language, 'WiFiFastTransmission, with waiting recordings', content);
    await id('start-wifi').click();
    await expect(id('wifi-joining')).toHaveAttribute('data-joining', 'by_hand');
    await phone.expectNoFaults(language, 'WiFiFastConnection, under way', content);
    await id('by-hand').click();
    await expect(id('wifi-join')).toBeVisible();
    const [name, password] = await Promise.all(
      ['wifi-name', 'wifi-password'].map((each) => id(each).textContent()),
    );
    for (const summary of await page.locator('.wifi-other > summary').all()) await summary.click();
    await phone.expectNoFaults(
      language,
      'WiFiFastConnection2, with all steps',
      `${content} ${name}`,
    );
    // At a higher speed, the transfer would end before the page has been checked.
    await recorder.setSpeed(0.03);
    await recorder.joinWifi(`${name}`, `${password}`);
    const file = page.locator(`[data-testid="transfer-file"][data-session-id="${session}"]`);
    await expect(file).toHaveAttribute('data-state', 'transferring');
    await phone.expectNoFaults(language, 'NewTransmission, under way', content);
    await recorder.setSpeed(100);
    await expect(id('transfer-ended')).toHaveAttribute('data-end', 'done', { timeout: 60_000 });
    await phone.expectNoFaults(language, 'NewTransmission, done', content);
  });
}

/**
 * Opens every overlay (menu, dialog, sheet or toast) on the narrowest supported screen, and checks it like the pages in
 * `pages.spec.ts`, in the same languages.
 */
import { join } from 'node:path';
import { writeWave } from '@linnet/audio/wave';
import { expect, type Locator, test } from '@playwright/test';
import { NarrowPhone, pageLanguages } from '../support/narrow-phone.ts';
import { PageErrors } from '../support/page-errors.ts';
import { ScriptedSpeechStack } from '../support/scripted-speech-stack.ts';
import { type AudioFile, ServerAccount } from '../support/server-account.ts';
import { Stack } from '../support/stack.ts';

const owner = 'overlays@example.org';
const talk = {
  title: 'Orchids',
  language: 'en',
  lines: [
    'We decided to move the orchids on Friday.',
    'Tom, please call the gardener tomorrow.',
    'The new shelf costs 250 euros.',
  ],
} as const;
const addedText = 'Indeed.';
/** User content in the overlays. It isn't translated. */
const content = `${owner} ${talk.title} ${talk.lines.join(' ')} ${addedText} New Move Bare Gone`;
const picture = join(
  ...[import.meta.dirname, '..', '..', 'apps', 'app', 'public', 'icons', 'linnet-512.png'],
);
const silence: AudioFile = {
  bytes: Buffer.from(writeWave(new Int16Array(48_000), 16_000)),
  ext: 'wav',
  type: 'audio/wav',
};

const pageErrors = new PageErrors();
let environment: ScriptedSpeechStack;
/** A second server that the app can switch to. */
let otherStack: Stack;
/** A member's phone with a recorder, an edited recording, and a recording in the recycle bin. */
let phone: NarrowPhone;
let recordingId: string;
const untranscribedId = crypto.randomUUID();
const deletedId = crypto.randomUUID();

// The test has many short steps.
test.describe.configure({ timeout: 300_000 });
test.beforeAll(async ({ browser }) => {
  // With a scripted microphone, the recorder has only the test's own sessions, which makes all text predictable.
  environment = await ScriptedSpeechStack.start({ microphone: talk });
  const { stack } = environment;
  otherStack = await Stack.start({ env: { CORS_ORIGINS: stack.url } });
  const account = await ServerAccount.register(stack, owner);
  ({ id: recordingId } = await environment.transcribe(account, talk));
  for (const [id, name] of [
    [untranscribedId, 'Bare'],
    [deletedId, 'Gone'],
  ] as const) {
    await account.upload(id, silence, { name });
  }
  await stack.recorder.addSession(writeWave(new Int16Array(48_000), 16_000));
  phone = await NarrowPhone.open(browser, stack, pageErrors);
  const { app, page } = phone;
  await app.open('/');
  await app.signIn(owner);
  await expect(app.rows()).toHaveCount(3);
  await app.row(deletedId).locator('.row-menu').click();
  await page.getByRole('menuitem').last().click();
  await expect(app.rows()).toHaveCount(2);
  await app.openAndLoad(`/pages/fileDetail?id=${recordingId}`);
  await page.getByTestId('paragraph-more').first().click();
  await page.getByRole('menuitem').first().click();
  await page.getByTestId('paragraph-editor').fill(addedText);
  await page.getByTestId('paragraph-editor').press('Control+Enter');
  await expect(page.getByTestId('back-to-original')).toBeVisible();
  await app.bind('websocket');
  await app.placeOrder('success', 'vip_monthly');
});
test.afterAll(async () => {
  await phone?.close();
  await otherStack?.stop();
  await environment?.stop();
});
test.afterEach(() => {
  expect(pageErrors.takeUnexpected()).toEqual([]);
});

const id = (testId: string): Locator => phone.page.getByTestId(testId);
const press = (testId: string) => id(testId).first().click();
const chooseItem = (index: number) =>
  phone.page.locator('[role="menuitem"], [role="menuitemcheckbox"]').nth(index).click();
const openRowMenu = () => phone.app.row(recordingId).locator('.row-menu').click();

/** An overlay's name, its page, and a function that opens it. */
type Overlay = readonly [what: string, path: () => string, open: () => Promise<unknown>];
const pagePath = (path: string) => () => path;
const partPath = (tab: string) => () => `fileDetail?id=${recordingId}&tab=${tab}`;

const overlays: readonly Overlay[] = [
  ['menu of files', pagePath('files'), () => press('files-menu')],
  ['sort', pagePath('files'), () => press('filter-sort')],
  ['time', pagePath('files'), () => press('filter-time')],
  ['type', pagePath('files'), () => press('filter-type')],
  ['days', pagePath('files'), () => press('filter-time').then(() => chooseItem(4))],
  ['menu of a row', pagePath('files'), openRowMenu],
  ['rename', pagePath('files'), () => openRowMenu().then(() => chooseItem(0))],
  ['tags', pagePath('files'), () => openRowMenu().then(() => chooseItem(1))],
  ['delete for good', pagePath('recycleBin'), () => press('delete')],
  ['empty the bin', pagePath('recycleBin'), () => press('bin-empty')],
  ['export', partPath('transcription'), () => press('export')],
  [
    'share a link',
    partPath('transcription'),
    () => press('export').then(() => press('share-link-open')),
  ],
  ['keys', partPath('transcription'), () => phone.page.keyboard.press('?')],
  ['menu of a paragraph', partPath('transcription'), () => press('paragraph-more')],
  ['speakers', partPath('transcription'), () => press('paragraph-more').then(() => chooseItem(1))],
  [
    'earlier texts',
    partPath('transcription'),
    () => press('paragraph-more').then(() => chooseItem(3)),
  ],
  ['back to the original', partPath('transcription'), () => press('back-to-original')],
  ['all tabs', partPath('transcription'), () => press('all-tabs')],
  ['formats of a map', partPath('mindMap'), () => press('map-save')],
  ['ways in a map', partPath('mindMap'), () => chooseNode().then(() => press('map-more'))],
  ['name in a map', partPath('mindMap'), () => chooseNode().then(() => press('map-rename'))],
  ['delete from the recorder', pagePath('deviceFiles'), () => askToDeleteSession()],
  ['unbind', pagePath('myDevice'), () => expectConnected().then(() => press('unbind'))],
  ['sign out', pagePath('me'), () => press('sign-out')],
  ['close the account', pagePath('personalInformation'), () => press('cancel-account')],
  [
    'crop a picture',
    pagePath('personalInformation'),
    () => id('picture-file').setInputFiles(picture),
  ],
  ['change the server', pagePath('serverAddress'), () => changeServer()],
  ['end the renewal', pagePath('vip'), () => press('cancel-renewal')],
  ['leave a place of storage', pagePath('storageLocation'), () => press('keep-cloud')],
  ['make room', pagePath('spaceManagement'), () => press('choose-safe').then(() => press('free'))],
];

const chooseNode = () => id('map-node').nth(1).click();
const expectConnected = () => expect(id('usage')).toBeVisible();
const askToDeleteSession = () => phone.page.locator('.session-delete').first().click();
async function changeServer(): Promise<void> {
  await id('server-address').fill(otherStack.url);
  await press('ask-server');
  await press('use-server');
}

for (const language of pageLanguages) {
  test(`overlays have no faults in ${language}`, async () => {
    // No firmware is published.
    pageErrors.allow(/static\/firmware/);
    const { app, page } = phone;
    await phone.setLanguage(language);
    for (const [label, path, open] of overlays) {
      await app.show(`/pages/${path()}`);
      await open();
      await expect(
        page.locator('[role="dialog"], [role="alertdialog"], [role="menu"]'),
        label,
      ).toBeVisible();
      await phone.expectNoFaults(language, label, content);
    }
    await app.openAndLoad('/pages/files');
    await app.row(untranscribedId).locator('.row-menu').click();
    await chooseItem(-1);
    // A toast stays open while it is hovered.
    await id('toast').hover();
    await phone.expectNoFaults(language, 'toast', content);
    await id('toast').getByRole('button').first().click();
    await expect(app.row(untranscribedId)).toBeVisible();
  });
}

/**
 * Overlays on the narrowest supported screen: menus, questions, sheets and toasts, measured like the pages in
 * `pages.spec.ts`, and in the same languages.
 */
import { join } from 'node:path';
import { writeWave } from '@linnet/audio/wave';
import { expect, type Locator, test } from '@playwright/test';
import { NarrowPhone, overlayLanguages } from '../support/narrow-phone.ts';
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
const added = 'Indeed.';
/** The owner's words, in the language they were spoken and written in. */
const content = `${owner} ${talk.title} ${talk.lines.join(' ')} ${added} New Move Bare Gone`;
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
/** A server to switch to. */
let other: Stack;
/** A member's phone with a recorder, a recording that was read and edited, and one in the recycle bin. */
let phone: NarrowPhone;
let recordingId: string;
const bare = crypto.randomUUID();
const deletedId = crypto.randomUUID();

// Each one is quick; there are many of them.
test.describe.configure({ timeout: 600_000 });
test.use({ actionTimeout: 30_000 });
test.beforeAll(async ({ browser }) => {
  // The recorder has only the test's own sessions, so that no text is random.
  environment = await ScriptedSpeechStack.start({ microphone: talk });
  const { stack } = environment;
  other = await Stack.start({ env: { CORS_ORIGINS: stack.url } });
  const account = await ServerAccount.register(stack, owner);
  ({ id: recordingId } = await environment.transcribe(account, talk));
  for (const [id, name] of [
    [bare, 'Bare'],
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
  await page.getByRole('menuitem').nth(3).click();
  await expect(app.rows()).toHaveCount(2);
  await app.openAndLoad(`/pages/fileDetail?id=${recordingId}`);
  await page.getByTestId('paragraph-more').first().click();
  await page.getByRole('menuitem').first().click();
  await page.getByTestId('paragraph-editor').fill(added);
  await page.getByTestId('paragraph-editor').press('Control+Enter');
  await expect(page.getByTestId('back-to-original')).toBeVisible();
  await app.bind('websocket');
  await app.placeOrder('success', 'vip_monthly');
});
test.afterAll(async () => {
  await phone?.close();
  await other?.stop();
  await environment?.stop();
});
test.afterEach(() => {
  expect(pageErrors.takeUnexpected()).toEqual([]);
});

const id = (testId: string): Locator => phone.page.getByTestId(testId);
const press = (testId: string) => id(testId).first().click();
const item = (index: number) =>
  phone.page.locator('[role="menuitem"], [role="menuitemcheckbox"]').nth(index).click();
const rowMenu = () => phone.app.row(recordingId).locator('.row-menu').click();

/** A page, and how to open its overlay. */
type Overlay = readonly [what: string, path: () => string, open: () => Promise<unknown>];
const on = (path: string) => () => path;
const part = (tab: string) => () => `fileDetail?id=${recordingId}&tab=${tab}`;

const overlays: readonly Overlay[] = [
  ['menu of files', on('files'), () => press('files-menu')],
  ['sort', on('files'), () => press('filter-sort')],
  ['time', on('files'), () => press('filter-time')],
  ['source', on('files'), () => press('filter-source')],
  ['days', on('files'), () => press('filter-time').then(() => item(4))],
  ['menu of a row', on('files'), rowMenu],
  ['rename', on('files'), () => rowMenu().then(() => item(0))],
  ['tags', on('files'), () => rowMenu().then(() => item(1))],
  ['delete for good', on('recycleBin'), () => press('delete')],
  ['empty the bin', on('recycleBin'), () => press('bin-empty')],
  ['export', part('transcription'), () => press('export')],
  ['keys', part('transcription'), () => phone.page.keyboard.press('?')],
  ['menu of a paragraph', part('transcription'), () => press('paragraph-more')],
  ['speakers', part('transcription'), () => press('paragraph-more').then(() => item(1))],
  ['earlier texts', part('transcription'), () => press('paragraph-more').then(() => item(3))],
  ['back to the original', part('transcription'), () => press('back-to-original')],
  ['formats of a map', part('mindMap'), () => press('map-save')],
  ['ways in a map', part('mindMap'), () => chooseNode().then(() => press('map-more'))],
  ['name in a map', part('mindMap'), () => chooseNode().then(() => press('map-rename'))],
  ['delete from the recorder', on('deviceFiles'), () => deviceSession()],
  ['unbind', on('myDevice'), () => connected().then(() => press('unbind'))],
  ['sign out', on('me'), () => press('sign-out')],
  ['close the account', on('personalInformation'), () => press('cancel-account')],
  ['crop a picture', on('personalInformation'), () => id('picture-file').setInputFiles(picture)],
  ['change the server', on('serverAddress'), () => changeServer()],
  ['end the renewal', on('vip'), () => press('cancel-renewal')],
  ['leave a place of storage', on('storageLocation'), () => press('keep-cloud')],
  ['make room', on('spaceManagement'), () => press('choose-safe').then(() => press('free'))],
];

const chooseNode = () => id('map-node').nth(1).click();
const connected = () => expect(id('usage')).toBeVisible();
const deviceSession = () => phone.page.locator('.session-delete').first().click();
async function changeServer(): Promise<void> {
  await id('server-address').fill(other.url);
  await press('ask-server');
  await press('use-server');
}

for (const language of overlayLanguages) {
  test(`overlays have no faults in ${language}`, async () => {
    // No firmware is published.
    pageErrors.allow(/static\/firmware/);
    const { app, page } = phone;
    await phone.setLanguage(language);
    for (const [what, path, open] of overlays) {
      await app.openAndLoad(`/pages/${path()}`);
      await open();
      await expect(
        page.locator('[role="dialog"], [role="alertdialog"], [role="menu"]'),
        what,
      ).toBeVisible();
      await phone.expectNoFaults(language, what, content);
    }
    await app.openAndLoad('/pages/files');
    await app.row(bare).locator('.row-menu').click();
    await item(3);
    // A toast stays while the pointer is on it.
    await id('toast').hover();
    await phone.expectNoFaults(language, 'toast', content);
    await id('toast').getByRole('button').first().click();
    await expect(app.row(bare)).toBeVisible();
  });
}

/** Tests the recordings on the recorder: the order of transfers, retries after failures, and deletion. */
import { SAMPLE_RATE } from '@linnet/audio/format';
import { writeWave } from '@linnet/audio/wave';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';

/** A recorder speed at which 20 seconds of audio take a minute to transfer. */
const SLOW = 0.05;
const FAST = 20;

let environment: EmptyRecorderStack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;
const pageErrors = new PageErrors();

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  // Without a trial, nothing is uploaded automatically, so recordings stay on the phone.
  environment = await EmptyRecorderStack.start({ env: { TRIAL_DAYS: '0' } });
  context = await browser.newContext({
    ...{ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, locale: 'en-GB' },
  });
  pageErrors.listenTo(context);
  page = await context.newPage();
  app = new LinnetApp(page, environment.stack);
  await app.signUp('bunting@example.org');
  await app.bind('websocket');
});
test.afterAll(async () => {
  await context?.close();
  await environment?.stop();
});
test.afterEach(() => {
  expect(pageErrors.takeUnexpected()).toEqual([]);
});

const row = (sessionId: number) =>
  page.locator(`[data-testid="device-session"][data-session-id="${sessionId}"]`);
const fetchButton = (sessionId: number) =>
  row(sessionId).getByRole('button', { name: /^Transfer: / });
const fetchAllButton = () => page.getByRole('button', { name: 'Transfer all' });
const getPercent = async (sessionId: number) =>
  Number(await row(sessionId).getByTestId('row-progress').getAttribute('aria-valuenow'));
const expectState = (sessionId: number, state: string) =>
  expect(row(sessionId)).toHaveAttribute('data-state', state);

/** Returns the ids of the sessions on the recorder. */
const listOnRecorder = async () =>
  (await environment.stack.recorder.getStatus()).sessions.map(({ sessionId }) => sessionId);

test('shows that it is connecting while the page loads', async () => {
  await page.addInitScript(() => {
    const titles = new Set<string>();
    Object.assign(window, { titles });
    new MutationObserver(() => {
      const title = document.querySelector('.empty h2')?.textContent;
      if (title) titles.add(title);
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });
  await app.open('/pages/deviceFiles');
  await expect(page.getByText('No recordings on the recorder')).toBeVisible();
  const titles = await page.evaluate(() => [
    ...(window as unknown as { titles: Set<string> }).titles,
  ]);
  expect(titles).toEqual(['Connecting', 'No recordings on the recorder']);
});

test('reports a session list that is unreadable, also in Files', async () => {
  const { recorder } = environment.stack;
  const message = page.getByText('Couldn’t load the recordings on the recorder');
  await recorder.setFaults({ listMalformed: true });
  await app.show('/pages/deviceFiles');
  await expect(message).toBeVisible();
  await app.open('/pages/files');
  await expect(message).toBeVisible();
  await expectNoViolations(page);
  await recorder.setFaults({ listMalformed: false });
  // The app also retries automatically, so the button may disappear before it is pressed.
  const tryAgain = page.getByRole('button', { name: 'Try again' });
  await expect(async () => {
    if (await tryAgain.isVisible()) await tryAgain.click({ timeout: 2000 });
    await expect(message).toHaveCount(0, { timeout: 2000 });
  }).toPass();
  await app.show('/pages/deviceFiles');
});

/**
 * Presses a session's delete button.
 * @returns the confirmation dialog
 */
async function askToDelete(sessionId: number) {
  await row(sessionId)
    .getByRole('button', { name: /^Delete/ })
    .click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('Delete this recording from the recorder?');
  return question;
}

test('transfers a requested session before the others, and shows its progress', async () => {
  const { recorder } = environment.stack;
  await recorder.setSpeed(SLOW);
  const first = await environment.addSpeech(20);
  const second = await environment.addSpeech(20);
  const third = await environment.addSpeech(20);
  await expectState(first, 'transferring');
  await expectState(second, 'waiting');
  await expectState(third, 'waiting');
  await expect(row(third)).toContainText('In queue');
  // All sessions are transferred automatically.
  await expect(fetchAllButton()).toHaveCount(0);
  await expect(fetchButton(first)).toHaveCount(0);
  await expectNoViolations(page);

  await fetchButton(third).click();
  await expectState(third, 'transferring');
  await expectState(first, 'waiting');
  await expect.poll(() => getPercent(third)).toBeGreaterThan(0);
  const before = await getPercent(third);
  await expect(row(third)).toContainText(/Transferring, \d+%/);
  await expect.poll(() => getPercent(third)).toBeGreaterThan(before);
  expect(await getPercent(third)).toBeLessThan(100);

  await recorder.setSpeed(FAST);
  for (const each of [first, second, third]) await expectState(each, 'complete');
  await expect(row(third)).toContainText('On this device');
});

test('retries one or all failed sessions on request', async () => {
  const { recorder } = environment.stack;
  // The recorder reports wrong lengths for its sessions, so their verification fails.
  await recorder.setFaults({ lengthLie: 160 });
  const sessions = [
    await environment.addSpeech(3),
    await environment.addSpeech(3),
    await environment.addSpeech(3),
  ];
  for (const each of sessions) {
    await expectState(each, 'stopped');
    await expect(row(each)).toContainText('Only on the recorder');
  }
  await expectNoViolations(page);
  await recorder.setFaults({ lengthLie: 0 });
  const [firstSession, ...otherSessions] = sessions as [number, ...number[]];
  await fetchButton(firstSession).click();
  await expectState(firstSession, 'complete');
  for (const each of otherSessions) await expectState(each, 'stopped');
  await fetchAllButton().click();
  for (const each of otherSessions) await expectState(each, 'complete');
  await expect(fetchAllButton()).toHaveCount(0);
});

test('deletes the recorder’s copy of a safely stored recording after confirmation', async () => {
  const [session] = (await listOnRecorder()) as [number];
  const id = (await row(session).getAttribute('data-record-id')) as string;
  const question = await askToDelete(session);
  await expect(question).toContainText('There’s a verified copy on this device.');
  await expect(question).not.toContainText('the only copy');
  await expectNoViolations(page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toHaveCount(0);
  await expectState(session, 'complete');
  expect(await listOnRecorder()).toContain(session);

  await (await askToDelete(session)).getByRole('button', { name: 'Delete' }).click();
  await app.expectToast('Deleted from the recorder');
  await expect(row(session)).toHaveCount(0);
  expect(await listOnRecorder()).not.toContain(session);
  expect((await app.readStoredFile(id, 'ogg')).length).toBeGreaterThan(0);
});

test('warns before the last copy of a recording is deleted, and can be canceled', async () => {
  const { recorder } = environment.stack;
  await recorder.setSpeed(SLOW);
  const transferring = await environment.addSpeech(20);
  const last = await environment.addSpeech(20);
  await expectState(transferring, 'transferring');
  await expectState(last, 'waiting');
  const question = await askToDelete(last);
  await expect(question).toContainText('This is the only copy. Deleting it can’t be undone.');
  await expect(question).not.toContainText('stays');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expectState(last, 'waiting');
  expect(await listOnRecorder()).toContain(last);

  const id = (await row(last).getAttribute('data-record-id')) as string;
  await (await askToDelete(last)).getByRole('button', { name: 'Delete' }).click();
  await expect(row(last)).toHaveCount(0);
  expect(await listOnRecorder()).not.toContain(last);
  await recorder.setSpeed(FAST);
  await expectState(transferring, 'complete');
  // No copy of the recording is left, so it is no longer listed.
  await app.show('/pages/files');
  await expect(app.rows().first()).toBeVisible();
  await expect(app.row(id)).toHaveCount(0);
});

test('lists a session without a start time, and dates its recording by the transfer', async () => {
  const { recorder } = environment.stack;
  const session = await recorder.addSession(writeWave(new Int16Array(SAMPLE_RATE), SAMPLE_RATE), 0);
  await app.show('/pages/deviceFiles');
  await expect(row(session)).toContainText('Unknown date');
  await expectState(session, 'complete');
  const id = (await row(session).getAttribute('data-record-id')) as string;
  await app.show('/pages/files');
  const today = new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'long' });
  await expect(app.row(id)).toContainText(`Recording, ${today}`);
});

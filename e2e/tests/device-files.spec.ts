/** Recordings on the recorder: transferred in another order, retried after a failure, and deleted there. */
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';

/** So slow that 20 seconds of audio take a minute to transfer. */
const SLOW = 0.05;
const FAST = 20;

let environment: EmptyRecorderStack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;
const pageErrors = new PageErrors();

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  // Without a trial nothing is uploaded automatically: recordings stay on the phone.
  environment = await EmptyRecorderStack.start({ env: { TRIAL_DAYS: '0' } });
  context = await browser.newContext({
    ...{ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, locale: 'en-GB' },
  });
  pageErrors.listenTo(context);
  page = await context.newPage();
  app = new LinnetApp(page, environment.stack);
  await app.signUp('bunting@example.org');
  await app.bind('websocket');
  await app.open('/pages/deviceFiles');
  await expect(page.getByText('Nothing on the recorder')).toBeVisible();
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
const fetchOne = (sessionId: number) => row(sessionId).getByRole('button', { name: /^Fetch/ });
const fetchAll = () => page.getByRole('button', { name: 'Fetch all' });
const percent = async (sessionId: number) =>
  Number(await row(sessionId).getByTestId('row-progress').getAttribute('aria-valuenow'));
const expectState = (sessionId: number, state: string) =>
  expect(row(sessionId)).toHaveAttribute('data-state', state);

/** The recorder's own list. */
const onRecorder = async () =>
  (await environment.stack.recorder.getStatus()).sessions.map(({ sessionId }) => sessionId);

/** Asks to delete a session on the recorder. @returns the confirmation dialog */
async function askToDelete(sessionId: number) {
  await row(sessionId)
    .getByRole('button', { name: /^Delete/ })
    .click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('Delete it from the recorder?');
  return question;
}

test('a requested session is transferred before the others, and its row shows progress', async () => {
  const { recorder } = environment.stack;
  await recorder.setSpeed(SLOW);
  const first = await environment.addSpeech(20);
  const second = await environment.addSpeech(20);
  const third = await environment.addSpeech(20);
  await expectState(first, 'moving');
  await expectState(second, 'waiting');
  await expectState(third, 'waiting');
  await expect(row(third)).toContainText('Waiting its turn');
  // All of them are transferred automatically.
  await expect(fetchAll()).toHaveCount(0);
  await expect(fetchOne(first)).toHaveCount(0);
  await expectNoViolations(page);

  await fetchOne(third).click();
  await expectState(third, 'moving');
  await expectState(first, 'waiting');
  await expect.poll(() => percent(third)).toBeGreaterThan(0);
  const before = await percent(third);
  await expect(row(third)).toContainText(/Coming over, \d+%/);
  await expect.poll(() => percent(third)).toBeGreaterThan(before);
  expect(await percent(third)).toBeLessThan(100);

  await recorder.setSpeed(FAST);
  for (const each of [first, second, third]) await expectState(each, 'whole');
  await expect(row(third)).toContainText('On this phone');
});

test('failed sessions are retried on request, one by one or all together', async () => {
  const { recorder } = environment.stack;
  // The recorder overstates the length of its sessions, so that no copy agrees.
  await recorder.setFaults({ lengthLie: 160 });
  const sessions = [
    await environment.addSpeech(6),
    await environment.addSpeech(6),
    await environment.addSpeech(6),
  ];
  for (const each of sessions) {
    await expectState(each, 'stopped');
    await expect(row(each)).toContainText('Only on the recorder');
  }
  await expectNoViolations(page);
  await recorder.setFaults({ lengthLie: 0 });
  const [one, ...others] = sessions as [number, ...number[]];
  await fetchOne(one).click();
  await expectState(one, 'whole');
  for (const each of others) await expectState(each, 'stopped');
  await fetchAll().click();
  for (const each of others) await expectState(each, 'whole');
  await expect(fetchAll()).toHaveCount(0);
});

test('the recorder’s copy of a safely stored recording is deleted after confirmation', async () => {
  const [session] = (await onRecorder()) as [number];
  const id = (await row(session).getAttribute('data-record-id')) as string;
  const question = await askToDelete(session);
  await expect(question).toContainText('A checked copy stays on this phone.');
  await expect(question).not.toContainText('nowhere else');
  await expectNoViolations(page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toHaveCount(0);
  await expectState(session, 'whole');
  expect(await onRecorder()).toContain(session);

  await (await askToDelete(session)).getByRole('button', { name: 'Delete' }).click();
  await app.expectToast('Deleted from the recorder');
  await expect(row(session)).toHaveCount(0);
  expect(await onRecorder()).not.toContain(session);
  expect((await app.readStoredFile(id, 'ogg')).length).toBeGreaterThan(0);
});

test('deleting the last copy is announced, and Cancel keeps it', async () => {
  const { recorder } = environment.stack;
  await recorder.setSpeed(SLOW);
  const comes = await environment.addSpeech(20);
  const last = await environment.addSpeech(20);
  await expectState(comes, 'moving');
  await expectState(last, 'waiting');
  const question = await askToDelete(last);
  await expect(question).toContainText(
    'It is nowhere else. Once deleted, it cannot be brought back.',
  );
  await expect(question).not.toContainText('stays');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expectState(last, 'waiting');
  expect(await onRecorder()).toContain(last);

  const id = (await row(last).getAttribute('data-record-id')) as string;
  await (await askToDelete(last)).getByRole('button', { name: 'Delete' }).click();
  await expect(row(last)).toHaveCount(0);
  expect(await onRecorder()).not.toContain(last);
  await recorder.setSpeed(FAST);
  await expectState(comes, 'whole');
  // No copy is left, and so nothing waits for it.
  await app.open('/pages/files');
  await expect(app.rows().first()).toBeVisible();
  await expect(app.row(id)).toHaveCount(0);
});

/** Every state of a recording on the way to its transcript, as its row shows it, and the obstacles. */
import { randomUUID } from 'node:crypto';
import { writeWave } from '@linnet/audio/wave';
import { recordingId } from '@linnet/sync';
import { type BrowserContext, expect, type Locator, type Page, test } from '@playwright/test';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import { ScriptedSpeechStack, type Talk } from '../support/scripted-speech-stack.ts';
import { ServerAccount } from '../support/server-account.ts';

const owner = 'waiting@example.org';
const talk: Talk = {
  title: 'Plans',
  language: 'en',
  lines: ['Today we talk about the spring concert.', 'Miriam, please call the soloists.'],
};
/** Bytes a second at which its upload takes about ten seconds. */
const SLOW_UPLOAD = 8 * 1024;
/** Speeds of the recorder, slow and fast, times real time. */
const [SLOW, FAST] = [0.25, 20];

const pageErrors = new PageErrors();
let environment: ScriptedSpeechStack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;
let ids: { first: string; second: string; short: string };

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  // Without a membership nothing is uploaded or transcribed without a request.
  environment = await ScriptedSpeechStack.start({
    speed: FAST,
    microphone: talk,
    env: { TRIAL_DAYS: '0' },
  });
  context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  pageErrors.listenTo(context);
  page = await context.newPage();
  app = new LinnetApp(page, environment.stack);
  await app.signUp(owner);
  await app.bind('websocket');
});
test.afterAll(async () => {
  await context?.close();
  await environment?.stop();
});
test.afterEach(() => expect(pageErrors.takeUnexpected()).toEqual([]));

const way = () => page.locator('.stages');
const minutes = () => page.getByTestId('cost');
const language = () => page.getByTestId('spoken-language');
const transcribe = () => page.getByRole('button', { name: 'Transcribe', exact: true });

/** Chooses the spoken language, and waits until the server has saved it. */
async function speak(wanted: string): Promise<void> {
  const saved = page.waitForResponse(/sync\/apply/);
  await language().selectOption(wanted);
  await saved;
}

/** Expects the row to show this state, with progress once the step has begun. */
async function expectState(id: string, state: string, says: RegExp): Promise<void> {
  const row = app.row(id);
  await expect(row).toHaveAttribute('data-state', state, { timeout: 60_000 });
  await expect(row.getByLabel(says).or(row.getByText(says)).first()).toBeVisible();
}
const percent = async (row: Locator) =>
  Number(await row.getByRole('progressbar').getAttribute('aria-valuenow'));

async function limitUpload(bytes: number): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  const free = { offline: false, latency: 0, downloadThroughput: -1 };
  await session.send('Network.emulateNetworkConditions', { ...free, uploadThroughput: bytes });
}

test('the row follows a recording from the recorder to the phone', async () => {
  const { recorder } = environment.stack;
  await recorder.setSpeed(SLOW);
  const sound = new Uint8Array(environment.synthesize(talk));
  const blip = writeWave(new Int16Array(16_000), 16_000);
  const sessions = [];
  for (const wave of [sound, sound, blip]) sessions.push(await recorder.addSession(wave));
  const { sn, sessions: known } = await recorder.getStatus();
  const [first = '', second = '', short = ''] = sessions.map((sessionId) => {
    const { startTime = 0 } = known.find((each) => each.sessionId === sessionId) ?? {};
    return recordingId(sn, sessionId, startTime);
  });
  ids = { first, second, short };
  await page.reload();
  await expect(app.rows('fetching')).toHaveCount(1);
  const moving = (await app.rows('fetching').getAttribute('data-record-id')) as string;
  const waiting = [first, second].find((id) => id !== moving) as string;
  await expectState(waiting, 'on-recorder', /^Still on the recorder|^On recorder/);
  await expectState(moving, 'fetching', /^Coming from the recorder, \d+\s?%$/);
  const before = await percent(app.row(moving));
  await expect.poll(() => percent(app.row(moving))).toBeGreaterThan(before);
  await recorder.setSpeed(FAST);
  for (const id of [first, second, short]) await expectState(id, 'local', /^Waiting to upload$/);
});

test('a recording too short to transcribe is reported, and costs nothing', async () => {
  await app.openRecording(ids.short);
  await expect(way()).toContainText('too short to transcribe');
  await expect(transcribe()).toHaveCount(0);
  await expect(minutes()).toHaveCount(0);
});

test('the page shows price and language before a transcription', async () => {
  await app.openRecording(ids.first);
  await expect(way()).toContainText('It is not on the server yet');
  await expect(minutes()).toContainText('Takes 1 minute of transcription time. You have 30.');
  await expect(language()).toHaveValue('en');
  await speak('fr');
  await page.reload();
  await expect(language()).toHaveValue('fr');
  // Saved for the next recording, too.
  await app.openRecording(ids.second);
  await expect(language()).toHaveValue('fr');
  await speak('en');
  await page.reload();
  await expect(language()).toHaveValue('en');
});

test('the row follows upload and transcription stage by stage', async () => {
  await app.openRecording(ids.first);
  const answer = environment.holdResponses();
  let createTask = () => {};
  const released = new Promise<void>((resolve) => {
    createTask = resolve;
  });
  await page.route('**/task/create', async (route) => {
    await released;
    await route.continue();
  });
  await limitUpload(SLOW_UPLOAD);
  await transcribe().click();
  await expectState(ids.first, 'uploading', /^Uploading, \d+\s?%$/);
  const before = await percent(app.row(ids.first));
  await expect.poll(() => percent(app.row(ids.first))).toBeGreaterThan(before);
  await limitUpload(-1);
  await expectState(ids.first, 'cloud', /^In the cloud$/);
  await expect(way()).toContainText('A transcript is asked for');
  createTask();
  await expectState(ids.first, 'transcribing', /^Being transcribed, \d+\s?%$/);
  const now = page.getByTestId('task-steps').locator('[aria-current="step"]');
  await expect(now).toContainText('Writing down the words');
  await expect(page.getByTestId('task-steps').locator('[data-state="done"]')).toHaveText([
    'Unpacking the sound',
    'Finding where somebody speaks',
  ]);
  answer();
  await expectState(ids.first, 'done', /^Transcribed$/);
  await expect(page.locator('.paragraph-text').first()).toContainText('spring concert');
  await page.unroute('**/task/create');
});

test('a failed transcription says so, costs nothing, and can be retried', async () => {
  await app.openRecording(ids.second);
  await expect(minutes()).toContainText('You have 29.');
  environment.rejectNextRequest();
  await transcribe().click();
  await expectState(ids.second, 'trouble', /^Stopped: The transcription did not work. Try again$/);
  await expect(page.locator('.detail')).toContainText('The recording is safe');
  const balance = await app.callApi<{ left_minutes: number }>('/user/leftMinute');
  expect(balance).toMatchObject({ left_minutes: 29, reserved_minutes: 0 });
  await app
    .row(ids.second)
    .getByRole('button', { name: /Try again$/ })
    .click();
  await expectState(ids.second, 'done', /^Transcribed$/);
});

test('an insufficient balance is shown, and leads to membership', async () => {
  // Half an hour and a minute of near silence, from another phone.
  const rate = 100;
  const sound = Buffer.from(writeWave(new Int16Array(31 * 60 * rate), rate));
  const id = randomUUID();
  const account = await ServerAccount.signIn(environment.stack, owner);
  const file = { bytes: sound, ext: 'wav', type: 'audio/wav' } as const;
  await account.upload(id, file, { name: 'Long' });
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expectState(id, 'cloud', /^In the cloud$/);
  await app.openRecording(id);
  await expect(minutes()).toContainText('Takes 31 minutes of transcription time.');
  await expect(minutes()).toContainText('You have 28 left: not enough.');
  await expect(transcribe()).toBeDisabled();
  await page.getByRole('link', { name: 'Get minutes' }).click();
  await page.waitForURL('**/pages/vip');
  await expect(page.getByTestId('minutes-left')).toHaveText('28');
  await app.open('/pages/files');
});

test('an empty selection has no actions', async () => {
  await page.getByTestId('files-menu').click();
  await page.getByRole('menuitem', { name: 'Select recordings' }).click();
  await expect(page.getByTestId('selection-head')).toContainText('0 selected');
  for (const act of ['tag', 'export', 'bin']) {
    await expect(page.getByTestId(`selection-${act}`)).toBeDisabled();
  }
  await page.getByRole('checkbox').first().check();
  for (const act of ['tag', 'export', 'bin']) {
    await expect(page.getByTestId(`selection-${act}`)).toBeEnabled();
  }
  await page.keyboard.press('Escape');
});

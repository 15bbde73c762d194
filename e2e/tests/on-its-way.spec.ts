/** Tests a recording's row and page in every state on its way to the transcript, including failures. */
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
/** An upload rate at which the talk takes about ten seconds to upload. */
const SLOW_UPLOAD_BYTES_PER_SECOND = 8 * 1024;
/** Recorder speeds, as multiples of real time. */
const [SLOW, FAST] = [0.25, 20];

const pageErrors = new PageErrors();
let environment: ScriptedSpeechStack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;
let ids: { first: string; second: string; short: string };

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  // Without a membership, nothing is uploaded or transcribed automatically.
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

const stages = () => page.locator('.stages');
const cost = () => page.getByTestId('cost');
const languageSelect = () => page.getByTestId('spoken-language');
const transcribeButton = () => page.getByRole('button', { name: 'Transcribe', exact: true });

/** Selects the spoken language and waits until the server has saved it. */
async function selectLanguage(language: string): Promise<void> {
  const saved = page.waitForResponse(/sync\/apply/);
  await languageSelect().selectOption(language);
  await saved;
}

/** Asserts that a recording's row has a state and a label. */
async function expectState(id: string, state: string, label: RegExp): Promise<void> {
  const row = app.row(id);
  await expect(row).toHaveAttribute('data-state', state, { timeout: 60_000 });
  await expect(row.getByLabel(label).or(row.getByText(label)).first()).toBeVisible();
}
const getPercent = async (row: Locator) =>
  Number(await row.getByRole('progressbar').getAttribute('aria-valuenow'));

async function limitUpload(bytes: number): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  const free = { offline: false, latency: 0, downloadThroughput: -1 };
  await session.send('Network.emulateNetworkConditions', { ...free, uploadThroughput: bytes });
}

test('the row shows the transfer of a recording from the recorder', async () => {
  const { recorder } = environment.stack;
  await recorder.setSpeed(SLOW);
  const speech = new Uint8Array(environment.synthesize(talk));
  const shortSilence = writeWave(new Int16Array(16_000), 16_000);
  const sessions = [];
  for (const wave of [speech, speech, shortSilence]) sessions.push(await recorder.addSession(wave));
  const { sn, sessions: recorderSessions } = await recorder.getStatus();
  const [first = '', second = '', short = ''] = sessions.map((sessionId) => {
    const { startTime = 0 } = recorderSessions.find((each) => each.sessionId === sessionId) ?? {};
    return recordingId(sn, sessionId, startTime);
  });
  ids = { first, second, short };
  await page.reload();
  await expect(app.rows('fetching')).toHaveCount(1);
  const movingId = (await app.rows('fetching').getAttribute('data-record-id')) as string;
  const waitingId = [first, second].find((id) => id !== movingId) as string;
  await expectState(waitingId, 'on-recorder', /^Still on the recorder|^On recorder/);
  await expectState(movingId, 'fetching', /^Transferring, \d+\s?%$/);
  const before = await getPercent(app.row(movingId));
  await expect.poll(() => getPercent(app.row(movingId))).toBeGreaterThan(before);
  await recorder.setSpeed(FAST);
  for (const id of [first, second, short]) await expectState(id, 'local', /^Waiting to upload$/);
});

test('a recording that is too short to transcribe is reported, and is free', async () => {
  await app.openRecording(ids.short);
  await expect(stages()).toContainText('too short to transcribe');
  await expect(transcribeButton()).toHaveCount(0);
  await expect(cost()).toHaveCount(0);
});

test('the page shows the price and language of a transcription in advance', async () => {
  await app.openRecording(ids.first);
  await expect(stages()).toContainText('This recording isn’t on the server yet');
  await expect(cost()).toContainText('Uses 1 transcription minute. You have 30 left.');
  await expect(languageSelect()).toHaveValue('en');
  await selectLanguage('fr');
  await page.reload();
  await expect(languageSelect()).toHaveValue('fr');
  // The language also applies to the next recording.
  await app.openRecording(ids.second);
  await expect(languageSelect()).toHaveValue('fr');
  await selectLanguage('en');
  await page.reload();
  await expect(languageSelect()).toHaveValue('en');
});

test('the row shows each stage of upload and transcription', async () => {
  await app.openRecording(ids.first);
  const releaseResponses = environment.holdResponses();
  let releaseTaskCreation = () => {};
  const taskCreationReleased = new Promise<void>((resolve) => {
    releaseTaskCreation = resolve;
  });
  await page.route('**/task/create', async (route) => {
    await taskCreationReleased;
    await route.continue();
  });
  await limitUpload(SLOW_UPLOAD_BYTES_PER_SECOND);
  await transcribeButton().click();
  await expectState(ids.first, 'uploading', /^Uploading, \d+\s?%$/);
  const before = await getPercent(app.row(ids.first));
  await expect.poll(() => getPercent(app.row(ids.first))).toBeGreaterThan(before);
  await limitUpload(-1);
  await expectState(ids.first, 'cloud', /^In the cloud$/);
  await expect(stages()).toContainText('Transcript requested');
  releaseTaskCreation();
  await expectState(ids.first, 'transcribing', /^Transcribing, \d+\s?%$/);
  const currentStep = page.getByTestId('task-steps').locator('[aria-current="step"]');
  await expect(currentStep).toContainText('Transcribing speech');
  await expect(page.getByTestId('task-steps').locator('[data-state="done"]')).toHaveText([
    'Decoding audio',
    'Detecting speech',
  ]);
  releaseResponses();
  await expectState(ids.first, 'done', /^Transcribed$/);
  await expect(page.locator('.paragraph-text').first()).toContainText('spring concert');
  await page.unroute('**/task/create');
});

test('a failed transcription is reported, is free, and can be retried', async () => {
  await app.openRecording(ids.second);
  await expect(cost()).toContainText('You have 29 left.');
  environment.rejectNextRequest();
  await transcribeButton().click();
  await expectState(ids.second, 'trouble', /^Stopped: Couldn’t transcribe the recording/);
  await expect(page.locator('.detail')).toContainText('The recording is safe');
  const balance = await app.callApi<{ left_minutes: number }>('/user/leftMinute');
  expect(balance).toMatchObject({ left_minutes: 29, reserved_minutes: 0 });
  await app
    .row(ids.second)
    .getByRole('button', { name: /Try again$/ })
    .click();
  await expectState(ids.second, 'done', /^Transcribed$/);
});

test('an insufficient balance is shown, with a link to membership', async () => {
  // Another phone uploads 31 minutes of silence.
  const rate = 100;
  const longSilence = Buffer.from(writeWave(new Int16Array(31 * 60 * rate), rate));
  const id = randomUUID();
  const account = await ServerAccount.signIn(environment.stack, owner);
  const file = { bytes: longSilence, ext: 'wav', type: 'audio/wav' } as const;
  await account.upload(id, file, { name: 'Long' });
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expectState(id, 'cloud', /^In the cloud$/);
  await app.openRecording(id);
  await expect(cost()).toContainText('Uses 31 transcription minutes.');
  await expect(cost()).toContainText('You have 28 left, which isn’t enough.');
  await expect(transcribeButton()).toBeDisabled();
  await page.getByRole('link', { name: 'Get more minutes' }).click();
  await page.waitForURL('**/pages/vip');
  await expect(page.getByTestId('minutes-left')).toHaveText('28');
  await app.open('/pages/files');
});

/** Tests the record button and a recording's live view: waveform, time and transfer. */
import { demuxOgg } from '@linnet/audio/ogg';
import { decodeRequest, FrameDecoder } from '@linnet/device/codec';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import { Finger } from '../support/finger.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import type { Stack } from '../support/stack.ts';

/** Maximum height of a waveform bar during silence. */
const MAX_SILENT_HEIGHT = 6;

let environment: EmptyRecorderStack;
let stack: Stack;
let app: LinnetApp;
let page: Page;
let context: BrowserContext;
const pageErrors = new PageErrors();
/** Waits longer than usual, because audio arrives in real time and a busy machine may be slow. */
const expectEventually = expect.configure({ timeout: 60_000 });
/** The app's requests to the recorder, by name and session ID. */
const sentRequests: string[] = [];

function recordRequests(opened: Page): void {
  opened.on('websocket', (socket) => {
    if (!socket.url().includes('/ble')) return;
    const decoder = new FrameDecoder();
    socket.on('framesent', ({ payload }) => {
      for (const frame of decoder.push(new Uint8Array(Buffer.from(payload)))) {
        if (frame.kind !== 'request') continue;
        const decoded = decodeRequest(frame);
        if (!decoded.ok) continue;
        const { name, value } = decoded.request;
        sentRequests.push('sessionId' in value ? `${name} ${value.sessionId}` : name);
      }
    });
  });
}

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  // Without a trial, nothing is uploaded automatically, so recordings stay on the phone. A recorder with protocol
  // version 1 doesn't encrypt its traffic, so the test can read the requests.
  environment = await EmptyRecorderStack.start({
    env: { TRIAL_DAYS: '0', RECORDER_PROTOCOL: '1' },
  });
  ({ stack } = environment);
  const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
  context = await browser.newContext({ ...phone, locale: 'en-GB' });
  pageErrors.listenTo(context);
  page = await context.newPage();
  recordRequests(page);
  app = new LinnetApp(page, stack);
  await app.signUp('lark@example.org');
  await app.bind('websocket');
});
test.afterAll(async () => {
  await context?.close();
  await environment?.stop();
});
test.afterEach(() => {
  expect(pageErrors.takeUnexpected()).toEqual([]);
});

/** Returns the heights of the waveform bars, from 0 to 62, oldest first. */
async function getBarHeights(): Promise<number[]> {
  const path = (await page.getByTestId('live-trace').getAttribute('d')) ?? '';
  return [...path.matchAll(/v([\d.]+)/g)].map(([, height]) => Number(height));
}
/** Returns the duration of the received audio in tenths of a second. */
const getReceivedTenths = async () =>
  Number(await page.getByTestId('live-trace').getAttribute('data-heard'));
const getTimerSeconds = async () =>
  Number(await page.getByTestId('record-timer').getAttribute('data-seconds'));
const newest = () => app.rows().first();

/** Waits until two consecutive readings of a value are equal, and returns it. */
async function waitForStableValue(readValue: () => Promise<number>): Promise<number> {
  let current = Number.NaN;
  const isSame = async () => {
    const before = current;
    current = await readValue();
    return current === before;
  };
  await expectEventually.poll(isSame, { intervals: [2000] }).toBe(true);
  return current;
}

async function getCurrentSessionId(): Promise<number> {
  const { session } = await stack.recorder.getStatus();
  if (!session) throw new Error('nothing is being recorded');
  return session.sessionId;
}

/** Asserts that the newest recording is complete and has the same packets as its session on the recorder. */
async function expectSameOnPhone(sessionId: number): Promise<void> {
  await expect(newest()).not.toHaveAttribute('data-state', /recording|fetching|on-recorder/, {
    timeout: 60_000,
  });
  const id = (await newest().getAttribute('data-record-id')) as string;
  const { packets } = demuxOgg(await app.readStoredFile(id, 'ogg'));
  expect(Buffer.concat(packets).equals(await stack.recorder.readPackets(sessionId))).toBe(true);
}

test('starts in the chosen scene and mode, shows time and waveform, and is complete when it stops', async () => {
  const options = page.getByRole('region', { name: 'Recording options' });
  const finger = await Finger.create(page);
  await finger.hold(app.recordButton('idle'), () => expect(options).toBeVisible());
  await expect(options).toBeVisible();
  await expect(app.recordButton('idle')).toBeVisible();
  await options.getByText('Note', { exact: true }).click();
  await options.getByText('Phone call').click();
  // The options are shown below the button, and persist across restarts.
  await page.reload();
  await expect(page.getByTestId('record-options')).toContainText('Note · Phone call');
  await expectNoViolations(page);
  await app.startRecording();
  const sheet = page.getByRole('region', { name: 'Recording', exact: true });
  await expect(sheet).toContainText('Note · Phone call');
  expect((await stack.recorder.getStatus()).session).toMatchObject({ mode: 'call', scene: 'note' });
  const sessionId = await getCurrentSessionId();

  await expectEventually.poll(getReceivedTenths).toBeGreaterThan(30);
  expect(Math.max(...(await getBarHeights()))).toBeGreaterThan(5 * MAX_SILENT_HEIGHT);
  const before = { count: await getReceivedTenths(), seconds: await getTimerSeconds() };
  await expectEventually.poll(getReceivedTenths).toBeGreaterThan(before.count);
  await expectEventually.poll(getTimerSeconds).toBeGreaterThan(before.seconds);
  await expect(newest()).toHaveAttribute('data-state', 'recording');
  await expect(newest()).toContainText('Recording now');
  await expectNoViolations(page);

  // The recording continues while the view is collapsed. The expanded view shows all audio received so far.
  const received = await getReceivedTenths();
  await page.getByRole('button', { name: 'Hide' }).click();
  await expect(page.getByTestId('live-trace')).toHaveCount(0);
  const secondsWhenCollapsed = await getTimerSeconds();
  await expectEventually.poll(getTimerSeconds).toBeGreaterThan(secondsWhenCollapsed);
  await page.getByRole('button', { name: 'Show recording' }).click();
  await expectEventually.poll(getReceivedTenths).toBeGreaterThan(received + 5);

  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(page.getByTestId('live-trace')).toBeVisible();
  const wide = await getReceivedTenths();
  await expectEventually.poll(getReceivedTenths).toBeGreaterThan(wide);
  await expectNoViolations(page);
  await page.setViewportSize({ width: 390, height: 844 });

  await app.stopRecording();
  await expect(sheet).toBeHidden();
  await expectSameOnPhone(sessionId);
  await expect(newest()).toContainText('Note');
  // The session was read only once, during the recording.
  expect(sentRequests.filter((request) => request === `syncFile ${sessionId}`)).toHaveLength(1);
  const readIndex = sentRequests.indexOf(`syncFile ${sessionId}`);
  expect(readIndex).toBeLessThan(sentRequests.indexOf('recordEnd'));
});

test('a recording started on the recorder appears; silence is a flat line', async () => {
  await stack.recorder.setScene(null);
  await stack.recorder.holdRecordButton();
  await expect(app.recordButton('recording')).toBeVisible();
  const sessionId = await getCurrentSessionId();
  await expectEventually.poll(getReceivedTenths).toBeGreaterThan(30);
  expect(Math.max(...(await getBarHeights()))).toBeLessThan(MAX_SILENT_HEIGHT);
  await stack.recorder.holdRecordButton();
  await expect(app.recordButton('idle')).toBeVisible();
  await expectSameOnPhone(sessionId);
  await stack.recorder.setScene('microphone');
});

test('can be paused and resumed; speech during the pause is not recorded', async () => {
  await app.startRecording();
  const sessionId = await getCurrentSessionId();
  await expectEventually.poll(getTimerSeconds).toBeGreaterThan(2);
  const pauseButton = page.getByTestId('record-hold');
  await expect(pauseButton).toHaveText('Pause');
  await pauseButton.click();
  await expect(pauseButton).toHaveText('Resume recording');
  const sheet = page.getByRole('region', { name: 'Recording', exact: true });
  await expect(sheet).toContainText('Nothing is recorded until you resume.');
  await expectNoViolations(page);
  const paused = await getTimerSeconds();
  const size = (await stack.recorder.readPackets(sessionId)).length;
  // After a reload, the app reads the state from the recorder.
  await page.reload();
  await page.getByRole('button', { name: 'Show recording' }).click();
  await expect(pauseButton).toHaveText('Resume recording');
  expect(await getTimerSeconds()).toBe(paused);
  expect((await stack.recorder.readPackets(sessionId)).length).toBe(size);

  await pauseButton.click();
  await expect(pauseButton).toHaveText('Pause');
  await expectEventually.poll(getTimerSeconds).toBeGreaterThan(paused + 1);
  await app.stopRecording();
  await expectSameOnPhone(sessionId);
});

test('shows that the recorder is out of range, and resumes at the same position', async () => {
  await app.startRecording();
  const sessionId = await getCurrentSessionId();
  await expectEventually.poll(getReceivedTenths).toBeGreaterThan(10);
  await stack.recorder.setFaults({ drop: true, refuseConnect: true });
  const sheet = page.getByRole('region', { name: 'Recording', exact: true });
  await expect(sheet).toContainText('out of range but still recording');
  await expect(newest()).toHaveAttribute('data-state', 'on-recorder');
  // The waveform may not show all received audio yet.
  const received = await getReceivedTenths();
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'Hide' }).click();
  await expect(sheet).toContainText('Out of range');
  await page.getByRole('button', { name: 'Show recording' }).click();
  const settled = await waitForStableValue(getReceivedTenths);
  expect(settled).toBeGreaterThanOrEqual(received);
  await page.getByRole('button', { name: 'Hide' }).click();
  await page.getByRole('button', { name: 'Show recording' }).click();
  expect(await getReceivedTenths()).toBe(settled);
  pageErrors.allow(/ws:\/\//);

  await stack.recorder.setFaults({ refuseConnect: false });
  await expect(app.recordButton('recording')).toBeVisible({ timeout: 60_000 });
  await expect(sheet).toContainText('Recording on your recorder, not this device.');
  await expectEventually.poll(getReceivedTenths).toBeGreaterThan(settled);
  await app.stopRecording();
  await expectSameOnPhone(sessionId);
});

const noFaults = {
  ...{ storageBytes: 32 * 2 ** 30, usbDisk: false, hardware: false, unavailable: false },
  startRefusal: null,
};

test('reports why it cannot start', async () => {
  await stack.recorder.setFaults({ usbDisk: true });
  const firstIndex = sentRequests.length;
  await app.recordButton('idle').click();
  await app.expectToast('The recorder is plugged in as a USB drive');
  // The app reads the status after each command, regardless of its result.
  const findStartRequest = () => Math.max(firstIndex, sentRequests.lastIndexOf('recordStart'));
  await expect
    .poll(() => sentRequests.slice(findStartRequest(), findStartRequest() + 2))
    .toEqual(['recordStart', 'status']);
  await expect(app.recordButton('idle')).toBeVisible();
  await stack.recorder.setFaults(noFaults);
});

test('rereads the status after a command, and shows that the recorder is unavailable', async () => {
  await stack.recorder.setFaults({ unavailable: true });
  const firstIndex = sentRequests.length;
  const getStartRequests = () =>
    sentRequests.slice(firstIndex).filter((request) => request === 'recordStart');
  await app.recordButton('idle').click();
  await app.expectToast('The recorder is busy');
  // The app learns of this state only from the recorder's status.
  const button = page.getByTestId('record-button');
  await expect(button).toHaveAttribute('data-state', 'unavailable');
  const startIndex = sentRequests.indexOf('recordStart', firstIndex);
  expect(sentRequests.slice(startIndex, startIndex + 2)).toEqual(['recordStart', 'status']);
  await button.click();
  await app.expectToast('The recording button isn’t available right now');
  expect(getStartRequests()).toHaveLength(1);
  await stack.recorder.setFaults(noFaults);
});

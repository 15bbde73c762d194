/** The record button, and the live view of a recording: waveform, time and transfer. */
import { demuxOgg } from '@linnet/audio/ogg';
import { decodeRequest, FrameDecoder } from '@linnet/device/codec';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import { Stack } from '../support/stack.ts';

/** Height of a silent bar, plus a margin. */
const SILENCE = 6;

let stack: Stack;
let app: LinnetApp;
let page: Page;
let context: BrowserContext;
const pageErrors = new PageErrors();
/** Audio arrives in real time: seconds of it need patience on a busy machine. */
const patient = expect.configure({ timeout: 60_000 });
/** Names of the app's requests to the recorder, with their session. */
const sent: string[] = [];

function listenToRadio(opened: Page): void {
  opened.on('websocket', (socket) => {
    if (!socket.url().includes('/ble')) return;
    const decoder = new FrameDecoder();
    socket.on('framesent', ({ payload }) => {
      for (const frame of decoder.push(new Uint8Array(Buffer.from(payload)))) {
        if (frame.kind !== 'request') continue;
        const decoded = decodeRequest(frame);
        if (!decoded.ok) continue;
        const { name, value } = decoded.request;
        sent.push('sessionId' in value ? `${name} ${value.sessionId}` : name);
      }
    });
  });
}

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  // Without a trial nothing is uploaded automatically: recordings stay on the phone.
  // Requests to a recorder of version 1 are readable on the air.
  const env = { RECORDER_SCENE: 'microphone', TRIAL_DAYS: '0', RECORDER_PROTOCOL: '1' };
  stack = await Stack.start({ speed: 50, env });
  const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
  context = await browser.newContext({ ...phone, locale: 'en-GB' });
  pageErrors.listenTo(context);
  page = await context.newPage();
  listenToRadio(page);
  app = new LinnetApp(page, stack);
  await app.signUp('lark@example.org');
  await app.bind('websocket');
  // Existing sessions are transferred first: afterwards only the test's recording is.
  await expect(app.rows()).toHaveCount(3);
  await expect(app.rows('fetching').or(app.rows('on-recorder'))).toHaveCount(0, {
    timeout: 120_000,
  });
  await stack.recorder.setSpeed(1);
});
test.afterAll(async () => {
  await context?.close();
  await stack?.stop();
});
test.afterEach(() => {
  expect(pageErrors.takeUnexpected()).toEqual([]);
});

/** Heights of the waveform's bars, oldest first, of 62. */
async function strokes(): Promise<number[]> {
  const path = (await page.getByTestId('live-trace').getAttribute('d')) ?? '';
  return [...path.matchAll(/v([\d.]+)/g)].map(([, height]) => Number(height));
}
/** Duration received so far, in tenths of a second. */
const count = async () => Number(await page.getByTestId('live-trace').getAttribute('data-heard'));
const seconds = async () =>
  Number(await page.getByTestId('record-timer').getAttribute('data-seconds'));
const newest = () => app.rows().first();

/** A stable value: equal in two readings, a moment apart. */
async function atRest(figure: () => Promise<number>): Promise<number> {
  let now = Number.NaN;
  const isSame = async () => {
    const before = now;
    now = await figure();
    return now === before;
  };
  await patient.poll(isSame, { intervals: [2000] }).toBe(true);
  return now;
}

async function sessionNow(): Promise<number> {
  const { session } = await stack.recorder.getStatus();
  if (!session) throw new Error('nothing is being recorded');
  return session.sessionId;
}

/** Expects the phone's copy to be complete and equal to the recorder's. */
async function expectWhole(sessionId: number): Promise<void> {
  await expect(newest()).not.toHaveAttribute('data-state', /recording|fetching|on-recorder/, {
    timeout: 60_000,
  });
  const id = (await newest().getAttribute('data-record-id')) as string;
  const { packets } = demuxOgg(await app.readStoredFile(id, 'ogg'));
  expect(Buffer.concat(packets).equals(await stack.recorder.readPackets(sessionId))).toBe(true);
}

test('starts in the chosen scene and mode, shows time and waveform, and is complete when it stops', async () => {
  await app.recordButton('idle').dispatchEvent('contextmenu');
  const options = page.getByRole('region', { name: 'Recording options' });
  await options.getByText('Note', { exact: true }).click();
  await options.getByText('To a phone call').click();
  await expectNoViolations(page);
  await app.startRecording();
  const sheet = page.getByRole('region', { name: 'Recording', exact: true });
  await expect(sheet).toContainText('Note · To a phone call');
  expect((await stack.recorder.getStatus()).session).toMatchObject({ mode: 'call', scene: 'note' });
  const sessionId = await sessionNow();

  await patient.poll(count).toBeGreaterThan(30);
  expect(Math.max(...(await strokes()))).toBeGreaterThan(5 * SILENCE);
  const before = { count: await count(), seconds: await seconds() };
  await patient.poll(count).toBeGreaterThan(before.count);
  await patient.poll(seconds).toBeGreaterThan(before.seconds);
  await expect(newest()).toHaveAttribute('data-state', 'recording');
  await expect(newest()).toContainText('Recording now');
  await expectNoViolations(page);

  // Collapsed, it continues; expanded, it shows the audio received meanwhile.
  const received = await count();
  await page.getByRole('button', { name: 'Hide' }).click();
  await expect(page.getByTestId('live-trace')).toHaveCount(0);
  const folded = await seconds();
  await patient.poll(seconds).toBeGreaterThan(folded);
  await page.getByRole('button', { name: 'Show recording' }).click();
  await patient.poll(count).toBeGreaterThan(received + 5);

  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(page.getByTestId('live-trace')).toBeVisible();
  const wide = await count();
  await patient.poll(count).toBeGreaterThan(wide);
  await expectNoViolations(page);
  await page.setViewportSize({ width: 390, height: 844 });

  await app.stopRecording();
  await expect(sheet).toBeHidden();
  await expectWhole(sessionId);
  // It was read once, during the recording: nothing was requested again.
  expect(sent.filter((request) => request === `syncFile ${sessionId}`)).toHaveLength(1);
  const read = sent.indexOf(`syncFile ${sessionId}`);
  expect(read).toBeLessThan(sent.indexOf('recordEnd'));
});

test('a recording started on the recorder appears; silence is a flat line', async () => {
  await stack.recorder.setScene(null);
  await stack.recorder.holdRecordButton();
  await expect(app.recordButton('recording')).toBeVisible();
  const sessionId = await sessionNow();
  await patient.poll(count).toBeGreaterThan(30);
  expect(Math.max(...(await strokes()))).toBeLessThan(SILENCE);
  await stack.recorder.holdRecordButton();
  await expect(app.recordButton('idle')).toBeVisible();
  await expectWhole(sessionId);
  await stack.recorder.setScene('microphone');
});

test('can be paused and resumed; speech during the pause is not recorded', async () => {
  await app.startRecording();
  const sessionId = await sessionNow();
  await patient.poll(seconds).toBeGreaterThan(2);
  const hold = page.getByTestId('record-hold');
  await expect(hold).toHaveText('Pause');
  await hold.click();
  await expect(hold).toHaveText('Go on recording');
  const sheet = page.getByRole('region', { name: 'Recording', exact: true });
  await expect(sheet).toContainText('Nothing is recorded until you go on.');
  await expectNoViolations(page);
  const paused = await seconds();
  const size = (await stack.recorder.readPackets(sessionId)).length;
  // The state survives a reload, which reads it from the recorder.
  await page.reload();
  await page.getByRole('button', { name: 'Show recording' }).click();
  await expect(hold).toHaveText('Go on recording');
  expect(await seconds()).toBe(paused);
  expect((await stack.recorder.readPackets(sessionId)).length).toBe(size);

  await hold.click();
  await expect(hold).toHaveText('Pause');
  await patient.poll(seconds).toBeGreaterThan(paused + 1);
  await app.stopRecording();
  await expectWhole(sessionId);
});

test('shows an out-of-range recorder, and resumes in place', async () => {
  await app.startRecording();
  const sessionId = await sessionNow();
  await patient.poll(count).toBeGreaterThan(10);
  await stack.recorder.setFaults({ drop: true, refuseConnect: true });
  const sheet = page.getByRole('region', { name: 'Recording', exact: true });
  await expect(sheet).toContainText('out of reach and goes on recording');
  await expect(newest()).toHaveAttribute('data-state', 'on-recorder');
  // Audio already received may still be measured.
  const received = await count();
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'Hide' }).click();
  await expect(sheet).toContainText('Out of reach');
  await page.getByRole('button', { name: 'Show recording' }).click();
  const settled = await atRest(count);
  expect(settled).toBeGreaterThanOrEqual(received);
  await page.getByRole('button', { name: 'Hide' }).click();
  await page.getByRole('button', { name: 'Show recording' }).click();
  expect(await count()).toBe(settled);
  pageErrors.allow(/ws:\/\//);

  await stack.recorder.setFaults({ refuseConnect: false });
  await expect(app.recordButton('recording')).toBeVisible({ timeout: 60_000 });
  await expect(sheet).toContainText('Your recorder is listening, not this phone.');
  await patient.poll(count).toBeGreaterThan(settled);
  await app.stopRecording();
  await expectWhole(sessionId);
});

const refusals = [
  [{ storageBytes: 1600 }, 'The recorder is full'],
  [{ usbDisk: true }, 'The recorder is plugged in as a USB disk'],
  [{ hardware: true }, 'The recorder reports a fault in its hardware'],
  [{ startRefusal: 'bluetooth_abnormal' }, 'Bluetooth is not working right'],
  [{ startRefusal: 'busy' }, 'The recorder is busy'],
  [{ startRefusal: 'wifi_mode' }, 'The recorder is in WiFi mode and cannot record'],
  [{ startRefusal: 'recording_stopped' }, 'The recording has stopped'],
  [{ startRefusal: 'waiting_for_bind' }, 'The recorder waits to be bound'],
] as const;
const well = {
  ...{ storageBytes: 32 * 2 ** 30, usbDisk: false, hardware: false, unavailable: false },
  startRefusal: null,
};

for (const [fault, words] of refusals) {
  test(`reports why it cannot start: ${words}`, async () => {
    await stack.recorder.setFaults(fault);
    const from = sent.length;
    await app.recordButton('idle').click();
    await app.expectToast(words);
    // Each command is followed by a read of the status, whatever its result; sync requests may follow.
    const order = () => Math.max(from, sent.lastIndexOf('recordStart'));
    await expect.poll(() => sent.slice(order(), order() + 2)).toEqual(['recordStart', 'status']);
    await expect(app.recordButton('idle')).toBeVisible();
    await stack.recorder.setFaults(well);
  });
}

test('rereads the status after a command, and marks an unavailable recorder as such', async () => {
  await stack.recorder.setFaults({ unavailable: true });
  const from = sent.length;
  const orders = () => sent.slice(from).filter((request) => request === 'recordStart');
  await app.recordButton('idle').click();
  await app.expectToast('The recorder is busy');
  // The app learns this only from the status that it rereads.
  const button = page.getByTestId('record-button');
  await expect(button).toHaveAttribute('data-state', 'unavailable');
  const order = sent.indexOf('recordStart', from);
  expect(sent.slice(order, order + 2)).toEqual(['recordStart', 'status']);
  await button.click();
  await app.expectToast('The recording button cannot be used right now');
  expect(orders()).toHaveLength(1);
  await stack.recorder.setFaults(well);
});

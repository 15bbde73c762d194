/** Tests transfers over the recorder's own Wi-Fi network, with Bluetooth as the fallback. */

import { SAMPLE_RATE } from '@linnet/audio/format';
import { demuxOgg } from '@linnet/audio/ogg';
import { CHUNK_SIZE, FrameDecoder, STREAM } from '@linnet/device/codec';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import { encodeAsRecorder } from '../support/encode-as-recorder.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';

const noise = Int16Array.from({ length: 10 * SAMPLE_RATE }, (_, at) => (at * 7919) % 4001);
/** Number of repetitions of the noise for a 6.4 MB session, large enough that the app suggests Wi-Fi. */
const LONG_REPETITIONS = 80;
/** Number of repetitions of the noise for a 0.8 MB session, which takes 50 s over Bluetooth at half speed. */
const MEDIUM_REPETITIONS = 10;
/** The network disappears after this many bytes. */
const BYTES_BEFORE_LOSS = 375_000;

let mediumSession: Uint8Array<ArrayBuffer>;

let environment: EmptyRecorderStack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;
const pageErrors = new PageErrors();

/** Number of chunks received over Bluetooth. Their content is encrypted, but their command is readable. */
let chunksOverBluetooth = 0;

function countBluetoothChunks(opened: Page): void {
  opened.on('websocket', (socket) => {
    if (!socket.url().includes('/ble')) return;
    const decoder = new FrameDecoder();
    socket.on('framereceived', ({ payload }) => {
      if (typeof payload === 'string') return;
      for (const frame of decoder.push(new Uint8Array(payload))) {
        if (frame.command === STREAM.chunk.number) chunksOverBluetooth += 1;
      }
    });
  });
}

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  mediumSession = await encodeAsRecorder(noise, MEDIUM_REPETITIONS);
  // Without a trial, nothing is uploaded, so recordings stay on the phone.
  environment = await EmptyRecorderStack.start({ env: { TRIAL_DAYS: '0' } });
  context = await browser.newContext({
    ...{ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    ...{ locale: 'en-GB', permissions: ['clipboard-read', 'clipboard-write'] },
  });
  pageErrors.listenTo(context);
  page = await context.newPage();
  countBluetoothChunks(page);
  app = new LinnetApp(page, environment.stack);
  await app.signUp('swift@example.org');
  await app.bind('websocket');
});
test.afterAll(async () => {
  await context?.close();
  await environment?.stop();
});
// Requests fail while the recorder's network is down, and no firmware is published.
test.beforeEach(() => pageErrors.allow(/net::ERR_/, /latest\.json/));
test.afterEach(() => {
  expect(pageErrors.takeUnexpected()).toEqual([]);
});

/**
 * Adds a session that takes a long time to transfer over Bluetooth.
 * @returns the session's id
 */
async function addSession(): Promise<number> {
  await environment.stack.recorder.setSpeed(0.5);
  return environment.stack.recorder.addSession(mediumSession);
}

/** Opens the recorder's network from the recorder's page. The network stays open for a minute. */
async function openNetwork(): Promise<void> {
  await app.show('/pages/myDevice');
  await page.getByTestId('to-wifi').click();
  await expect(page.getByTestId('wifi-waiting').first()).toBeVisible();
  await page.getByTestId('start-wifi').click();
  // A browser can't join a network, so the page links to instructions.
  await expect(page.getByTestId('wifi-joining')).toHaveAttribute('data-joining', 'by_hand');
}

/** Opens the recorder's network and the instructions for joining it. */
async function openJoinInstructions(): Promise<void> {
  await openNetwork();
  await page.getByTestId('by-hand').click();
  await expect(page.getByTestId('wifi-join')).toBeVisible();
}

/** Joins the network with the name and password on the page, as a user does in the Wi-Fi settings. */
async function joinNetwork(): Promise<void> {
  const [ssid, password] = await Promise.all(
    ['wifi-name', 'wifi-password'].map((id) => page.getByTestId(id).textContent()),
  );
  await environment.stack.recorder.joinWifi(`${ssid}`, `${password}`);
}

const sessionRow = (sessionId: number) =>
  page.locator(`[data-testid="device-session"][data-session-id="${sessionId}"]`);
const transferRow = (sessionId: number) =>
  page.locator(`[data-testid="transfer-file"][data-session-id="${sessionId}"]`);
const endScreen = (end: string) =>
  page.locator(`[data-testid="transfer-ended"][data-end="${end}"]`);

/** The headings of the instructions for other systems. */
const otherSystems = () => page.locator('.wifi-other > summary');

/** Asserts that phone and recorder have the same packets of a session. */
async function expectSameOnPhone(sessionId: number): Promise<void> {
  await app.show('/pages/deviceFiles');
  await expect(sessionRow(sessionId)).toHaveAttribute('data-state', 'complete', {
    timeout: 120_000,
  });
  const id = (await sessionRow(sessionId).getAttribute('data-record-id')) as string;
  const { packets } = demuxOgg(await app.readStoredFile(id, 'ogg'));
  const recorderPackets = await environment.stack.recorder.readPackets(sessionId);
  expect(Buffer.concat(packets).equals(recorderPackets)).toBe(true);
}

test('the page shows accessible instructions for joining the network manually, and waiting can be canceled', async () => {
  const sessionId = await addSession();
  await openNetwork();
  await expect(page.getByTestId('wifi-joining')).toContainText('Connect manually');
  await expectNoViolations(page);
  // Reopen the network for the second page, because a slow machine can't check both pages within a minute.
  await environment.stack.recorder.press('wifi');
  // A restart ends the transfer, so that another can be started.
  await app.open('/pages/myDevice');
  await openJoinInstructions();
  await expect(page.getByRole('heading', { name: 'Linux' })).toBeVisible();
  await expect(page.locator('.wifi-steps li').first()).toHaveText(
    'Copy the password, then open your desktop’s network menu.',
  );
  await expect(otherSystems()).toHaveText(['iPhone and iPad', 'Android', 'Windows', 'Mac']);
  await page.getByRole('button', { name: 'Copy password' }).click();
  const password = await page.getByTestId('wifi-password').textContent();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(password);
  await expectNoViolations(page);
  // A wrong password has no effect.
  const ssid = await page.getByTestId('wifi-name').textContent();
  await expect(environment.stack.recorder.joinWifi(`${ssid}`, 'wrong')).rejects.toThrow('403');
  await page.getByTestId('wifi-close').click();
  await expect(endScreen('canceled')).toContainText('You stopped the transfer');
  // The app can't notify the recorder, so the network closes only after a minute of recorder time.
  await environment.stack.recorder.setSpeed(50);
  await expectSameOnPhone(sessionId);
});

test('transfers the selected recordings once the device has joined the recorder’s network', async () => {
  await environment.stack.recorder.setSpeed(1);
  const sessionId = await environment.stack.recorder.addSession(
    await encodeAsRecorder(noise, LONG_REPETITIONS),
  );
  const shortId = await environment.addSpeech(20);
  await app.show('/pages/deviceFiles');
  await page.getByTestId('to-wifi').click();
  await expect(page.getByTestId('wifi-waiting')).toHaveCount(2);
  await expect(page.getByTestId('wifi-chosen')).toContainText('2 selected');
  // Leave the short recording for Bluetooth.
  const short = page.locator(`[data-testid="wifi-waiting"][data-session-id="${shortId}"]`);
  await short.getByRole('checkbox').uncheck();
  await expect(page.getByTestId('wifi-chosen')).toHaveText('1 selected, 6.4 MB');
  await expect(page.getByTestId('takes-bluetooth')).toContainText('About 2 min');
  await expectNoViolations(page);
  await page.getByTestId('start-wifi').click();
  await page.getByTestId('by-hand').click();
  await expect(page.getByTestId('wifi-join')).toBeVisible();
  await joinNetwork();
  // The page shows the transfer and its result without a tap.
  await expect(endScreen('done')).toBeVisible({ timeout: 60_000 });
  await expect(endScreen('done')).toHaveAttribute('data-received', '1');
  await expect(transferRow(sessionId)).toHaveAttribute('data-state', 'received');
  await expectNoViolations(page);
  await page.getByTestId('to-files').click();
  await page.waitForURL('**/pages/files');
  await environment.stack.recorder.setSpeed(50);
  await expectSameOnPhone(sessionId);
  await expectSameOnPhone(shortId);
});

test('a transfer over Bluetooth shows its progress, and canceling it leaves the rest to background sync', async () => {
  const sessionId = await addSession();
  await app.show('/pages/myDevice');
  await page.getByTestId('to-wifi').click();
  await expect(page.getByTestId('wifi-waiting')).toHaveAttribute(
    'data-session-id',
    String(sessionId),
  );
  await page.getByTestId('start-bluetooth').click();
  await expect(page.getByTestId('transfer')).toHaveAttribute('data-way', 'bluetooth');
  await expect(transferRow(sessionId)).toHaveAttribute('data-state', 'transferring');
  await expect(page.getByTestId('transfer-speed')).toContainText('per second');
  await expect(page.getByTestId('transfer-left')).toContainText('left');
  await expectNoViolations(page);
  await page.getByTestId('end-transfer').click();
  await expect(endScreen('canceled')).toContainText('The rest will transfer automatically');
  await expect(transferRow(sessionId)).toHaveAttribute('data-state', 'waiting');
  await environment.stack.recorder.setSpeed(100);
  await expectSameOnPhone(sessionId);
});

test('Bluetooth continues at the byte where the network was lost', async () => {
  const sessionId = await addSession();
  await environment.stack.recorder.setFaults({ wifiVanishAfterBytes: BYTES_BEFORE_LOSS });
  await openJoinInstructions();
  chunksOverBluetooth = 0;
  await joinNetwork();
  await expect(endScreen('network_lost')).toContainText('over Bluetooth', { timeout: 60_000 });
  await expect(transferRow(sessionId)).toHaveAttribute('data-state', 'waiting');
  await environment.stack.recorder.setSpeed(50);
  // The rest can be transferred over Bluetooth right away.
  await expect(page.getByTestId('bring-rest')).toBeEnabled({ timeout: 60_000 });
  await page.getByTestId('bring-rest').click();
  await expect(endScreen('done')).toBeVisible({ timeout: 120_000 });
  await expectSameOnPhone(sessionId);
  const { length } = await environment.stack.recorder.readPackets(sessionId);
  const chunk = Math.ceil(length / CHUNK_SIZE) - chunksOverBluetooth;
  // Bluetooth resumes after the last durable chunk. Chunks in transit when the network was lost are sent again.
  expect(chunk).toBeGreaterThan(0);
  expect(chunk * CHUNK_SIZE).toBeLessThanOrEqual(BYTES_BEFORE_LOSS);
});

test('a recorder in USB disk mode refuses to open its network', async () => {
  await addSession();
  await app.open('/pages/WiFiFastTransmission');
  await expect(page.getByTestId('wifi-waiting').first()).toBeVisible();
  await environment.stack.recorder.setFaults({ usbDisk: true });
  await page.getByTestId('start-wifi').click();
  await expect(page.getByTestId('error')).toContainText('plugged in as a USB drive');
  await expectNoViolations(page);
  await environment.stack.recorder.setFaults({ usbDisk: false });
  await environment.stack.recorder.holdRecordButton();
  await expect(page.getByTestId('start-wifi')).toBeDisabled();
  await expect(page.getByText('You can use Wi-Fi once it stops')).toBeVisible();
  await environment.stack.recorder.holdRecordButton();
  await expect(page.getByTestId('start-wifi')).toBeEnabled();
});

test('a transfer continues after a reload once the recorder is connected again', async () => {
  const sessionId = await addSession();
  await openJoinInstructions();
  await page.reload();
  await expect(page.getByText('The recorder’s hotspot is off')).toBeVisible();
  // The recorder closes its network after a minute of recorder time.
  await environment.stack.recorder.setSpeed(50);
  await expectSameOnPhone(sessionId);
});

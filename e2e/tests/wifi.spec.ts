/** Much that lies on a recorder comes over a network of its own; Bluetooth takes over wherever that ends. */

import { SAMPLE_RATE } from '@linnet/audio/format';
import { demuxOgg } from '@linnet/audio/ogg';
import { writeWave } from '@linnet/audio/wave';
import { CHUNK_SIZE, FrameDecoder, STREAM } from '@linnet/device/codec';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { Complaints } from '../support/complaints.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { QuietStack } from '../support/quiet-stack.ts';

/** Long enough to be offered over WiFi: 6.4 MB. */
const SECONDS = 800;
/** Bytes after which the network goes. */
const CAME = 3_000_000;

let quiet: QuietStack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;
const complaints = new Complaints();

/** Chunks that came over Bluetooth: sealed, but what they are is readable. */
let chunksOverBluetooth = 0;

function listenToBluetooth(opened: Page): void {
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
  // Without a trial nothing is uploaded by itself: what is seen here ends on the phone.
  quiet = await QuietStack.start({ env: { TRIAL_DAYS: '0' } });
  context = await browser.newContext({
    ...{ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    ...{ locale: 'en-GB', permissions: ['clipboard-read', 'clipboard-write'] },
  });
  complaints.listenTo(context);
  page = await context.newPage();
  listenToBluetooth(page);
  app = new LinnetApp(page, quiet.stack);
  await app.signUp('swift@example.org');
  await app.bind('websocket');
});
test.afterAll(async () => {
  await context?.close();
  await quiet?.stop();
});
// A network that is not there yet, and one that goes.
test.beforeEach(() => complaints.expect(/net::ERR_/));
test.afterEach(() => {
  expect(complaints.unexpected()).toEqual([]);
});

/** A long session on the recorder, and the page that offers WiFi for it. @returns its number */
async function longSession(): Promise<number> {
  await quiet.stack.recorder.clock(1);
  const hum = Int16Array.from({ length: SECONDS * SAMPLE_RATE }, (_, at) => (at * 7919) % 4001);
  const sessionId = await quiet.stack.recorder.addSession(writeWave(hum, SAMPLE_RATE));
  await app.open('/pages/deviceFiles');
  await expect(page.getByTestId('wifi-open')).toBeVisible();
  return sessionId;
}

/** What a person does in the WiFi settings of their device, reading what the page says. */
async function join(): Promise<void> {
  const [ssid, password] = await Promise.all(
    ['wifi-name', 'wifi-password'].map((id) => page.getByTestId(id).textContent()),
  );
  await quiet.stack.recorder.joinWifi(`${ssid}`, `${password}`);
}

const session = (sessionId: number) =>
  page.locator(`[data-testid="device-session"][data-session-id="${sessionId}"]`);

/** The phone's copy of a session is what the recorder has. */
async function expectWhole(sessionId: number): Promise<void> {
  await expect(session(sessionId)).toHaveAttribute('data-state', 'whole', { timeout: 120_000 });
  await expect(page.getByTestId('wifi-under-way')).toHaveCount(0);
  await app.open('/pages/files');
  const id = (await app.rows().first().getAttribute('data-record-id')) as string;
  const { packets } = demuxOgg(await app.storedFile(id, 'ogg'));
  const theirs = await quiet.stack.recorder.packets(sessionId);
  expect(Buffer.concat(packets).equals(theirs)).toBe(true);
}

test('a long session comes over the recorder’s network, once this device has joined it', async () => {
  const sessionId = await longSession();
  await expectNoViolations(page);
  await page.getByTestId('wifi-open').click();
  await expect(page.getByTestId('wifi-join')).toContainText('Join it in the settings');
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'Copy: Password' }).click();
  const password = await page.getByTestId('wifi-password').textContent();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(password);
  await join();
  await expect(page.getByTestId('wifi-under-way')).toBeVisible();
  await expectWhole(sessionId);
  // All has come: the recorder is back on Bluetooth by itself.
  await app.open('/pages/deviceFiles');
  await expect(session(sessionId)).toBeVisible();
  await expect(page.getByTestId('wifi-under-way')).toHaveCount(0);
});

test('where the network goes in the middle, Bluetooth goes on at the same byte', async () => {
  const sessionId = await longSession();
  await quiet.stack.recorder.faults({ wifiVanishAfterBytes: CAME });
  await page.getByTestId('wifi-open').click();
  await expect(page.getByTestId('wifi-join')).toBeVisible();
  chunksOverBluetooth = 0;
  await join();
  await quiet.stack.recorder.clock(50);
  await expectWhole(sessionId);
  const { length } = await quiet.stack.recorder.packets(sessionId);
  const chunk = Math.ceil(length / CHUNK_SIZE) - chunksOverBluetooth;
  // Where the phone had come to: what was in the air when the network went is no loss of the recorder's.
  expect(chunk).toBeGreaterThan(0);
  expect(chunk * CHUNK_SIZE).toBeLessThanOrEqual(CAME);
});

test('a page that was closed meanwhile goes on where it was, once the recorder is back', async () => {
  const sessionId = await longSession();
  await page.getByTestId('wifi-open').click();
  await expect(page.getByTestId('wifi-join')).toBeVisible();
  await page.reload();
  // The recorder waits a minute of its time for whoever joins.
  await quiet.stack.recorder.clock(50);
  await expect(session(sessionId)).toBeVisible({ timeout: 60_000 });
  await expectWhole(sessionId);
});

test('a network that nobody joins is given up with a tap; a wrong password changes nothing', async () => {
  const sessionId = await longSession();
  await page.getByTestId('wifi-open').click();
  await expect(page.getByTestId('wifi-join')).toBeVisible();
  const ssid = await page.getByTestId('wifi-name').textContent();
  await expect(quiet.stack.recorder.joinWifi(`${ssid}`, 'wrong')).rejects.toThrow('403');
  await page.getByTestId('wifi-close').click();
  await expect(page.getByTestId('wifi-join')).toHaveCount(0);
  // The recorder cannot be told; it waits a minute of its time for whoever joins.
  await quiet.stack.recorder.clock(50);
  await expect(session(sessionId)).toBeVisible({ timeout: 60_000 });
  await expectWhole(sessionId);
});

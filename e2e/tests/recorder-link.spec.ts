/** The link to recorders that are out of range, connected to another phone, cleared of their bindings, or several. */

import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import WebSocket from 'ws';
import { Complaints } from '../support/complaints.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { QuietStack } from '../support/quiet-stack.ts';
import type { RecorderControl } from '../support/recorder.ts';
import { until } from '../support/until.ts';

/** The app's longest delay between two attempts. */
const LONGEST_WAIT_MS = 30_000;
const HALF_AN_HOUR_MS = 30 * 60_000;

let quiet: QuietStack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;
const complaints = new Complaints();
/** Links to the recorder opened or attempted by the app. */
let tries = 0;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  quiet = await QuietStack.start({ recorders: 2, env: { TRIAL_DAYS: '0' } });
  context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  complaints.listenTo(context);
  page = await context.newPage();
  await page.clock.install();
  page.on('websocket', (socket) => {
    if (socket.url().includes('/ble')) tries++;
  });
  app = new LinnetApp(page, quiet.stack);
  await app.signUp('swallow@example.org');
  await app.bind('websocket');
});
test.afterAll(async () => {
  await context?.close();
  await quiet?.stop();
});
// The recorder is missing at times.
test.beforeEach(() => complaints.expect(/net::ERR_|WebSocket/));
test.afterEach(() => {
  expect(complaints.unexpected()).toEqual([]);
});

const link = (status: string) => page.locator(`[data-testid="connected"][data-status="${status}"]`);

test('the app reconnects automatically after half an hour out of range, with few attempts', async () => {
  const { recorder } = quiet.stack;
  await app.open('/pages/files');
  await expect(link('connected')).toBeVisible();
  await recorder.faults({ refuseConnect: true, dropAfterBytes: 0 });
  await recorder.hold();
  await expect(link('reconnecting')).toBeVisible();
  const before = tries;
  for (let away = 0; away < HALF_AN_HOUR_MS; away += LONGEST_WAIT_MS) {
    const tried = tries;
    await page.clock.fastForward(LONGEST_WAIT_MS);
    await until('another try', () => tries > tried);
    await expect(link('reconnecting')).toBeVisible();
  }
  console.log(`half an hour out of range: ${tries - before} tries`);
  // An attempt every half minute, and the quicker ones at the beginning.
  expect(tries - before).toBeLessThan(70);

  await recorder.hold();
  await recorder.faults({ refuseConnect: false });
  await page.clock.fastForward(LONGEST_WAIT_MS);
  await expect(link('connected')).toBeVisible();
  // Recordings from out of range are transferred.
  await expect(app.rows()).toHaveCount(1);
});

test('a recorder connected to another phone is reported so, and connected once it is free', async () => {
  const { recorder } = quiet.stack;
  await recorder.faults({ dropAfterBytes: 0, refuseConnect: true });
  await recorder.hold();
  await expect(link('reconnecting')).toBeVisible();
  await recorder.faults({ refuseConnect: false });
  const other = new WebSocket(`${recorder.url.replace('http', 'ws')}/ble`);
  await until('the other phone is connected', async () => (await recorder.status()).connected);
  await page.clock.fastForward(LONGEST_WAIT_MS);
  await link('reconnecting').click();
  await expect(page.getByTestId('link-why')).toContainText('Another phone is connected to it');
  other.terminate();
  await until('the recorder is free', async () => !(await recorder.status()).connected);
  await page.clock.fastForward(LONGEST_WAIT_MS);
  await expect(page.getByTestId('link-why')).toHaveCount(0);
  await recorder.hold();
  await app.open('/pages/files');
  await expect(link('connected')).toBeVisible();
  await expect(app.rows()).toHaveCount(2);
});

test('cleared bindings are reported once without a retry, and the recorder can be bound again', async () => {
  const { recorder } = quiet.stack;
  await recorder.clearBindings();
  await page.clock.fastForward(LONGEST_WAIT_MS);
  await expect(link('idle')).toBeVisible();
  const before = tries;
  await page.clock.fastForward(HALF_AN_HOUR_MS);
  await link('idle').click();
  await expect(page.getByTestId('link-why')).toContainText('its bindings were cleared');
  expect(tries).toBe(before);

  await page.getByTestId('bind-again').click();
  await page.getByTestId('way-websocket').click();
  await page.getByTestId('found-recorder').first().click();
  await expect(page.getByTestId('bind-done')).toBeVisible();
  await page.getByTestId('bind-to-files').click();
  await expect(link('connected')).toBeVisible();
  await expect(app.rows()).toHaveCount(2);
});

test('of two recorders, the one in range or the requested one is connected', async () => {
  const [first, second] = quiet.stack.recorders as [RecorderControl, RecorderControl];
  const [firstSn, secondSn] = [(await first.status()).sn, (await second.status()).sn];
  await app.open('/pages/deviceConnect?another');
  await page.getByTestId('way-websocket').click();
  await page.locator(`[data-testid="found-recorder"][data-device-id="${secondSn}"]`).click();
  await expect(page.getByTestId('bind-done')).toBeVisible();
  await page.getByTestId('bind-to-files').click();
  await app.startRecording();
  expect((await second.status()).recording).toBe('recording');
  await app.stopRecording();
  await expect(app.rows()).toHaveCount(3);

  await test.step('the requested one', async () => {
    await app.open('/pages/deviceConnect');
    await page.locator(`[data-testid="known-recorder"][data-sn="${firstSn}"]`).click();
    await until('the first is connected', async () => (await first.status()).connected);
    await until('the second was left', async () => !(await second.status()).connected);
  });
  await test.step('the one in range', async () => {
    await first.faults({ refuseConnect: true, dropAfterBytes: 0 });
    await first.hold();
    await until('the second is connected', async () => {
      await page.clock.fastForward(LONGEST_WAIT_MS);
      return (await second.status()).connected;
    });
    await app.open('/pages/files');
    await expect(link('connected')).toBeVisible();
    await first.hold();
    await first.faults({ refuseConnect: false });
  });
});

/**
 * Tests the link to recorders that are out of range, connected to another phone or cleared, and to several recorders.
 */

import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import WebSocket from 'ws';
import { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import type { RecorderControl } from '../support/recorder-control.ts';
import { waitUntil } from '../support/wait-until.ts';

/** The app's maximum delay between attempts. */
const MAX_RETRY_DELAY_MS = 30_000;
const HALF_AN_HOUR_MS = 30 * 60_000;

let environment: EmptyRecorderStack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;
const pageErrors = new PageErrors();
/** How many times the app has tried to open a link to a recorder. */
let attempts = 0;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  environment = await EmptyRecorderStack.start({ recorders: 2, env: { TRIAL_DAYS: '0' } });
  context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  pageErrors.listenTo(context);
  page = await context.newPage();
  await page.clock.install();
  page.on('websocket', (socket) => {
    if (socket.url().includes('/ble')) attempts++;
  });
  app = new LinnetApp(page, environment.stack);
  await app.signUp('swallow@example.org');
  await app.bind('websocket');
});
test.afterAll(async () => {
  await context?.close();
  await environment?.stop();
});
// Connections fail while the recorder is out of range.
test.beforeEach(() => pageErrors.allow(/net::ERR_|WebSocket/));
test.afterEach(() => {
  expect(pageErrors.takeUnexpected()).toEqual([]);
});

const link = (status: string) => page.locator(`[data-testid="connected"][data-status="${status}"]`);

test('the app reconnects automatically after half an hour out of range, with few attempts', async () => {
  const { recorder } = environment.stack;
  await app.open('/pages/files');
  await expect(link('connected')).toBeVisible();
  await recorder.setFaults({ refuseConnect: true, dropAfterBytes: 0 });
  await recorder.holdRecordButton();
  await expect(link('reconnecting')).toBeVisible();
  const before = attempts;
  for (let elapsedMs = 0; elapsedMs < HALF_AN_HOUR_MS; elapsedMs += MAX_RETRY_DELAY_MS) {
    const previousAttempts = attempts;
    await page.clock.fastForward(MAX_RETRY_DELAY_MS);
    await waitUntil('another attempt', () => attempts > previousAttempts);
    await expect(link('reconnecting')).toBeVisible();
  }
  console.log(`half an hour out of range: ${attempts - before} tries`);
  // Most attempts are half a minute apart; the first ones are more frequent.
  expect(attempts - before).toBeLessThan(70);

  await recorder.holdRecordButton();
  await recorder.setFaults({ refuseConnect: false });
  await page.clock.fastForward(MAX_RETRY_DELAY_MS);
  await expect(link('connected')).toBeVisible();
  // The recording made while out of range is transferred.
  await expect(app.rows()).toHaveCount(1);
});

test('the app reports that a recorder is connected to another phone, and connects once it is free', async () => {
  const { recorder } = environment.stack;
  await recorder.setFaults({ dropAfterBytes: 0, refuseConnect: true });
  await recorder.holdRecordButton();
  await expect(link('reconnecting')).toBeVisible();
  await recorder.setFaults({ refuseConnect: false });
  const otherPhone = new WebSocket(`${recorder.url.replace('http', 'ws')}/ble`);
  await waitUntil(
    'the other phone is connected',
    async () => (await recorder.getStatus()).connected,
  );
  await page.clock.fastForward(MAX_RETRY_DELAY_MS);
  await link('reconnecting').click();
  await expect(page.getByTestId('link-why')).toContainText(
    'The recorder is connected to another phone or computer',
  );
  otherPhone.terminate();
  await waitUntil('the recorder is free', async () => !(await recorder.getStatus()).connected);
  await page.clock.fastForward(MAX_RETRY_DELAY_MS);
  await expect(page.getByTestId('link-why')).toHaveCount(0);
  await recorder.holdRecordButton();
  await app.open('/pages/files');
  await expect(link('connected')).toBeVisible();
  await expect(app.rows()).toHaveCount(2);
});

test('the app reports a cleared binding without a retry, and can bind the recorder again', async () => {
  const { recorder } = environment.stack;
  await recorder.clearBindings();
  await page.clock.fastForward(MAX_RETRY_DELAY_MS);
  await expect(link('idle')).toBeVisible();
  const before = attempts;
  await page.clock.fastForward(HALF_AN_HOUR_MS);
  await link('idle').click();
  await expect(page.getByTestId('link-why')).toContainText('its pairings were cleared');
  expect(attempts).toBe(before);

  // The recorder is found the same way as before, so there is nothing to choose.
  await page.getByTestId('bind-again').click();
  await expect(page.getByTestId('bind-done')).toBeVisible();
  await page.getByTestId('bind-to-files').click();
  await expect(link('connected')).toBeVisible();
  await expect(app.rows()).toHaveCount(2);
});

test('the app connects to the requested one of two recorders, or to the one in range', async () => {
  const [first, second] = environment.stack.recorders as [RecorderControl, RecorderControl];
  const [firstSn, secondSn] = [(await first.getStatus()).sn, (await second.getStatus()).sn];
  await app.open('/pages/deviceConnect?another');
  await page.getByTestId('way-websocket').click();
  await page.locator(`[data-testid="found-recorder"][data-device-id="${secondSn}"]`).click();
  await expect(page.getByTestId('bind-done')).toBeVisible();
  await page.getByTestId('bind-to-files').click();
  await app.startRecording();
  expect((await second.getStatus()).recording).toBe('recording');
  await app.stopRecording();
  await expect(app.rows()).toHaveCount(3);

  await test.step('the recorder the user picks', async () => {
    await app.open('/pages/deviceConnect');
    await page.locator(`[data-testid="known-recorder"][data-sn="${firstSn}"]`).click();
    await waitUntil('the first is connected', async () => (await first.getStatus()).connected);
    await waitUntil(
      'the second is disconnected',
      async () => !(await second.getStatus()).connected,
    );
  });
  await test.step('the recorder in range', async () => {
    await first.setFaults({ refuseConnect: true, dropAfterBytes: 0 });
    await first.holdRecordButton();
    await waitUntil('the second is connected', async () => {
      await page.clock.fastForward(MAX_RETRY_DELAY_MS);
      return (await second.getStatus()).connected;
    });
    await app.open('/pages/files');
    await expect(link('connected')).toBeVisible();
    await first.holdRecordButton();
    await first.setFaults({ refuseConnect: false });
  });
});

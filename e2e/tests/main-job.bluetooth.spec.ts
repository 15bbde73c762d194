import { chromium, expect, test } from '@playwright/test';
import { bluetoothLaunchOptions, chooseFirstDevice, EmulatedBluez } from '../bluez/index.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { Stack } from '../support/stack.ts';
import { walkMainJob } from './main-job.ts';

test('a recording is transferred, transcribed and playable over real Web Bluetooth', async () => {
  const stack = await Stack.start({ speed: 8, env: { RECORDER_SCENE: 'microphone' } });
  const bluez = await EmulatedBluez.start({ recorderUrl: stack.recorder.url });
  const browser = await chromium.launch(bluetoothLaunchOptions(bluez));
  try {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      reducedMotion: 'no-preference',
    });
    const page = await context.newPage();
    await chooseFirstDevice(page);
    const app = new LinnetApp(page, stack);
    await walkMainJob(app, stack, 'web-bluetooth');

    // Tapping a paragraph plays from there.
    const paragraph = page.getByTestId('paragraph').last();
    const start = Number(await paragraph.getAttribute('data-start'));
    await paragraph.getByRole('button').first().click();
    const player = page.getByTestId('player');
    await expect(player).toHaveAttribute('data-playing', 'true');
    await expect
      .poll(async () => Number(await player.getAttribute('data-position')))
      .toBeGreaterThanOrEqual(start);
    await page.getByTestId('tab-summary').click();
    await expect(page.getByTestId('summary')).not.toBeEmpty();
    await expect(page.getByTestId('keywords')).not.toBeEmpty();
    await page.getByTestId('tab-transcription').click();

    // After a reload everything is still there, with the server stopped too.
    await page.evaluate(() => navigator.serviceWorker.ready);
    const transcript = await page.getByTestId('paragraph').allInnerTexts();
    await stack.stop();
    await page.reload();
    await expect.poll(() => page.getByTestId('paragraph').allInnerTexts()).toEqual(transcript);
    await expect(page.getByTestId('offline-note')).toBeVisible();
    await page.getByTestId('paragraph').last().getByRole('button').first().click();
    await expect(player).toHaveAttribute('data-playing', 'true');
  } finally {
    // The browser before the bus: Chromium does not survive losing it.
    await browser.close();
    await bluez.stop();
    await stack.stop();
  }
});

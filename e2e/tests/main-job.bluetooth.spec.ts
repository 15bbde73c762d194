import { chromium, expect, test } from '@playwright/test';
import {
  bluetoothLaunchOptions,
  chooseFirstDevice,
  EmulatedBluez,
  virtualRecorder,
} from '../bluez/index.ts';
import { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { runMainJourney } from './main-job.ts';

test.use({ serviceWorkers: 'allow' });
// The speech engine transcribes two recordings.
test.describe.configure({ timeout: 360_000 });

test('transfers, transcribes and plays a recording over Web Bluetooth', async () => {
  const environment = await EmptyRecorderStack.start({ speed: 8 });
  const { stack } = environment;
  const bluez = await EmulatedBluez.start({ peripheral: virtualRecorder(stack.recorder.url) });
  const browser = await chromium.launch(bluetoothLaunchOptions(bluez));
  try {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      reducedMotion: 'no-preference',
    });
    const page = await context.newPage();
    await chooseFirstDevice(page);
    const app = new LinnetApp(page, stack);
    await runMainJourney(app, environment, 'web-bluetooth');

    // Tapping a paragraph plays from its start.
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

    // The recording is intact after a reload without the server.
    await page.evaluate(() => navigator.serviceWorker.ready);
    const transcript = await page.getByTestId('paragraph').allInnerTexts();
    await stack.stop();
    await page.reload();
    await expect.poll(() => page.getByTestId('paragraph').allInnerTexts()).toEqual(transcript);
    await expect(page.getByTestId('offline-note')).toBeVisible();
    await page.getByTestId('paragraph').last().getByRole('button').first().click();
    await expect(player).toHaveAttribute('data-playing', 'true');
  } finally {
    // Close the browser before the bus, because Chromium crashes when it loses the bus.
    await browser.close();
    await bluez.stop();
    await environment.stop();
  }
});

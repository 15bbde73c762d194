import { readFile } from 'node:fs/promises';
import { wordErrorRate } from '@linnet/server/word-error-rate';
import { expect, test } from '@playwright/test';
import { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { runMainJourney } from './main-job.ts';

// The speech engine transcribes two recordings.
test.describe.configure({ timeout: 360_000 });

let environment: EmptyRecorderStack;
test.beforeAll(async () => {
  environment = await EmptyRecorderStack.start({
    speed: 8,
    dictionary: 'full',
    database: 'embedded',
  });
});
test.afterAll(() => environment?.stop());

test.use({ contextOptions: { reducedMotion: 'no-preference' }, serviceWorkers: 'allow' });

test('transfers and transcribes a recording over the WebSocket transport', async ({ page }) => {
  const app = new LinnetApp(page, environment.stack);
  await runMainJourney(app, environment, 'websocket');
  const paragraphs = page.getByTestId('paragraph');
  await expect(paragraphs.first()).toBeVisible();
  const scene = JSON.parse(
    await readFile(
      new URL('../../apps/virtual-recorder/scenes/microphone.json', import.meta.url),
      'utf8',
    ),
  ) as { transcript: string };
  const text = (await paragraphs.locator('.paragraph-text').allInnerTexts()).join(' ');
  expect(wordErrorRate(scene.transcript, text)).toBeLessThanOrEqual(0.15);
});

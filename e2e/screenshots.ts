/**
 * `npm run screenshots`: walks the real app as a newcomer and photographs every page into `docs/screenshots`,
 * on a phone in light and dark, in English and Arabic, and on a desktop.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium } from '@playwright/test';
import config, { chromiumFlags } from './playwright.config.ts';
import { LinnetApp } from './support/linnet-app.ts';
import { Stack } from './support/stack.ts';
import { until } from './support/until.ts';

const folder = process.argv[2] ?? join(import.meta.dirname, '..', 'docs', 'screenshots');

const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
};
const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };

type Look = {
  readonly name: string;
  readonly options: BrowserContextOptions;
  readonly language: string;
};
const looks: readonly Look[] = [
  { name: 'phone-light', options: { ...phone, colorScheme: 'light' }, language: 'en' },
  { name: 'phone-dark', options: { ...phone, colorScheme: 'dark' }, language: 'en' },
  { name: 'phone-light-ar', options: { ...phone, colorScheme: 'light' }, language: 'ar' },
  { name: 'desktop-light', options: { ...desktop, colorScheme: 'light' }, language: 'en' },
  { name: 'desktop-dark-ar', options: { ...desktop, colorScheme: 'dark' }, language: 'ar' },
];

async function walk(
  browser: Browser,
  stack: Stack,
  { name, options, language }: Look,
): Promise<void> {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' });
  await context.addInitScript((chosen) => localStorage.setItem('language', chosen), language);
  const page = await context.newPage();
  const app = new LinnetApp(page, stack);
  const shoot = async (what: string) => {
    await page.evaluate(() => document.fonts.ready.then(() => {}));
    await page.screenshot({ path: join(folder, `${name}-${what}.png`) });
  };

  await app.open('/');
  await page.getByTestId('submit').waitFor();
  await shoot('sign-in');
  await app.open('/pages/register');
  await page.getByTestId('agree').waitFor();
  await shoot('register');
  await app.open('/pages/register/findMyPasswd');
  await page.getByTestId('repassword').waitFor();
  await shoot('forgot');

  await app.signUp(`${name}@example.org`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await shoot('files-empty');
  await app.open('/pages/deviceConnect');
  await page.getByTestId('way-websocket').waitFor();
  await shoot('connect');
  await page.getByTestId('way-websocket').click();
  await page.getByTestId('found-recorder').first().waitFor();
  await shoot('connect-found');
  await page.getByTestId('found-recorder').first().click();
  await page.getByTestId('bind-done').waitFor();
  await shoot('connect-done');
  await page.getByTestId('bind-to-files').click();
  await page.getByTestId('record-row').first().waitFor();
  await until('something is on its way', async () => (await app.rows('fetching').count()) > 0);
  await shoot('files-fetching');

  if (language === 'ar') {
    // No engine here hears Arabic: nothing is transcribed by itself, as the page says.
    await until('all is in the cloud', async () => (await app.rows('cloud').count()) >= 3, 180_000);
  } else {
    await until('all is readable', async () => (await app.rows('done').count()) >= 3, 360_000);
  }
  await shoot('files');
  await app.recordButton('idle').click();
  await app.recordButton('recording').waitFor();
  await shoot('recording');
  await app.stopRecording();

  await page.getByTestId('record-row').last().getByRole('link').first().click();
  await page.getByTestId('player').waitFor();
  await shoot('recording-transcription');
  await page.getByTestId('tab-summary').click();
  await shoot('recording-summary');
  await page.getByTestId('tab-audio').click();
  await shoot('recording-audio');

  await app.open('/pages/deviceFiles');
  await page.getByTestId('device-session').first().waitFor();
  await shoot('device-files');
  await app.open('/pages/me');
  await page.getByTestId('sign-out').waitFor();
  await shoot('me');
  await context.close();
}

await mkdir(folder, { recursive: true });
const only = process.argv[3];
for (const look of looks.filter(({ name }) => !only || name === only)) {
  // A recorder has one owner: each walk gets a stack of its own.
  const stack = await Stack.start({ speed: 12, env: { RECORDER_SCENE: 'microphone' } });
  const browser = await chromium.launch({
    ...config.use?.launchOptions,
    args: chromiumFlags,
  });
  try {
    await walk(browser, stack, look);
    console.log(`${look.name} done`);
  } finally {
    await browser.close();
    await stack.stop();
  }
}

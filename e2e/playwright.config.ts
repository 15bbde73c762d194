import { defineConfig } from '@playwright/test';

/** Chromium is the system's; these keep it from reaching out and let it run without a desktop. */
export const chromiumFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const unattended = process.env.CI === 'true';

export default defineConfig({
  testDir: './tests',
  // Each test runs all of Linnet beside a browser: two at a time keep two cores busy while either waits.
  workers: 2,
  timeout: 360_000,
  expect: { timeout: 30_000 },
  forbidOnly: unattended,
  // Nobody is there to try again what a busy machine upset. What passes only then is named at the end of the run.
  retries: unattended ? 1 : 0,
  reporter: process.env.E2E_REPORT
    ? [['list'], ['json', { outputFile: process.env.E2E_REPORT }]]
    : 'list',
  outputDir: '../.cache/e2e',
  use: {
    browserName: 'chromium',
    viewport: { width: 390, height: 844 },
    locale: 'en-GB',
    // Endless animations, drawn in software, take a third of the machine. The main job runs with motion.
    contextOptions: { reducedMotion: 'reduce' },
    // A trace of everything takes a part of what the machine can do: without it, the first try is as users have it.
    trace: unattended ? 'on-first-retry' : 'retain-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: chromiumFlags,
    },
  },
});

import { defineConfig } from '@playwright/test';

/** Flags for the system's Chromium: no background network requests, and no desktop required. */
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

const isUnattended = process.env.CI === 'true';

export default defineConfig({
  testDir: './tests',
  globalSetup: './support/global-setup.ts',
  // Each test runs all of Linnet and a browser, and waits half of the time. Three workers keep two cores busy.
  workers: 3,
  // About three times the duration of the longest test on two busy cores. Tests with many steps have their own timeout.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  forbidOnly: isUnattended,
  // Unattended runs retry once, for failures caused by load. Tests that pass only on retry are listed at the end.
  retries: isUnattended ? 1 : 0,
  reporter: process.env.E2E_REPORT
    ? [['list'], ['json', { outputFile: process.env.E2E_REPORT }]]
    : 'list',
  outputDir: '../.cache/e2e',
  use: {
    browserName: 'chromium',
    // Without these, an impossible action would occupy a worker until its test times out.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    viewport: { width: 390, height: 844 },
    locale: 'en-GB',
    // A service worker caches the whole app in every new profile, which takes a fifth of the CPU. Only tests of offline
    // pages or of the service worker allow it.
    serviceWorkers: 'block',
    // Endless animations, rendered in software, take a third of the CPU. The main-job specs run with motion.
    contextOptions: { reducedMotion: 'reduce' },
    // Tracing slows the app down. Unattended runs trace only the retry, so the first attempt runs at normal speed.
    trace: isUnattended ? 'on-first-retry' : 'retain-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: chromiumFlags,
      // Without a UTF-8 locale, Chromium changes non-ASCII file names of downloads.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    },
  },
});

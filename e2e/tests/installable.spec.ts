/** Tests that the web app can be installed. */
import { chromium, expect, test } from '@playwright/test';
import config from '../playwright.config.ts';
import { Stack } from '../support/stack.ts';

let stack: Stack;
test.use({ serviceWorkers: 'allow' });
test.beforeAll(async () => {
  stack = await Stack.start();
});
test.afterAll(() => stack?.stop());

test('Chromium accepts the manifest, and can install the app', async () => {
  // Apps can only be installed in a profile on disk, not in private windows.
  const context = await chromium.launchPersistentContext('', { ...config.use?.launchOptions });
  const page = context.pages()[0] ?? (await context.newPage());
  await page.goto(stack.url);
  const devtools = await context.newCDPSession(page);
  const { url, errors, data } = await devtools.send('Page.getAppManifest');
  expect(url).toBe(`${stack.url}/manifest.webmanifest`);
  expect(errors).toEqual([]);
  expect(JSON.parse(data ?? '')).toMatchObject({ name: 'Linnet', display: 'standalone' });
  const getInstallabilityErrors = async () => {
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    return installabilityErrors.map(({ errorId }) => errorId);
  };
  expect(await getInstallabilityErrors()).toEqual([]);
  // A page without a manifest is rejected, so the check does work in headless mode.
  await page.goto(`${stack.url}/readyz`);
  expect(await getInstallabilityErrors()).toEqual(['no-manifest']);
  await context.close();
});

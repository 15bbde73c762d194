/** The app is installable. */
import { chromium, expect, test } from '@playwright/test';
import config from '../playwright.config.ts';
import { Stack } from '../support/stack.ts';

let stack: Stack;
test.beforeAll(async () => {
  stack = await Stack.start();
});
test.afterAll(() => stack?.stop());

test('Chromium reads the manifest without an error, and would install the app', async () => {
  // A profile on disk: private windows cannot install apps.
  const context = await chromium.launchPersistentContext('', { ...config.use?.launchOptions });
  const page = context.pages()[0] ?? (await context.newPage());
  await page.goto(stack.url);
  const devtools = await context.newCDPSession(page);
  const { url, errors, data } = await devtools.send('Page.getAppManifest');
  expect(url).toBe(`${stack.url}/manifest.webmanifest`);
  expect(errors).toEqual([]);
  expect(JSON.parse(data ?? '')).toMatchObject({ name: 'Linnet', display: 'standalone' });
  const objections = async () => {
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    return installabilityErrors.map(({ errorId }) => errorId);
  };
  expect(await objections()).toEqual([]);
  // The check works headless too: a page of the server without a manifest is refused.
  await page.goto(`${stack.url}/readyz`);
  expect(await objections()).toEqual(['no-manifest']);
  await context.close();
});

/** Tests changing the server address: that it is validated, and that two servers' data stay separate. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import { LinnetApp, PASSWORD } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import { findFreePort } from '../support/ports.ts';
import { Stack } from '../support/stack.ts';

const EMAIL = 'wren@example.org';
const picture = join(
  ...[import.meta.dirname, '..', '..', 'apps', 'app', 'public', 'icons', 'linnet-512.png'],
);

let home: EmptyRecorderStack;
let otherStack: Stack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;
const pageErrors = new PageErrors();

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  home = await EmptyRecorderStack.start({ speed: 20, env: { TRIAL_DAYS: '0' } });
  otherStack = await Stack.start({ env: { CORS_ORIGINS: home.stack.url } });
  await home.addSpeech(4);
  context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    locale: 'en-GB',
  });
  pageErrors.listenTo(context);
  page = await context.newPage();
  app = new LinnetApp(page, home.stack);
});
test.afterAll(async () => {
  await context?.close();
  await otherStack?.stop();
  await home?.stop();
});
test.beforeEach(() => pageErrors.allow(/latest\.json/));
test.afterEach(() => {
  expect(pageErrors.takeUnexpected()).toEqual([]);
});

const id = (name: string) => page.getByTestId(name);
const toHost = (url: string) => url.replace(/^https:\/\//, '');

/** Starts an HTTP server other than Linnet. */
async function startHttpServer(
  listener: RequestListener,
): Promise<{ url: string; server: Server }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, server };
}

async function checkAddress(address: string): Promise<void> {
  await id('server-address').fill(address);
  await id('ask-server').click();
}

test('the page validates an address, and explains why it is invalid', async () => {
  // The browser logs blocked responses.
  pageErrors.allow(/CORS policy/, /net::ERR_/, /404/);
  const blocking = await startHttpServer((_request, response) =>
    response.end('{"code":0,"data":{}}'),
  );
  const shop = await startHttpServer((_request, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.end('<title>A shop</title>');
  });
  await app.open();
  await id('to-server').click();
  await expect(id('current-server')).toHaveText(toHost(home.stack.url));
  for (const [address, words] of [
    ['two words', 'This isn’t a server address'],
    [`localhost:${await findFreePort()}`, 'No response from this address'],
    [blocking.url, 'This server doesn’t accept this app'],
    [shop.url, 'No Linnet server at this address'],
  ] as const) {
    await checkAddress(address);
    await expect(id('error')).toHaveText(words);
  }
  await expectNoViolations(page);
  await checkAddress(home.stack.url);
  await expect(id('found-server')).toContainText('You’re already using this server.');
  await checkAddress(otherStack.url);
  await expect(id('found-server')).toContainText('Linnet server 1.');
  await expectNoViolations(page);
  for (const { server } of [blocking, shop]) server.close();
});

test('changing the server signs the user out, and an account on the new server starts empty', async () => {
  await app.signUp(EMAIL);
  await app.bind('websocket');
  await expect(app.rows()).toHaveCount(1);
  const recording = (await app.rows().getAttribute('data-record-id')) as string;
  // Retry, because the file may not exist yet.
  await expect(async () => {
    expect((await app.readStoredFile(recording, 'wav')).length).toBeGreaterThan(0);
  }).toPass();

  await app.open('/pages/serverAddress');
  await checkAddress(otherStack.url);
  await id('use-server').click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('Your recordings stay on this device.');
  await expectNoViolations(page);
  await dialog.getByRole('button', { name: 'Sign out and change' }).click();
  await page.waitForURL(`${home.stack.url}/`);
  await expect(id('to-server')).toContainText(new URL(otherStack.url).host);
  // The next account doesn't get the recorder's binding key.
  const devices = await page.evaluate(() => localStorage.getItem('BIND_DEVICE'));
  expect(JSON.parse(devices ?? '[]')).toMatchObject([{ bindingKey: null }]);

  await id('to-register').click();
  await id('email').fill(EMAIL);
  await id('send-code').click();
  await id('code').fill(await otherStack.waitForEmailedCode(EMAIL));
  await id('password').fill(PASSWORD);
  await id('repassword').fill(PASSWORD);
  await id('agree').check();
  await id('submit').click();
  await page.waitForURL(`${home.stack.url}/pages/files`);
  await expect(page.getByRole('heading', { name: 'Files' })).toBeVisible();
  await expect(app.rows()).toHaveCount(0);
  await app.open('/pages/me');
  await expect(page.getByRole('link', { name: 'Connect a recorder' })).toBeVisible();
});

test('the avatar is served by the new server', async () => {
  await app.open('/pages/personalInformation');
  await id('picture-file').setInputFiles(picture);
  await id('use-picture').click();
  const avatar = id('avatar');
  await expect(avatar).toHaveAttribute('src', new RegExp(`^${otherStack.url}/`));
  await expect
    .poll(() => avatar.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth))
    .toBe(512);
});

test('returning to the first server restores its recordings', async () => {
  await app.open('/pages/me');
  await page.getByRole('link', { name: 'Server address' }).click();
  await expect(id('current-server')).toHaveText(toHost(otherStack.url));
  await id('use-own').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out and change' }).click();
  await page.waitForURL(`${home.stack.url}/`);
  await app.signIn(EMAIL);
  await expect(app.rows()).toHaveCount(1);
  const recording = (await app.rows().getAttribute('data-record-id')) as string;
  expect((await app.readStoredFile(recording, 'ogg')).length).toBeGreaterThan(0);
});

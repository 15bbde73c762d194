/** One app and two servers: each is asked before it is used, and what belongs to one never shows at the other. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { Complaints } from '../support/complaints.ts';
import { LinnetApp, PASSWORD } from '../support/linnet-app.ts';
import { freePort } from '../support/ports.ts';
import { QuietStack } from '../support/quiet-stack.ts';
import { Stack } from '../support/stack.ts';

const EMAIL = 'wren@example.org';
const picture = join(
  ...[import.meta.dirname, '..', '..', 'apps', 'app', 'public', 'icons', 'linnet-512.png'],
);

let own: QuietStack;
let other: Stack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;
const complaints = new Complaints();

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  own = await QuietStack.start({ speed: 20, env: { TRIAL_DAYS: '0' } });
  other = await Stack.start({ env: { CORS_ORIGINS: own.stack.url } });
  await own.addSpeech(4);
  context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    locale: 'en-GB',
  });
  complaints.listenTo(context);
  page = await context.newPage();
  app = new LinnetApp(page, own.stack);
});
test.afterAll(async () => {
  await context?.close();
  await other?.stop();
  await own?.stop();
});
test.beforeEach(() => complaints.expect(/latest\.json/));
test.afterEach(() => {
  expect(complaints.unexpected()).toEqual([]);
});

const id = (name: string) => page.getByTestId(name);
const hostOf = (url: string) => url.replace(/^https:\/\//, '');

/** Something else that answers. */
async function serve(answer: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, server };
}

async function ask(address: string): Promise<void> {
  await id('server-address').fill(address);
  await id('ask-server').click();
}

test('an address is asked before it is taken, and says what is wrong with it', async () => {
  // The browser says for itself that it was kept from reading.
  complaints.expect(/CORS policy/, /net::ERR_/, /404/);
  const blocking = await serve((_request, response) => response.end('{"code":0,"data":{}}'));
  const shop = await serve((_request, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.end('<title>A shop</title>');
  });
  await app.open();
  await id('to-server').click();
  await expect(id('current-server')).toHaveText(hostOf(own.stack.url));
  for (const [address, words] of [
    ['two words', 'This is not a server address'],
    [`localhost:${await freePort()}`, 'Nothing answers at this address'],
    [blocking.url, 'Something answers there, but does not let this app in'],
    [shop.url, 'There is no Linnet server at this address'],
  ] as const) {
    await ask(address);
    await expect(id('error')).toHaveText(words);
  }
  await expectNoViolations(page);
  await ask(own.stack.url);
  await expect(id('found-server')).toContainText('This app already talks to it.');
  await ask(other.url);
  await expect(id('found-server')).toContainText('Linnet server 1.');
  await expectNoViolations(page);
  for (const { server } of [blocking, shop]) server.close();
});

test('an answer about an older text is passed over', async () => {
  let answer = () => {};
  const slow = await serve((_request, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    answer = () => response.end('<title>A shop</title>');
  });
  const asked = page.waitForRequest((request) => request.url().startsWith(slow.url));
  await ask(slow.url);
  const request = await asked;
  await ask(other.url);
  await expect(id('found-server')).toContainText('Linnet server 1.');
  const answered = page.waitForEvent('requestfinished', (finished) => finished === request);
  answer();
  await answered;
  // What comes of it is on the screen with the next frame but one.
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  await expect(id('found-server')).toContainText('Linnet server 1.');
  await expect(id('error')).toHaveCount(0);
  slow.server.close();
});

test('signed in, the server is changed after signing out, and another account starts empty', async () => {
  await app.signUp(EMAIL);
  await app.bind('websocket');
  await expect(app.rows()).toHaveCount(1);
  const recording = (await app.rows().getAttribute('data-record-id')) as string;
  // The file is not there before it is.
  await expect(async () => {
    expect((await app.storedFile(recording, 'wav')).length).toBeGreaterThan(0);
  }).toPass();

  await app.open('/pages/serverAddress');
  await ask(other.url);
  await id('use-server').click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('You are signed out here first.');
  await expectNoViolations(page);
  await question.getByRole('button', { name: 'Sign out and change' }).click();
  await page.waitForURL(`${own.stack.url}/`);
  await expect(id('to-server')).toContainText(new URL(other.url).host);
  // Who comes next has no way into the recorder.
  const known = await page.evaluate(() => localStorage.getItem('BIND_DEVICE'));
  expect(JSON.parse(known ?? '[]')).toMatchObject([{ bindingKey: null }]);

  await id('to-register').click();
  await id('email').fill(EMAIL);
  await id('send-code').click();
  await id('code').fill(await other.mailedCode(EMAIL));
  await id('password').fill(PASSWORD);
  await id('repassword').fill(PASSWORD);
  await id('agree').check();
  await id('submit').click();
  await page.waitForURL(`${own.stack.url}/pages/files`);
  await expect(page.getByRole('heading', { name: 'Files' })).toBeVisible();
  await expect(app.rows()).toHaveCount(0);
  await app.open('/pages/me');
  await expect(page.getByRole('link', { name: 'Connect a recorder' })).toBeVisible();
});

test('pictures, and whatever else the other server has, come from there', async () => {
  await app.open('/pages/personalInformation');
  await id('picture-file').setInputFiles(picture);
  await id('use-picture').click();
  const avatar = id('avatar');
  await expect(avatar).toHaveAttribute('src', new RegExp(`^${other.url}/`));
  await expect
    .poll(() => avatar.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth))
    .toBe(512);
});

test('back at the own server everything is as it was', async () => {
  await app.open('/pages/me');
  await page.getByRole('link', { name: 'Server address' }).click();
  await expect(id('current-server')).toHaveText(hostOf(other.url));
  await id('use-own').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out and change' }).click();
  await page.waitForURL(`${own.stack.url}/`);
  await app.signIn(EMAIL);
  await expect(app.rows()).toHaveCount(1);
  const recording = (await app.rows().getAttribute('data-record-id')) as string;
  expect((await app.storedFile(recording, 'ogg')).length).toBeGreaterThan(0);
});

/** Tests the account settings, closing an account, and two accounts on one phone. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { writeWave } from '@linnet/audio/wave';
import { codes } from '@linnet/contract/codes';
import { findApache, startWebdav, webdavPassword, webdavUser } from '@linnet/server/testing/webdav';
import {
  type Browser,
  type BrowserContext,
  expect,
  type Page,
  type Response,
  test,
} from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import { createExpiredToken } from '../support/expired-token.ts';
import { LinnetApp, PASSWORD } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import { ServerAccount } from '../support/server-account.ts';
import { Toasts } from '../support/toasts.ts';
import { createTone } from '../support/tone.ts';

const EMAIL = 'robin@example.org';
const RECOVERED_PASSWORD = 'plover-tide-candle-9';
const NEW_PASSWORD = 'heron-mist-lantern-4';
const picture = join(
  ...[import.meta.dirname, '..', '..', 'apps', 'app', 'public', 'icons', 'linnet-512.png'],
);

let environment: EmptyRecorderStack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;
const pageErrors = new PageErrors();

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  environment = await EmptyRecorderStack.start({
    speed: 20,
    env: { TRIAL_DAYS: '0', WEBHOOKS_PRIVATE: 'on', WEBDAV_PRIVATE: 'on' },
  });
  await environment.addSpeech(4);
  context = await browser.newContext({
    ...{ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    ...{ locale: 'en-GB' },
  });
  pageErrors.listenTo(context);
  page = await context.newPage();
  app = new LinnetApp(page, environment.stack);
  await app.signUp(EMAIL);
  await app.bind('websocket');
  await expect(app.rows()).toHaveCount(1);
});
test.afterAll(async () => {
  await context?.close();
  await environment?.stop();
});
// This test's server publishes no firmware.
test.beforeEach(() => pageErrors.allow(/latest\.json/));
test.afterEach(() => {
  expect(pageErrors.takeUnexpected()).toEqual([]);
});

const id = (name: string) => page.getByTestId(name);
const error = () => id('error');

/** Calls the API, optionally with an access token, and returns the response even if the call fails. */
async function callApi(
  path: string,
  body: object,
  token?: string,
): Promise<{ code: number; data: never }> {
  const response = await fetch(`${environment.stack.url}/api${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  return response.json() as Promise<{ code: number; data: never }>;
}

async function signOut(): Promise<void> {
  await app.show('/pages/me');
  await id('sign-out').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(id('email')).toBeVisible();
}

const readLocalStorage = () => page.evaluate(() => ({ ...localStorage }) as Record<string, string>);

test('edits the name in place and saves it', async () => {
  await app.open('/pages/me');
  await id('to-personal').click();
  await expect(page.getByRole('heading', { name: 'Personal information' })).toBeVisible();
  await expect(id('edit-name')).toContainText('Add a name');
  await id('edit-name').click();
  await id('name').fill('Robin Redbreast');
  await page.keyboard.press('Enter');
  await expect(id('edit-name')).toContainText('Robin Redbreast');
  expect((await app.callApi<{ nickname: string }>('/user/info')).nickname).toBe('Robin Redbreast');
  await expectNoViolations(page);
});

test('crops, saves and removes a picture', async () => {
  await id('picture-file').setInputFiles({
    ...{ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no picture') },
  });
  await app.expectToast('Couldn’t open this file as a picture');

  await id('picture-file').setInputFiles(picture);
  const frame = id('crop-frame');
  await expect(frame).toHaveAttribute('data-crop', '1.000 0.000 0.000');
  await expectNoViolations(page);
  await frame.focus();
  for (const key of ['+', '+', '+', 'ArrowLeft', 'ArrowDown']) await page.keyboard.press(key);
  await expect(frame).toHaveAttribute('data-crop', '1.331 -0.040 0.040');
  const box = await frame.boundingBox();
  if (!box) throw new Error('the frame has no box');
  const center = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await page.mouse.move(center.x, center.y);
  await page.mouse.down();
  await page.mouse.move(center.x + box.width / 10, center.y);
  await page.mouse.up();
  // The frame's size isn't a whole number of pixels, so the result is inexact.
  await expect(frame).toHaveAttribute('data-crop', /^1\.331 0\.0[56]\d 0\.0[34]\d$/);
  await pinch(center, box.width);
  await expect(frame).toHaveAttribute('data-crop', /^2\.[67]/);
  await page.mouse.wheel(0, 400);
  await expect(frame).toHaveAttribute('data-crop', '1.000 0.000 0.000');

  await id('use-picture').click();
  await app.expectToast('Picture saved');
  const renderedWidth = () =>
    id('avatar').evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth);
  await expect.poll(renderedWidth).toBe(512);
  await app.open('/pages/me');
  await expect.poll(renderedWidth).toBe(512);

  await id('to-personal').click();
  await id('remove-picture').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove picture' }).click();
  await expect(id('avatar')).toHaveCount(0);
  expect((await app.callApi<{ avatar: null }>('/user/info')).avatar).toBeNull();
});

/** Pinches outward around a point, doubling the distance. */
async function pinch({ x, y }: { x: number; y: number }, width: number): Promise<void> {
  const fingers = await context.newCDPSession(page);
  const touchPointsAt = (apart: number) => [
    { x: x - apart * width, y, id: 1 },
    { x: x + apart * width, y, id: 2 },
  ];
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: object[]) =>
    fingers.send('Input.dispatchTouchEvent', { type, touchPoints: touchPoints as never });
  await touch('touchStart', touchPointsAt(0.1));
  for (const apart of [0.125, 0.15, 0.175, 0.2]) await touch('touchMove', touchPointsAt(apart));
  await touch('touchEnd', []);
  await fingers.detach();
}

test('creates an API key that another program can use until it is revoked', async () => {
  await id('to-api-keys').click();
  await expect(page.getByText('No API keys yet')).toBeVisible();
  await id('create-key').click();
  await expectNoViolations(page);
  await id('key-name').fill('Folder');
  await id('submit-key').click();
  const key = await id('new-key').innerText();
  expect((await callApi('/task/index', { limit: 10, page: 1 }, key)).code).toBe(codes.ok);
  const rename = { id: 'x', name: 'Other' };
  expect((await callApi('/radio/rename', rename, key)).code).toBe(codes.keyNotAllowed);
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect(id('api-key')).toContainText('Folder');
  await expect(id('api-key')).toContainText('Read only');
  await id('revoke-key').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click();
  await app.expectToast('Key revoked');
  await expect(page.getByText('No API keys yet')).toBeVisible();
  expect((await callApi('/task/index', {}, key)).code).toBe(codes.tokenInvalid);
});

test('adds a webhook, which receives a test message that can be sent again', async () => {
  const received: { body: string; headers: IncomingHttpHeaders }[] = [];
  const receiver = createServer(async (request, response) => {
    received.push({ body: await text(request), headers: request.headers });
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  await app.show('/pages/personalInformation');
  await id('to-webhooks').click();
  await expect(page.getByText('No webhooks yet')).toBeVisible();
  await id('add-webhook').click();
  await expectNoViolations(page);
  await id('webhook-url').fill(`ftp://127.0.0.1:${port}/`);
  await id('submit-webhook').click();
  await expect(error()).toContainText('Enter an https address');
  await id('webhook-url').fill(`http://127.0.0.1:${port}/hook`);
  await id('submit-webhook').click();
  const secret = await id('webhook-secret').innerText();
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect(id('webhook')).toContainText(`127.0.0.1:${port}/hook`);
  await id('webhook').click();
  await id('test-webhook').click();
  await expect.poll(() => received.length).toBe(1);
  const [{ body, headers } = { body: '', headers: {} }] = received;
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(signed).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${signature}`);
  await expect(async () => {
    await id('refresh-deliveries').click();
    await expect(id('delivery')).toContainText('Delivered', { timeout: 500 });
  }).toPass();
  await expectNoViolations(page);
  await id('resend').click();
  await expect.poll(() => received.length).toBe(2);
  expect(received[1]?.headers['webhook-id']).toBe(headers['webhook-id']);
  await id('rotate-webhook').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Create new secret' }).click();
  await expect(id('webhook-secret')).not.toHaveText(secret);
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  await id('remove-webhook').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete webhook' }).click();
  await expect(page.getByText('No webhooks yet')).toBeVisible();
  receiver.close();
});

test('connects a WebDAV folder, changes its template, and disconnects it', async () => {
  test.skip(!findApache() && process.env.CI !== 'true', 'Apache is not installed');
  const webdav = await startWebdav();
  try {
    await app.show('/pages/personalInformation');
    await id('to-vault').click();
    await expect(page.getByText('No folder yet')).toBeVisible();
    await id('connect-vault').click();
    await expectNoViolations(page);
    await id('vault-url').fill(`${webdav.url}Linnet`);
    await id('vault-username').fill(webdavUser);
    await id('vault-password').fill('wrong');
    await id('submit-vault').click();
    await expect(page.getByText('Wrong username or password')).toBeVisible();
    await id('vault-password').fill(webdavPassword);
    await id('submit-vault').click();
    await expect(id('vault-webdav')).toContainText(`${webdav.url}Linnet/`);
    await expectNoViolations(page);
    await id('test-webdav').click();
    await expect(page.getByText('The folder works')).toBeVisible();
    await id('template-webdav').click();
    await id('vault-template').fill('# {{titel}}');
    await expect(page.getByText('Line 1: unknown placeholder {{titel}}')).toBeVisible();
    await expectNoViolations(page);
    await id('vault-template').fill('# {{title}}');
    await id('save-template').click();
    await expect(page.getByText('Template saved')).toBeVisible();
    await id('stop-webdav').click();
    await expect(id('vault-webdav')).toContainText('Off');
    await id('resume-webdav').click();
    await expect(id('stop-webdav')).toBeVisible();
    await id('disconnect-vault').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect folder' }).click();
    await expect(page.getByText('No folder yet')).toBeVisible();
  } finally {
    await webdav.stop();
  }
});

test('creates a calendar URL, and revokes it', async () => {
  await app.show('/pages/personalInformation');
  await id('to-calendar').click();
  await id('create-calendar').click();
  const url = await id('calendar-address').innerText();
  await expectNoViolations(page);
  const file = await fetch(url);
  expect(file.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  expect(await file.text()).toMatch(/^BEGIN:VCALENDAR/);
  await id('revoke-calendar').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).click();
  await expect(id('create-calendar')).toBeVisible();
  expect((await fetch(url)).status).toBe(404);
});

test('sets the microphone gain of a connected recorder', async () => {
  await app.show('/pages/personalInformation');
  const getMicGain = async () => (await environment.stack.recorder.getStatus()).settings.micGain;
  const before = await getMicGain();
  await page.locator('.choice label').getByText('High', { exact: true }).click();
  await expect.poll(getMicGain).not.toBe(before);
});

test('resets a forgotten password with the emailed code, and rejects the old password', async () => {
  await signOut();
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('heading', { name: 'Reset your password' })).toBeVisible();
  // The form is prefilled with the last user's email.
  await expect(id('email')).toHaveValue(EMAIL);
  await id('send-code').click();
  await expect(page.getByText('This server can’t send email.')).toBeVisible();
  await id('code').fill(await environment.stack.waitForEmailedCode(EMAIL));
  await id('password').fill(RECOVERED_PASSWORD);
  await id('repassword').fill(RECOVERED_PASSWORD);
  await expectNoViolations(page);
  await id('submit').click();
  // The emailed code has proved the user's identity, so no further sign-in is needed.
  await page.waitForURL('**/pages/files');
  await expect(app.rows()).toHaveCount(1);

  const login = (password: string) => callApi('/user/login', { email: EMAIL, password });
  expect((await login(PASSWORD)).code).toBe(codes.wrongCredentials);
  expect((await login(RECOVERED_PASSWORD)).code).toBe(codes.ok);
});

test('changes the password, and rejects the old password', async () => {
  await app.open('/pages/changePassword');
  await id('old_password').fill(RECOVERED_PASSWORD);
  await id('password').fill(NEW_PASSWORD);
  await id('repassword').fill(NEW_PASSWORD);
  await id('submit').click();
  await app.expectToast('Password changed');
  await expect(page.getByRole('heading', { name: 'Personal information' })).toBeVisible();

  const login = (password: string) => callApi('/user/login', { email: EMAIL, password });
  expect((await login(RECOVERED_PASSWORD)).code).toBe(codes.wrongCredentials);
  expect((await login(NEW_PASSWORD)).code).toBe(codes.ok);
  const storedText = Object.values(await readLocalStorage()).join();
  for (const password of [RECOVERED_PASSWORD, NEW_PASSWORD])
    expect(storedText).not.toContain(password);
});

test('shows each account only its own data when switching accounts without a reload', async () => {
  const next = 'wren@example.org';
  await ServerAccount.register(environment.stack, next);
  await app.show('/pages/files');
  await expect(app.rows()).toHaveCount(1);
  await id('tab-me').click();
  await id('sign-out').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(id('email')).toBeVisible();
  const items = await readLocalStorage();
  for (const name of ['Access-Token', 'Refresh-Token', 'Token_time', 'login_user_info']) {
    expect(items).not.toHaveProperty(name);
  }
  expect(JSON.parse(items.save_user_info ?? '')).toEqual({ email: EMAIL, password: '' });
  const renderedRows = await page.evaluateHandle(() => {
    const rows = new Set<string>();
    new MutationObserver(() => {
      for (const row of document.querySelectorAll('[data-record-id]')) rows.add(row.outerHTML);
    }).observe(document, { childList: true, subtree: true });
    return rows;
  });
  await app.signIn(next);
  await expect(page.locator('.empty')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Files' })).toBeVisible();
  expect(await renderedRows.evaluate((seen) => [...seen])).toEqual([]);
  await id('tab-me').click();
  await expect(page.getByText(next)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Connect a recorder' })).toBeVisible();
  await expect(page.getByText(EMAIL)).toHaveCount(0);
  await signOut();
  await signIn();
  await expect(app.rows()).toHaveCount(1);
});

async function signIn(): Promise<void> {
  await id('email').fill(EMAIL);
  await id('password').fill(NEW_PASSWORD);
  await id('submit').click();
  await page.waitForURL('**/pages/files');
}

test('refreshes an expired token (4200001) without interrupting the user', async () => {
  await app.show('/pages/personalInformation');
  await id('edit-name').click();
  await id('name').fill('Robin Goodfellow');
  const before = await readLocalStorage();
  const expiredToken = await createExpiredToken(environment.stack, before['Access-Token'] ?? '');
  // The call name and code of each response, in order.
  const responses: Promise<{ call: string; code: number }>[] = [];
  const listen = (response: Response) => {
    const [, call] = /\/api\/(.+)/.exec(response.url()) ?? [];
    if (call) responses.push(response.json().then(({ code }) => ({ call, code })));
  };
  page.on('response', listen);
  await page.evaluate((token) => localStorage.setItem('Access-Token', token), expiredToken);
  await page.keyboard.press('Enter');
  await expect(id('edit-name')).toContainText('Robin Goodfellow');
  page.off('response', listen);
  const results = await Promise.all(responses);
  const getCodes = (expectedCall: string) =>
    results.filter(({ call }) => call === expectedCall).map(({ code }) => code);
  expect(getCodes('user/updateNickname')).toEqual([codes.tokenExpired, codes.ok]);
  expect(getCodes('user/refreshToken')).toEqual([codes.ok]);

  const after = await readLocalStorage();
  // A refresh in the same second as the sign-in results in the same access token.
  expect(after['Access-Token']).not.toBe(expiredToken);
  expect(after['Refresh-Token']).not.toBe(before['Refresh-Token']);
  // The new token works for another call, and after a reload.
  expect((await app.callApi<{ nickname: string }>('/user/info')).nickname).toBe('Robin Goodfellow');
  await page.reload();
  await expect(id('edit-name')).toContainText('Robin Goodfellow');
  expect((await readLocalStorage())['Refresh-Token']).toBe(after['Refresh-Token']);
});

test('opens the sign-in page after a rejected token (4200002), and keeps the data on the phone', async () => {
  const otherLogin = await callApi('/user/login', { email: EMAIL, password: NEW_PASSWORD });
  const { access_token } = otherLogin.data as { access_token: string };
  const passwordChange = { old_password: NEW_PASSWORD, password: PASSWORD, repassword: PASSWORD };
  // A password change on another phone ends this phone's session.
  expect((await callApi('/user/updatePassword', passwordChange, access_token)).code).toBe(codes.ok);
  const revertedChange = {
    old_password: PASSWORD,
    password: NEW_PASSWORD,
    repassword: NEW_PASSWORD,
  };
  expect((await callApi('/user/updatePassword', revertedChange, access_token)).code).toBe(codes.ok);
  await page.goto(`${environment.stack.url}/pages/me`);
  await expect(page.getByText('Your recordings are safe on this device.')).toBeVisible();
  const items = await readLocalStorage();
  expect(items).not.toHaveProperty('Access-Token');
  expect(items).not.toHaveProperty('Refresh-Token');
  await id('password').fill(NEW_PASSWORD);
  await id('submit').click();
  await page.waitForURL('**/pages/me');
  await app.show('/pages/files');
  await expect(app.rows()).toHaveCount(1);
});

test('lists the data that closing an account deletes, and deletes it', async () => {
  await app.show('/pages/me');
  await expect(page.getByTestId('connected')).toHaveAttribute('data-status', 'connected');
  await id('to-personal').click();
  await id('cancel-account').click();
  await expect(id('losses').getByRole('listitem')).toHaveText([
    '1 recording',
    '0 transcripts',
    '30 transcription minutes',
    /^Your pairing with /,
  ]);
  await expectNoViolations(page);
  await id('closing-email').fill('Robin@Example.org');
  await id('closing-password').fill('not this one');
  await id('close-account').click();
  await expect(page.getByText('Wrong password')).toBeVisible();
  await id('closing-password').fill(NEW_PASSWORD);
  await id('close-account').click();
  await app.expectToast('Your account has been deleted');
  await expect(id('submit')).toBeVisible();

  const response = await callApi('/user/login', { email: EMAIL, password: NEW_PASSWORD });
  expect(response.code).toBe(codes.wrongCredentials);
  expect(await readLocalStorage()).not.toHaveProperty('Access-Token');
  expect(JSON.parse((await readLocalStorage()).BIND_DEVICE ?? '[]')).toEqual([]);
  expect(await listAudioFiles()).toEqual([]);
});

/** Returns the names of the audio files on this phone. */
const listAudioFiles = () =>
  page.evaluate(async () => {
    let folder = await navigator.storage.getDirectory();
    for (const part of ['linnet', 'audio']) folder = await folder.getDirectoryHandle(part);
    const names: string[] = [];
    for await (const name of folder.keys()) names.push(name);
    return names;
  });

test('lists other devices and signs them out, and ends its own session on the server when signing out', async () => {
  await app.signUp('wagtail@example.org');
  const login = { email: 'wagtail@example.org', password: PASSWORD };
  const otherSession = (await callApi('/user/login', login)).data as { access_token: string };
  await app.show('/pages/personalInformation');
  await expect(id('session-here')).toContainText('Chrome · Linux');
  await expect(id('session')).toHaveCount(1);
  await expectNoViolations(page);
  await id('session').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(id('session')).toHaveCount(0);
  const getTokenStatus = (token: string) =>
    page.evaluate(async (access) => {
      const headers = { Authorization: `Bearer ${access}`, 'Content-Type': 'application/json' };
      const init = { method: 'POST', headers, body: '{}' };
      return (await (await fetch('/alien-user/api/user/info', init)).json()).code as number;
    }, token);
  expect(await getTokenStatus(otherSession.access_token)).toBe(codes.tokenInvalid);

  const ownToken = (await readLocalStorage())['Access-Token'] ?? '';
  expect(await getTokenStatus(ownToken)).toBe(codes.ok);
  await id('sign-out').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
  await expect.poll(() => getTokenStatus(ownToken)).toBe(codes.tokenInvalid);
  expect(await readLocalStorage()).not.toHaveProperty('Signed-Out-Sessions');
});

test('completes closing an account on the next start if the response was lost', async () => {
  pageErrors.allow(/net::ERR_/);
  await app.signIn('wagtail@example.org');
  const buffer = Buffer.from(writeWave(createTone(1, 5), SAMPLE_RATE));
  await id('import-files').setInputFiles({ name: 'Tone.wav', mimeType: 'audio/wav', buffer });
  await expect(app.rows()).toHaveCount(1);
  await expect.poll(listAudioFiles).not.toEqual([]);
  await app.show('/pages/personalInformation');
  await id('cancel-account').click();
  await expect(id('losses')).toContainText('1 recording');
  await id('closing-email').fill('wagtail@example.org');
  await id('closing-password').fill(PASSWORD);
  await page.route('**/user/deactivation', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.route('**/user/closed', (route) => route.abort());
  await id('close-account').click();
  await expect(error()).toBeVisible();
  expect(await listAudioFiles()).not.toEqual([]);

  await page.unrouteAll();
  await page.reload();
  await expect(id('submit')).toBeVisible();
  await expect.poll(listAudioFiles).toEqual([]);
  await expect.poll(readLocalStorage).not.toHaveProperty('closing_accounts');
});

/** Opens the sign-in form in a new browser, on a screen so short that the links to the other forms are below the fold. */
async function openSignIn(browser: Browser): Promise<Page> {
  const signedOutPage = await browser.newPage({
    viewport: { width: 1280, height: 480 },
    locale: 'en-GB',
  });
  await signedOutPage.goto(environment.stack.url);
  return signedOutPage;
}

test('applies the last of two languages chosen in quick succession, and keeps the current one if another fails to load', async ({
  browser,
}) => {
  const signedOutPage = await openSignIn(browser);
  const switchButton = signedOutPage.getByTestId('switch-language');
  const chooseLanguage = async (name: string) => {
    await switchButton.click();
    await signedOutPage.getByText(name, { exact: true }).click();
  };
  const expectLanguage = (language: string) =>
    expect(signedOutPage.locator('html')).toHaveAttribute('lang', language);

  await test.step('keeps the language if another fails to load', async () => {
    await signedOutPage.route('**/words-fr-*', (route) => route.abort());
    const toasts = await Toasts.of(signedOutPage);
    await chooseLanguage('Français');
    await toasts.expect('Couldn’t change the language.');
    await expectLanguage('en');
    await signedOutPage.unrouteAll();
  });

  await test.step('applies the last language, whichever loads first', async () => {
    const gate = Promise.withResolvers<void>();
    await signedOutPage.route('**/words-fr-*', async (route) => {
      await gate.promise;
      await route.continue();
    });
    // Chromium requests a failed module only once per document.
    await signedOutPage.reload();
    await expect(switchButton).toBeVisible();
    const seenLanguages = await signedOutPage.evaluateHandle(() => {
      const languages: string[] = [];
      new MutationObserver(() => languages.push(document.documentElement.lang)).observe(
        document.documentElement,
        { attributeFilter: ['lang'] },
      );
      return languages;
    });
    const frenchResponse = signedOutPage.waitForResponse('**/words-fr-*');
    await chooseLanguage('Français');
    await chooseLanguage('Español');
    await expectLanguage('es');
    gate.resolve();
    await (await frenchResponse).finished();
    await chooseLanguage('Português');
    await expectLanguage('pt');
    expect(await seenLanguages.jsonValue()).toEqual(['es', 'pt']);
    expect(await signedOutPage.evaluate(() => localStorage.getItem('language'))).toBe('pt');
    await chooseLanguage('Français');
    await expectLanguage('fr');
  });

  await test.step('serves the manifest in the chosen language', async () => {
    await chooseLanguage('العربية');
    await expectLanguage('ar');
    const manifest = signedOutPage.locator('link[rel=manifest]');
    const address = (await manifest.getAttribute('href')) ?? '';
    const response = await signedOutPage.request.get(new URL(address, signedOutPage.url()).href);
    expect(await response.json()).toMatchObject({ lang: 'ar', dir: 'rtl' });
  });
  await signedOutPage.close();
});

test('scrolls to the top of each sign-in form', async ({ browser }) => {
  const signedOutPage = await openSignIn(browser);
  const getScrollTop = () => signedOutPage.locator('main').evaluate((main) => main.scrollTop);
  for (const [linkId, title] of [
    ['to-register', 'Create your account'],
    ['to-sign-in', 'Sign in'],
  ] as const) {
    await signedOutPage.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
    expect(await getScrollTop()).toBeGreaterThan(0);
    await signedOutPage.getByTestId(linkId).click();
    const heading = signedOutPage.getByRole('heading', { name: title });
    await expect(heading).toBeFocused();
    expect(await getScrollTop()).toBe(0);
    // A form that is taller than the screen overflows only at the bottom.
    expect((await heading.boundingBox())?.y).toBeGreaterThan(32);
  }
  await signedOutPage.close();
});

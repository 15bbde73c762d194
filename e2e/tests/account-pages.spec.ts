/** Account settings: password, picture, name, language, closing an account; two accounts on one phone. */
import { join } from 'node:path';
import { codes } from '@linnet/contract/codes';
import { type BrowserContext, expect, type Page, type Response, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import { loadEntryTexts } from '../support/entry-texts.ts';
import { createExpiredToken } from '../support/expired-token.ts';
import { LinnetApp, PASSWORD } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import { ServerAccount } from '../support/server-account.ts';
import { Toasts } from '../support/toasts.ts';

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
  environment = await EmptyRecorderStack.start({ speed: 20, env: { TRIAL_DAYS: '0' } });
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
// The server publishes no firmware here.
test.beforeEach(() => pageErrors.allow(/latest\.json/));
test.afterEach(() => {
  expect(pageErrors.takeUnexpected()).toEqual([]);
});

const id = (name: string) => page.getByTestId(name);
const error = () => id('error');

/** The server's answer to a call with or without a token. */
async function ask(
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
  await app.open('/pages/me');
  await id('sign-out').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(id('email')).toBeVisible();
}

const stored = () => page.evaluate(() => ({ ...localStorage }) as Record<string, string>);

test('the name is edited in place and saved', async () => {
  await app.open('/pages/me');
  await id('to-personal').click();
  await expect(page.getByRole('heading', { name: 'Personal information' })).toBeVisible();
  await id('edit-name').click();
  await id('name').fill('Robin');
  await page.keyboard.press('Escape');
  await expect(id('edit-name')).toContainText('Add a name');
  await expect(id('edit-name')).toBeFocused();
  await page.keyboard.press('Enter');
  await id('name').fill('Robin Redbreast');
  await page.keyboard.press('Enter');
  await expect(id('edit-name')).toContainText('Robin Redbreast');
  expect((await app.callApi<{ nickname: string }>('/user/info')).nickname).toBe('Robin Redbreast');
  await expectNoViolations(page);
});

test('a picture is moved and zoomed in its frame, saved, and removed again', async () => {
  await id('picture-file').setInputFiles({
    ...{ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no picture') },
  });
  await app.expectToast('cannot be read as a picture');

  await id('picture-file').setInputFiles(picture);
  const frame = id('crop-frame');
  await expect(frame).toHaveAttribute('data-crop', '1.000 0.000 0.000');
  await expectNoViolations(page);
  await frame.focus();
  for (const key of ['+', '+', '+', 'ArrowLeft', 'ArrowDown']) await page.keyboard.press(key);
  await expect(frame).toHaveAttribute('data-crop', '1.331 -0.040 0.040');
  const box = await frame.boundingBox();
  if (!box) throw new Error('the frame has no box');
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.down();
  await page.mouse.move(middle.x + box.width / 10, middle.y);
  await page.mouse.up();
  // Pixels are integers, frame sizes are not.
  await expect(frame).toHaveAttribute('data-crop', /^1\.331 0\.0[56]\d 0\.0[34]\d$/);
  await pinch(middle, box.width);
  await expect(frame).toHaveAttribute('data-crop', /^2\.[67]/);
  await page.mouse.wheel(0, 400);
  await expect(frame).toHaveAttribute('data-crop', '1.000 0.000 0.000');

  await id('use-picture').click();
  await app.expectToast('Your picture is saved');
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

/** Pinches out to twice the distance around a point. */
async function pinch({ x, y }: { x: number; y: number }, width: number): Promise<void> {
  const fingers = await context.newCDPSession(page);
  const at = (apart: number) => [
    { x: x - apart * width, y, id: 1 },
    { x: x + apart * width, y, id: 2 },
  ];
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: object[]) =>
    fingers.send('Input.dispatchTouchEvent', { type, touchPoints: touchPoints as never });
  await touch('touchStart', at(0.1));
  for (const apart of [0.125, 0.15, 0.175, 0.2]) await touch('touchMove', at(apart));
  await touch('touchEnd', []);
  await fingers.detach();
}

test('the microphone can be set here as on the recorder’s own page, while it is connected', async () => {
  await app.open('/pages/personalInformation');
  const gain = async () => (await environment.stack.recorder.getStatus()).settings.micGain;
  const before = await gain();
  await page.locator('.choice label').getByText('High', { exact: true }).click();
  await expect.poll(gain).not.toBe(before);
});

test('a forgotten password is reset with the code from the mail, and the old one is refused', async () => {
  await signOut();
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  // The email of the last user is filled in.
  await expect(id('email')).toHaveValue(EMAIL);
  await id('send-code').click();
  await expect(page.getByText(`The code is on its way to ${EMAIL}.`)).toBeVisible();
  await id('code').fill(await environment.stack.waitForMailedCode(EMAIL));
  await id('password').fill(RECOVERED_PASSWORD);
  await id('repassword').fill(RECOVERED_PASSWORD);
  await expectNoViolations(page);
  await id('submit').click();
  // The mailed code proves the identity: no further sign-in.
  await page.waitForURL('**/pages/files');
  await expect(app.rows()).toHaveCount(1);

  await signOut();
  await id('password').fill(PASSWORD);
  await id('submit').click();
  await expect(error()).toHaveText('Wrong account or password');
  await id('password').fill(RECOVERED_PASSWORD);
  await id('submit').click();
  await page.waitForURL('**/pages/files');
  await expect(app.rows()).toHaveCount(1);
});

test('the password is changed, and the old one is no longer accepted', async () => {
  await app.open('/pages/changePassword');
  await id('submit').click();
  await expect(error()).toHaveText([
    'Please fill in your old password',
    'Please fill in your new password',
    'Please confirm your new password',
  ]);
  await expect(id('old_password')).toBeFocused();
  await id('old_password').fill('not-the-old-one');
  await id('password').fill(NEW_PASSWORD);
  await id('repassword').fill(`${NEW_PASSWORD}x`);
  await id('submit').click();
  await expect(error()).toHaveText(['The password and confirmation password do not match']);
  await expectNoViolations(page);
  await id('repassword').fill(NEW_PASSWORD);
  await id('submit').click();
  await expect(error()).toHaveText(['The old password is wrong']);
  await expect(id('old_password')).toBeFocused();
  await id('old_password').fill(RECOVERED_PASSWORD);
  await id('submit').click();
  await app.expectToast('Your new password is saved');
  await expect(page.getByRole('heading', { name: 'Personal information' })).toBeVisible();

  const login = (password: string) => ask('/user/login', { email: EMAIL, password });
  expect((await login(RECOVERED_PASSWORD)).code).toBe(codes.wrongCredentials);
  expect((await login(NEW_PASSWORD)).code).toBe(codes.ok);
  const storedText = Object.values(await stored()).join();
  for (const password of [RECOVERED_PASSWORD, NEW_PASSWORD])
    expect(storedText).not.toContain(password);
});

test('the language changes at once, each is listed by its own name, and it can follow the browser', async () => {
  await app.open('/pages/me');
  await id('language').click();
  await expect(page.getByRole('radio')).toHaveCount(11);
  await expect(id('language-browser')).toBeChecked();
  await page.getByText('العربية', { exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('اللغة');
  await expectNoViolations(page);
  await page.reload();
  await expect(id('language-ar')).toBeChecked();
  await page.getByText('كلغة هذا المتصفح').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Language');
  expect(await stored()).not.toHaveProperty('language');
});

for (const [locale, language, direction] of [
  ['ja-JP', 'ja', 'ltr'],
  ['ar-EG', 'ar', 'rtl'],
  ['pt-BR', 'pt', 'ltr'],
  // A closer match than English.
  ['zh-TW', 'zh-Hans', 'ltr'],
  // Unsupported.
  ['sv', 'en', 'ltr'],
] as const) {
  test(`a first visit by a browser that prefers ${locale} is in ${language}`, async ({
    browser,
  }) => {
    const visitor = await browser.newContext({ locale });
    pageErrors.listenTo(visitor);
    const fresh = await visitor.newPage();
    await fresh.goto(environment.stack.url);
    const { account } = await loadEntryTexts(language);
    await expect(fresh.getByRole('heading', { level: 1 })).toHaveText(account.signInTitle);
    await expect(fresh.locator('html')).toHaveAttribute('lang', language);
    await expect(fresh.locator('html')).toHaveAttribute('dir', direction);
    // Following is not a fixed choice: a change of the browser's language changes the app's.
    expect(await fresh.evaluate(() => localStorage.getItem('language'))).toBeNull();
    await visitor.close();
  });
}

test('a language that fails to load shows an error, and the current one stays', async ({
  browser,
}) => {
  // Without a service worker, which would have the words cached.
  const visitor = await browser.newContext({ serviceWorkers: 'block', locale: 'en-GB' });
  const fresh = await visitor.newPage();
  await fresh.route('**/words-fr-*', (route) => route.abort());
  await fresh.goto(environment.stack.url);
  const choose = async () => {
    await fresh.getByTestId('switch-language').click();
    await fresh.getByText('Français', { exact: true }).click();
  };
  const toasts = await Toasts.of(fresh);
  await choose();
  await toasts.expect('The language could not be changed.');
  await expect(fresh.locator('html')).toHaveAttribute('lang', 'en');
  await fresh.unrouteAll();
  await fresh.reload();
  await choose();
  await expect(fresh.locator('html')).toHaveAttribute('lang', 'fr');
  await visitor.close();
});

test('accounts on one phone see only their own data', async () => {
  await signOut();
  const items = await stored();
  for (const name of ['Access-Token', 'Refresh-Token', 'Token_time', 'login_user_info']) {
    expect(items).not.toHaveProperty(name);
  }
  expect(JSON.parse(items.save_user_info ?? '')).toEqual({ email: EMAIL, password: '' });

  await app.signUp('wren@example.org');
  await expect(page.getByRole('heading', { name: 'Files' })).toBeVisible();
  await expect(app.rows()).toHaveCount(0);
  await app.open('/pages/me');
  await expect(page.getByText('wren@example.org')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Connect a recorder' })).toBeVisible();
  await expect(page.getByText(EMAIL)).toHaveCount(0);
  await signOut();
  await signIn();
  await expect(app.rows()).toHaveCount(1);
});

test('of two languages chosen in quick succession the last wins, in any order of loading', async ({
  browser,
}) => {
  const visitor = await browser.newContext({ serviceWorkers: 'block', locale: 'en-GB' });
  const fresh = await visitor.newPage();
  const gate = Promise.withResolvers<void>();
  await fresh.route('**/words-fr-*', async (route) => {
    await gate.promise;
    await route.continue();
  });
  await fresh.goto(environment.stack.url);
  const choose = async (name: string) => {
    await fresh.getByTestId('switch-language').click();
    await fresh.getByText(name, { exact: true }).click();
  };
  await expect(fresh.getByTestId('switch-language')).toBeVisible();
  const seen = await fresh.evaluateHandle(() => {
    const languages: string[] = [];
    new MutationObserver(() => languages.push(document.documentElement.lang)).observe(
      document.documentElement,
      { attributeFilter: ['lang'] },
    );
    return languages;
  });
  const slow = fresh.waitForResponse('**/words-fr-*');
  await choose('Français');
  await choose('Español');
  await expect(fresh.locator('html')).toHaveAttribute('lang', 'es');
  gate.resolve();
  await (await slow).finished();
  await choose('Português');
  await expect(fresh.locator('html')).toHaveAttribute('lang', 'pt');
  expect(await seen.jsonValue()).toEqual(['es', 'pt']);
  expect(await fresh.evaluate(() => localStorage.getItem('language'))).toBe('pt');
  await visitor.close();
});

test('the next user to sign in, without a reload, never sees a row of the previous one', async () => {
  const next = 'dunnock@example.org';
  await ServerAccount.register(environment.stack, next);
  await app.open('/pages/files');
  await expect(app.rows()).toHaveCount(1);
  await id('tab-me').click();
  await id('sign-out').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(id('email')).toBeVisible();
  const drawn = await page.evaluateHandle(() => {
    const seen = new Set<string>();
    new MutationObserver(() => {
      for (const row of document.querySelectorAll('[data-record-id]')) seen.add(row.outerHTML);
    }).observe(document, { childList: true, subtree: true });
    return seen;
  });
  await app.signIn(next);
  await expect(page.locator('.empty')).toBeVisible();
  expect(await drawn.evaluate((seen) => [...seen])).toEqual([]);
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

test('an expired token, 4200001, is refreshed without interrupting the user', async () => {
  await app.open('/pages/personalInformation');
  await id('edit-name').click();
  await id('name').fill('Robin Goodfellow');
  const before = await stored();
  const over = await createExpiredToken(environment.stack, before['Access-Token'] ?? '');
  // Call and code of each response, in order.
  const answers: Promise<{ call: string; code: number }>[] = [];
  const listen = (response: Response) => {
    const [, call] = /\/api\/(.+)/.exec(response.url()) ?? [];
    if (call) answers.push(response.json().then(({ code }) => ({ call, code })));
  };
  page.on('response', listen);
  await page.evaluate((token) => localStorage.setItem('Access-Token', token), over);
  await page.keyboard.press('Enter');
  await expect(id('edit-name')).toContainText('Robin Goodfellow');
  page.off('response', listen);
  const results = await Promise.all(answers);
  const of = (expectedCall: string) =>
    results.filter(({ call }) => call === expectedCall).map(({ code }) => code);
  expect(of('user/updateNickname')).toEqual([codes.tokenExpired, codes.ok]);
  expect(of('user/refreshToken')).toEqual([codes.ok]);

  const after = await stored();
  expect([before['Access-Token'], over]).not.toContain(after['Access-Token']);
  expect(after['Refresh-Token']).not.toBe(before['Refresh-Token']);
  // The new token works: for another call, and after a reload.
  expect((await app.callApi<{ nickname: string }>('/user/info')).nickname).toBe('Robin Goodfellow');
  await page.reload();
  await expect(id('edit-name')).toContainText('Robin Goodfellow');
  expect((await stored())['Refresh-Token']).toBe(after['Refresh-Token']);
});

test('a rejected token, 4200002, leads to sign-in and loses nothing', async () => {
  const other = await ask('/user/login', { email: EMAIL, password: NEW_PASSWORD });
  const { access_token } = other.data as { access_token: string };
  const change = { old_password: NEW_PASSWORD, password: PASSWORD, repassword: PASSWORD };
  // A password change on another phone ends this phone's session.
  expect((await ask('/user/updatePassword', change, access_token)).code).toBe(codes.ok);
  const back = { old_password: PASSWORD, password: NEW_PASSWORD, repassword: NEW_PASSWORD };
  expect((await ask('/user/updatePassword', back, access_token)).code).toBe(codes.ok);
  await page.goto(`${environment.stack.url}/pages/me`);
  await expect(page.getByText('Everything on this phone is still here.')).toBeVisible();
  const items = await stored();
  expect(items).not.toHaveProperty('Access-Token');
  expect(items).not.toHaveProperty('Refresh-Token');
  await id('password').fill(NEW_PASSWORD);
  await id('submit').click();
  await page.waitForURL('**/pages/me');
  await app.open('/pages/files');
  await expect(app.rows()).toHaveCount(1);
});

test('closing an account lists the data that will be deleted, and deletes all of it', async () => {
  await app.open('/pages/me');
  await expect(page.getByTestId('connected')).toHaveAttribute('data-status', 'connected');
  await id('to-personal').click();
  await id('cancel-account').click();
  const losses = id('losses').getByRole('listitem');
  await expect(losses).toHaveText([
    '1 recording',
    '0 transcripts',
    '30 minutes left to transcribe',
    /^The binding of /,
  ]);
  await expectNoViolations(page);
  await expect(id('close-account')).toBeDisabled();
  await id('closing-email').fill('wren@example.org');
  await expect(id('close-account')).toBeDisabled();
  await id('closing-email').fill('Robin@Example.org');
  await expect(id('close-account')).toBeDisabled();
  await id('closing-password').fill('not this one');
  await id('close-account').click();
  await expect(page.getByText('The password is wrong')).toBeVisible();
  await id('closing-password').fill(NEW_PASSWORD);
  // Once requested, no control suggests that it can be undone.
  const gate = Promise.withResolvers<void>();
  await page.route('**/user/deactivation', async (route) => {
    await gate.promise;
    await route.continue();
  });
  await id('close-account').click();
  await expect(page.getByRole('button', { name: 'Keep account' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(id('close-account')).toHaveAttribute('aria-busy', 'true');
  gate.resolve();
  await app.expectToast('Your account is cancelled');
  await expect(id('submit')).toBeVisible();

  const answer = await ask('/user/login', { email: EMAIL, password: NEW_PASSWORD });
  expect(answer.code).toBe(codes.wrongCredentials);
  expect(await stored()).not.toHaveProperty('Access-Token');
  expect(JSON.parse((await stored()).BIND_DEVICE ?? '[]')).toEqual([]);
  expect(await files()).toEqual([]);
});

/** File names of the recordings on this phone. */
const files = () =>
  page.evaluate(async () => {
    let folder = await navigator.storage.getDirectory();
    for (const part of ['linnet', 'audio']) folder = await folder.getDirectoryHandle(part);
    const names: string[] = [];
    for await (const name of folder.keys()) names.push(name);
    return names;
  });

test('other devices are listed and signed out, and signing out ends the session on the server', async () => {
  await app.signUp('wagtail@example.org');
  const login = { email: 'wagtail@example.org', password: PASSWORD };
  const other = (await ask('/user/login', login)).data as { access_token: string };
  await app.open('/pages/personalInformation');
  await expect(id('session-here')).toContainText('Chrome · Linux');
  await expect(id('session')).toHaveCount(1);
  await expectNoViolations(page);
  await id('session').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(id('session')).toHaveCount(0);
  const state = (token: string) =>
    page.evaluate(async (access) => {
      const headers = { Authorization: `Bearer ${access}`, 'Content-Type': 'application/json' };
      const init = { method: 'POST', headers, body: '{}' };
      return (await (await fetch('/alien-user/api/user/info', init)).json()).code as number;
    }, token);
  expect(await state(other.access_token)).toBe(codes.tokenInvalid);

  const mine = (await stored())['Access-Token'] ?? '';
  expect(await state(mine)).toBe(codes.ok);
  await id('sign-out').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
  await expect.poll(() => state(mine)).toBe(codes.tokenInvalid);
  expect(await stored()).not.toHaveProperty('Signed-Out-Sessions');
});

test('closing an account completes at the next start after a lost response, once the server confirms', async () => {
  pageErrors.allow(/net::ERR_/);
  await app.signUp('finch@example.org');
  await environment.addSpeech(4);
  await app.bind('websocket');
  await expect(app.rows()).toHaveCount(1);
  await expect.poll(files).not.toEqual([]);
  await app.open('/pages/personalInformation');
  await id('cancel-account').click();
  await expect(id('losses')).toContainText('1 recording');
  await id('closing-email').fill('finch@example.org');
  await id('closing-password').fill(PASSWORD);
  await page.route('**/user/deactivation', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.route('**/user/closed', (route) => route.abort());
  await id('close-account').click();
  await expect(error()).toBeVisible();
  expect(await files()).not.toEqual([]);

  await page.unrouteAll();
  await page.reload();
  await expect(id('submit')).toBeVisible();
  await expect.poll(files).toEqual([]);
  await expect.poll(stored).not.toHaveProperty('closing_accounts');
  expect(JSON.parse((await stored()).BIND_DEVICE ?? '[]')).toEqual([]);
});

test('info toasts disappear after a second, errors after one and a half, server messages when dismissed', async () => {
  // The workbench has one of each kind.
  const workbench = await context.newPage();
  await workbench.clock.install();
  await workbench.goto(`${environment.stack.url}/pages/workbench`);
  const toast = workbench.getByTestId('toast');
  await expect(workbench.getByRole('button', { name: 'Toast', exact: true })).toBeVisible();
  await workbench.clock.pauseAt(Date.now() + 3_600_000);
  const press = async (name: string) => {
    await workbench.getByRole('button', { name, exact: true }).click();
    await expect(toast).toBeVisible();
    // A focused or hovered toast stays.
    await workbench.mouse.move(0, 0);
  };
  for (const [name, ms] of [
    ['Toast', 1000],
    ['Error toast', 1500],
  ] as const) {
    await press(name);
    await workbench.clock.runFor(ms - 50);
    await expect(toast).toBeVisible();
    await workbench.clock.runFor(100);
    await expect(toast).toHaveCount(0);
  }
  await press('Server message');
  await workbench.clock.fastForward(3_600_000);
  await expect(toast).toContainText('The server is being moved');
  await toast.getByRole('button', { name: 'Dismiss' }).click();
  await expect(toast).toHaveCount(0);
});

test('a toast after a touch disappears like any other', async ({ browser }) => {
  const touched = await browser.newContext({ hasTouch: true, locale: 'en-GB' });
  const workbench = await touched.newPage();
  await workbench.clock.install();
  await workbench.goto(`${environment.stack.url}/pages/workbench`);
  const toast = workbench.getByTestId('toast');
  const opener = workbench.getByRole('button', { name: 'Undo toast' });
  await expect(opener).toBeVisible();
  await workbench.clock.pauseAt(Date.now() + 3_600_000);
  await opener.tap();
  await toast.getByRole('button', { name: 'Undo' }).tap();
  await expect(toast).toHaveText('“Field notes” is back');
  await workbench.clock.runFor(1050);
  await expect(toast).toHaveCount(0);
  await touched.close();
});

test('each sign-in form begins at the top', async ({ browser }) => {
  // So low that the links to the other forms are below the screen.
  const visitor = await browser.newPage({ viewport: { width: 1280, height: 480 } });
  await visitor.goto(environment.stack.url);
  const top = () => visitor.locator('main').evaluate((main) => main.scrollTop);
  for (const [way, title] of [
    ['to-register', 'Create your account'],
    ['to-sign-in', 'Sign in'],
  ] as const) {
    await visitor.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
    expect(await top()).toBeGreaterThan(0);
    await visitor.getByTestId(way).click();
    const heading = visitor.getByRole('heading', { name: title });
    await expect(heading).toBeFocused();
    expect(await top()).toBe(0);
    // A form higher than the screen overflows at the bottom only.
    expect((await heading.boundingBox())?.y).toBeGreaterThan(32);
  }
  await visitor.close();
});

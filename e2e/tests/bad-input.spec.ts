/** Tests the messages for user, recorder and network errors, and that no test loses a recording. */

import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallData } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { signCosPost } from '@linnet/contract/cos-post';
import { limits } from '@linnet/contract/limits';
import { expect, type Page, test } from '@playwright/test';
import { AuditedPhone } from '../support/audited-phone.ts';
import { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import { LinnetApp, PASSWORD } from '../support/linnet-app.ts';
import { Quota } from '../support/quota.ts';
import { waitUntil } from '../support/wait-until.ts';

test.describe.configure({ timeout: 120_000 });

const WREN = 'wren@example.org';

let environment: EmptyRecorderStack;
let phone: AuditedPhone;

test.beforeAll(async () => {
  environment = await EmptyRecorderStack.start({ speed: 20 });
  phone = await AuditedPhone.create(environment, WREN);
  const id = await phone.addVisibleSpeech(6);
  await expect(phone.app.row(id)).toHaveAttribute('data-state', 'done', { timeout: 120_000 });
});
test.afterAll(async () => {
  await phone?.close();
  await environment?.stop();
});

/** Asserts that the page shows an error message, with its code in the small print. */
async function expectFailure(page: Page, sentence: string, code: string): Promise<void> {
  await expect(page.getByTestId('error')).toHaveText(sentence);
  await expect(page.locator('.small-print', { hasText: `Code: ${code}` })).toBeVisible();
}

/**
 * Submits the form.
 * @returns the response's code
 */
async function submit(page: Page, call: string): Promise<number> {
  const answered = page.waitForResponse((response) => response.url().endsWith(call));
  await page.getByTestId('submit').click();
  return ((await (await answered).json()) as { code: number }).code;
}

/**
 * Stops the API so that its port refuses connections.
 * @returns a handle that starts the API again
 */
async function killServer(): Promise<{ restart(): Promise<void> }> {
  const { stack } = environment;
  // Any of the page's requests may fail: a call, an upload or a connection check.
  phone.pageErrors.allow(/net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE)/);
  await stack.kill('api');
  // The supervisor has restarted the API. Suspend it before it starts listening.
  const { thaw } = await stack.freeze('api');
  return {
    async restart() {
      thaw();
      await waitUntil('the API answers', () => isResponding(`${stack.url}/readyz`));
    },
  };
}

async function isResponding(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch (error) {
    // The API isn't listening yet.
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** Asserts that a recording's sync has stopped, and that its row and page show the reason. */
async function expectFailedRecording(
  id: string,
  expected: { title: string; server?: string; code: string },
): Promise<void> {
  const { app, page } = phone;
  await expect(app.row(id)).toHaveAttribute('data-state', 'trouble', { timeout: 60_000 });
  const retry = app.row(id).getByRole('button', { name: `Stopped: ${expected.title}. Try again` });
  await expect(retry).toBeVisible();
  await app.openRecording(id);
  await expectFailure(page, expected.title, expected.code);
  if (expected.server) await expect(page.getByRole('alert')).toContainText(expected.server);
}

async function expectPlayable(page: Page): Promise<void> {
  await page.getByTestId('player-play').click();
  const player = page.getByTestId('player');
  await expect
    .poll(async () => Number(await player.getAttribute('data-position')))
    .toBeGreaterThan(0);
}

const TOO_MANY = 'Too many attempts. Wait a moment and try again.';
const WRONG_CODE = 'That code is wrong or has expired. Request a new one.';

test.describe('accounts', () => {
  test.beforeEach(() => phone.signOut());
  test.afterEach(() => phone.expectNoErrors());
  // Check once at the end, because signing in after each test would take longer than the tests.
  test.afterAll(() => phone.expectNothingLost());

  async function fill(page: Page, fields: Record<string, string>): Promise<void> {
    for (const [name, value] of Object.entries(fields)) await page.getByTestId(name).fill(value);
  }
  const passwordFields = (password: string) => ({ password, repassword: password });

  test('rejects a wrong code, and delays even the correct code after too many attempts', async () => {
    const { app, page } = phone;
    await app.open('/pages/register');
    await fill(page, { email: 'robin@example.org', ...passwordFields(PASSWORD) });
    await page.getByTestId('send-code').click();
    const code = await environment.stack.waitForMailedCode('robin@example.org');
    await page.getByTestId('agree').check();
    await page.getByTestId('code').fill('12345');
    await page.getByTestId('submit').click();
    await expect(page.getByTestId('error')).toHaveText('The verification code has six digits');
    for (let tried = 0; tried < limits.code.tries; tried++) {
      const wrong = String((Number(code) + 1 + tried) % 1_000_000).padStart(6, '0');
      await page.getByTestId('code').fill(wrong);
      expect(await submit(page, '/user/register')).toBe(codes.wrongCode);
      await expect(page.getByTestId('error')).toHaveText(WRONG_CODE);
    }
    // Further attempts are delayed even though the correct code is still valid.
    await page.getByTestId('code').fill(code);
    expect(await submit(page, '/user/register')).toBe(codes.tooManyRequests);
    await expect(page.getByTestId('error')).toHaveText(TOO_MANY);
  });

  test('rejects a wrong password', async () => {
    const { page } = phone;
    await fill(page, { email: WREN, password: 'not-this-one-9' });
    expect(await submit(page, '/user/login')).toBe(codes.wrongCredentials);
    await expectFailure(page, 'Wrong email or password', String(codes.wrongCredentials));
  });

  test('reports an unreachable or unresponsive server', async () => {
    const { page } = phone;
    await fill(page, { email: WREN, password: PASSWORD });
    const { restart } = await killServer();
    try {
      await page.getByTestId('submit').click();
      await expectFailure(
        page,
        'Can’t reach the server. Check your network and try again.',
        'network',
      );
    } finally {
      await restart();
    }
    await page.getByTestId('submit').click();
    await page.waitForURL('**/pages/files');

    await phone.signOut();
    await fill(page, { email: WREN, password: PASSWORD });
    const { thaw } = await environment.stack.freeze('api');
    try {
      await page.getByTestId('submit').click();
      await expect(page.getByTestId('error')).toBeVisible({ timeout: 30_000 });
      await expectFailure(
        page,
        'Can’t reach the server. Check your network and try again.',
        'timeout',
      );
    } finally {
      thaw();
    }
  });
});

test.describe('recordings', () => {
  test.afterEach(() => phone.expectNothingLost());

  test('resumes an upload after the server was down', async () => {
    const { app, page } = phone;
    const note = page.getByTestId('offline-note');
    const devtools = await page.context().newCDPSession(page);
    const limitUpload = (uploadThroughput: number) =>
      devtools.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput,
      });
    await devtools.send('Network.enable');
    await limitUpload(8 * 1024);
    const id = await phone.addVisibleSpeech(8);
    await expect(app.row(id)).toHaveAttribute('data-state', 'uploading');
    await expect(note).toBeHidden();
    const { restart } = await killServer();
    try {
      await limitUpload(-1);
      await expect(note).toHaveText('Can’t reach the server. Uploads will resume later.');
      await expect(app.row(id)).toHaveAttribute('data-state', /local|uploading/);
    } finally {
      await restart();
    }
    await expect(app.row(id)).toHaveAttribute('data-state', 'done', { timeout: 120_000 });
    await expect(note).toBeHidden();
    await devtools.detach();
  });

  test('reports that the disk is full', async () => {
    const { app, page } = phone;
    const quota = await Quota.attach(page);
    phone.pageErrors.allow(/QuotaExceededError|StorageFull/);
    await quota.setFreeBytes(0);
    const id = await phone.addSpeech(20);
    const row = app.row(id);
    // Either the audio file or the database row fails first, and that failure is reported.
    const stoppedButton = row.getByRole('button', { name: 'This device is out of storage' });
    const storageFullNote = page.getByTestId('no-room-note');
    try {
      await expect(stoppedButton.or(storageFullNote).first()).toBeVisible({ timeout: 60_000 });
      // A recording whose row couldn't be saved isn't listed.
      await expect(app.rows('done').and(row)).toHaveCount(0);
      if (!(await storageFullNote.isVisible())) {
        await expect(row).toHaveAttribute('data-state', /trouble|on-recorder|fetching/);
      }
    } finally {
      await quota.setFreeBytes(null);
    }
    await expect(async () => {
      if (await stoppedButton.isVisible()) await stoppedButton.click();
      await expect(row).toHaveAttribute('data-state', 'done', { timeout: 5000 });
    }).toPass({ timeout: 120_000 });
    await expect(storageFullNote).toBeHidden();
  });

  test('reports a recording that is too short to transcribe', async () => {
    const before = await phone.getBalance();
    const id = await phone.addVisibleSpeech(1);
    await expectFailedRecording(id, {
      title: 'Couldn’t transcribe the recording',
      server: 'The audio is too short to transcribe',
      code: String(codes.audioTooShort),
    });
    await expectPlayable(phone.page);
    expect(await phone.getBalance()).toEqual(before);
  });

  test('reports an upload that is not audio', async () => {
    const before = await phone.getBalance();
    const id = await uploadNoise(phone.app);
    phone.expectCloudOnly(id);
    await phone.app.open('/pages/files');
    await expectFailedRecording(id, {
      title: 'Couldn’t transcribe the recording',
      server: 'The server couldn’t read this recording’s audio. Nothing was deleted.',
      code: String(codes.audioUnreadable),
    });
    expect(await phone.getBalance()).toEqual(before);
  });

  test('reports a language that the server no longer supports', async () => {
    const { app, page } = phone;
    const setLanguage = (language: string) =>
      page.evaluate((chosen) => localStorage.setItem('language', chosen), language);
    const before = await phone.getBalance();
    // The app still has its configuration from before an engine was removed.
    const configUrl = '**/site/config';
    await page.route(configUrl, async (route) => {
      const config = await (await route.fetch()).json();
      const removedEngine = { language: 'th', engine: 'another', quality: 'good' };
      config.data.engines.transcription.push(removedEngine);
      await route.fulfill({ json: config });
    });
    // None of this server's engines supports Arabic, so nothing is transcribed automatically.
    await setLanguage('ar');
    await app.open('/pages/files');
    const id = await phone.addVisibleSpeech(6);
    await expect(app.row(id)).toHaveAttribute('data-state', 'cloud', { timeout: 60_000 });
    await app.openRecording(id);
    await page.getByTestId('spoken-language').selectOption('th');
    await page.locator('.transcribe button[type="submit"]').click();
    await expect(page.getByTestId('error')).toBeVisible();
    await page.unroute(configUrl);

    await setLanguage('en');
    await app.open('/pages/files');
    await expectFailedRecording(id, {
      title: 'Couldn’t start the transcription',
      server: 'Your server can’t transcribe this language. No minutes were used.',
      code: String(codes.languageUnavailable),
    });
    await expectPlayable(page);
    expect(await phone.getBalance()).toEqual(before);
  });
});

test.describe('recorders', () => {
  test.afterEach(() => phone.expectNothingLost());

  async function chooseVirtual(page: Page): Promise<void> {
    await page.getByTestId('way-websocket').click();
    await page.getByTestId('found-recorder').click();
  }

  test('reports a recorder that is bound to another account', async ({ browser }) => {
    await phone.closePage();
    const context = await browser.newContext();
    phone.pageErrors.listenTo(context);
    const newUser = new LinnetApp(await context.newPage(), environment.stack);
    await newUser.signUp('rook@example.org');
    await newUser.open('/pages/deviceConnect');
    await chooseVirtual(newUser.page);
    await expectFailure(
      newUser.page,
      'This recorder is paired with another account. Its owner needs to unpair it first.',
      String(codes.deviceBoundElsewhere),
    );
    await newUser.open('/pages/files');
    await expect(newUser.page.getByText('Your recordings will appear here')).toBeVisible();
    await expect(newUser.rows()).toHaveCount(0);
    await context.close();

    await phone.app.open('/pages/files');
    await expect(phone.app.recordButton('idle')).toBeVisible();
  });

  test('reports a recorder with an unregistered serial number', async () => {
    const { app, page } = phone;
    const { stack } = environment;
    phone.pageErrors.allow(/ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE)/);
    const { sn } = await stack.recorder.getStatus();
    // Without its data, the recorder restarts with a new serial number.
    await stack.freeze('recorder');
    await rm(join(stack.dataDir, 'recorder'), { recursive: true });
    await stack.kill('recorder');
    await waitUntil('the other recorder answers', () =>
      isResponding(`${stack.recorder.url}/status`),
    );
    const { sn: unknownSn } = await stack.recorder.getStatus();
    expect(unknownSn).not.toBe(sn);

    await app.open('/pages/deviceConnect?another');
    await chooseVirtual(page);
    await expectFailure(
      page,
      'This recorder isn’t registered with your server. Send its serial number to your server’s admin.',
      String(codes.deviceNotRegistered),
    );
    // The app has copied the serial number so that the user can send it to the operator.
    const notice = page.getByRole('alert');
    await expect(notice).toContainText(unknownSn);
    await expect(notice).toContainText(' copied');
    await page.context().grantPermissions(['clipboard-read']);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(unknownSn);
    // Pages served over plain HTTP can't access the clipboard.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await page.getByTestId('bind-status').getByRole('button').first().click();
    await expect(notice).toContainText(`Serial number: \u2068${unknownSn}\u2069`);
  });
});

/** Uploads a damaged file that starts like Ogg Opus. @returns the recording's ID on phones */
async function uploadNoise(app: LinnetApp): Promise<string> {
  const id = randomUUID();
  const noise = new Uint8Array(50_000).fill(7);
  noise.set(Buffer.from(`OggS\0\x02${'\0'.repeat(20)}\x01\x13OpusHead\x01\x01`, 'latin1'));
  const type = { ext: 'ogg', mime_type: 'audio/ogg' };
  const grant = await app.callApi<CallData<'oss/config'>>('/oss/config', {
    type: 'voice_file',
    ext: type.ext,
  });
  const form = new FormData();
  const fields = await signCosPost(grant, { contentType: type.mime_type, size: noise.length });
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([noise], { type: type.mime_type }), 'noise.ogg');
  const response = await fetch(grant.uploadUrl, { method: 'POST', body: form });
  expect(response.status).toBe(204);
  await app.callApi('/upload/ossFile', {
    name: 'Noise',
    source: 2,
    url: grant.url,
    file_size: noise.length,
    ...type,
    total_time: 6,
    sn: '',
    client_flag: id,
  });
  return id;
}

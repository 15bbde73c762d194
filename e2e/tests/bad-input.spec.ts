/** Tests the messages for user, recorder and network errors, and that none of them loses a recording. */
import { codes } from '@linnet/contract/codes';
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
test.afterEach(() => phone.expectNoErrors());
test.afterAll(async () => {
  try {
    // Starting the app and reading all audio after each test would take longer than the tests. So this is checked at the
    // end, and after the tests that could lose audio.
    await phone?.expectNothingLost();
  } finally {
    await phone?.close();
    await environment?.stop();
  }
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

test.describe('recordings', () => {
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
    await phone.expectNothingLost();
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
  test('reports a recorder that is bound to another account', async ({ browser }) => {
    await phone.closePage();
    const context = await browser.newContext();
    phone.pageErrors.listenTo(context);
    const newUser = new LinnetApp(await context.newPage(), environment.stack);
    await newUser.signUp('rook@example.org');
    await newUser.open('/pages/deviceConnect');
    await newUser.page.getByTestId('way-websocket').click();
    await newUser.page.getByTestId('found-recorder').click();
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
});

test.describe('accounts', () => {
  test('reports a wrong password, and an unreachable or unresponsive server', async () => {
    const { page } = phone;
    const fill = async (password: string) => {
      await page.getByTestId('email').fill(WREN);
      await page.getByTestId('password').fill(password);
    };
    await phone.signOut();
    await fill('not-this-one-9');
    expect(await submit(page, '/user/login')).toBe(codes.wrongCredentials);
    await expectFailure(page, 'Wrong email or password', String(codes.wrongCredentials));

    await fill(PASSWORD);
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
    await fill(PASSWORD);
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

/** Tests storage locations, cloud backup by network type, the sync queue, and freeing disk space. */
import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { storageSetting } from '@linnet/contract/statuses';
import { type BrowserContext, expect, type Locator, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import { ScriptedSpeechStack, type Talk } from '../support/scripted-speech-stack.ts';

const OWNER = 'nuthatch@example.org';
const talk: Talk = {
  title: 'Plans',
  language: 'en',
  lines: ['Today we talk about the spring concert.', 'Miriam, please call the soloists.'],
};
const phone = {
  ...{ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, locale: 'en-GB' },
};

let environment: ScriptedSpeechStack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;
/** ID of the recording whose audio the user removed from this phone. */
let removedByUser: string;
const pageErrors = new PageErrors();

/** Makes the browser report a network type, like browsers on phones. The type survives reloads. */
async function mockNetworkInformation(opened: BrowserContext): Promise<void> {
  await opened.addInitScript(() => {
    // about:blank has no local storage.
    if (location.protocol === 'about:') return;
    const information = Object.assign(new EventTarget(), {
      type: localStorage.getItem('test-network') ?? 'wifi',
    });
    Object.defineProperty(navigator, 'connection', { value: information });
  });
}

async function setNetwork(type: 'wifi' | 'cellular'): Promise<void> {
  await page.evaluate((next) => {
    localStorage.setItem('test-network', next);
    const { connection } = navigator as unknown as { connection: EventTarget & { type: string } };
    connection.type = next;
    connection.dispatchEvent(new Event('change'));
  }, type);
}

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  environment = await ScriptedSpeechStack.start({ speed: 20, microphone: talk });
  context = await browser.newContext(phone);
  await mockNetworkInformation(context);
  pageErrors.listenTo(context);
  page = await context.newPage();
  app = new LinnetApp(page, environment.stack);
  await app.signUp(OWNER);
});
test.afterAll(async () => {
  await context?.close();
  await environment?.stop();
});
// The server publishes no firmware, and the tests go offline.
test.beforeEach(() => pageErrors.allow(/latest\.json/, /net::ERR_/));
test.afterEach(() => {
  expect(pageErrors.takeUnexpected()).toEqual([]);
});

const confirm = () => page.getByRole('alertdialog').locator('[data-look="danger"]').click();
const locationSwitch = (name: 'recorder' | 'phone' | 'cloud') => page.getByTestId(`keep-${name}`);
type TaskList = {
  list: { id: string; client_flag: string; url: string | null; sha256: string | null }[];
};
const listOnServer = () => app.callApi<TaskList>('/task/index', { page: 1, limit: 100 });
const getSavedLocations = async () =>
  (await app.callApi<Record<string, Record<string, string>>>('/user/config')).radio_save_style;

/** Returns the names of the audio files on this phone. */
const listAudioFiles = () =>
  page.evaluate(async () => {
    let folder = await navigator.storage.getDirectory();
    for (const part of ['linnet', 'audio']) {
      folder = await folder.getDirectoryHandle(part, { create: true });
    }
    const names: string[] = [];
    for await (const name of (folder as unknown as { keys(): AsyncIterable<string> }).keys()) {
      names.push(name);
    }
    return names.sort();
  });

/** Returns the SHA-256 digests of the Ogg files on this phone, keyed by recording id. */
const hashMasters = () =>
  page.evaluate(async () => {
    let folder = await navigator.storage.getDirectory();
    for (const part of ['linnet', 'audio']) folder = await folder.getDirectoryHandle(part);
    const hashes: Record<string, string> = {};
    type Entries = { entries(): AsyncIterable<[string, FileSystemFileHandle]> };
    for await (const [name, handle] of (folder as unknown as Entries).entries()) {
      if (!name.endsWith('.ogg')) continue;
      const bytes = await (await handle.getFile()).arrayBuffer();
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
      const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
      hashes[name.slice(0, -'.ogg'.length)] = hex;
    }
    return hashes;
  });

/**
 * Transfers a new recording from the recorder.
 * @returns the recording's id
 */
async function transferRecording(): Promise<string> {
  await app.show('/pages/files');
  await expect(page.locator('.empty').or(app.rows().first())).toBeVisible();
  const before = await app.rows().count();
  await environment.stack.recorder.addSession(new Uint8Array(environment.synthesize(talk)));
  await expect(app.rows()).toHaveCount(before + 1);
  const id = (await app.rows().first().getAttribute('data-record-id')) as string;
  await expect.poll(listAudioFiles).toContain(`${id}.wav`);
  return id;
}

test('the last storage location cannot be turned off, and the setting is shared with other phones', async () => {
  // Opening this page loads the data needed offline.
  await app.show('/pages/dataSynchronization');
  await expect(page.getByTestId('sync-state')).toHaveAttribute('data-waiting', '0');
  await app.show('/pages/me');
  await page.getByTestId('to-storage-location').click();
  for (const name of ['recorder', 'phone', 'cloud'] as const) {
    await expect(locationSwitch(name)).toBeChecked();
  }
  await expectNoViolations(page);
  await locationSwitch('recorder').click();
  await expect(page.getByRole('alertdialog')).toContainText(
    'each recording is deleted from the recorder',
  );
  await expectNoViolations(page);
  await confirm();
  await expect(locationSwitch('recorder')).not.toBeChecked();
  await expect.poll(getSavedLocations).toEqual({ local: '0', app: '1', cloud: '1' });

  await context.setOffline(true);
  await locationSwitch('phone').click();
  await confirm();
  await expect(locationSwitch('phone')).not.toBeChecked();
  await locationSwitch('cloud').click();
  await expect(page.getByTestId('keep-last')).toHaveText('At least one must be chosen');
  await expect(locationSwitch('cloud')).toBeChecked();
  await expect(page.getByTestId('keep-offline')).toBeVisible();
  await expectNoViolations(page);
  await page.getByTestId('back').click();
  await page.getByTestId('to-data-sync').click();
  await expect(page.getByTestId('changes')).toContainText('1 change to sync');
  await context.setOffline(false);
  await expect(page.getByTestId('sync-state')).toHaveAttribute('data-waiting', '0');
  await expect(page.getByTestId('last-sync')).toContainText('Last synced');
  await expectNoViolations(page);
  expect(await getSavedLocations()).toEqual({ local: '0', app: '0', cloud: '1' });

  // Another phone changes the setting. A network event makes this phone poll immediately.
  await app.show('/pages/storageLocation');
  await expect(locationSwitch('phone')).not.toBeChecked();
  for (const location of ['phone', 'recorder'] as const) {
    const { group, keys } = storageSetting;
    const setting = { group_name: group, config_key: keys[location], config_value: '1' };
    await app.callApi('/user/updateConfig', setting);
  }
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  for (const name of ['recorder', 'phone', 'cloud'] as const) {
    await expect(locationSwitch(name)).toBeChecked();
  }
  expect(await getSavedLocations()).toEqual({ local: '1', app: '1', cloud: '1' });
});

test('recordings are not uploaded over mobile data if uploads are limited to Wi-Fi', async () => {
  await app.bind('websocket');
  await setNetwork('cellular');
  await app.show('/pages/cloudBackup');
  await expect(page.getByTestId('network')).toHaveAttribute('data-kind', 'mobile');
  await expect(page.getByTestId('auto-sync')).toBeChecked();
  await page.getByTestId('wifi-only').click();
  await expect(page.getByTestId('wifi-only')).toBeChecked();
  const id = await transferRecording();
  await app.show('/pages/cloudBackup');
  await expect(page.getByTestId('backed-up')).toHaveText('0 of 1 recordings are in the cloud');
  await expect(page.getByTestId('to-sync')).toContainText('1 recording to upload');
  await expect(page.getByText('Recordings are waiting for Wi-Fi')).toBeVisible();
  await expectNoViolations(page);
  await page.getByTestId('to-sync').click();
  const waiting = page.locator(`[data-testid="waiting"][data-record-id="${id}"]`);
  await expect(waiting).toHaveAttribute('data-why', 'wifi_only');
  // A request by the user doesn't override the setting.
  await page.getByTestId('sync-now').click();
  await expect(waiting).toHaveAttribute('data-why', 'wifi_only');
  expect((await listOnServer()).list).toEqual([]);
  await expectNoViolations(page);
  await setNetwork('wifi');
  await expect.poll(async () => (await listOnServer()).list[0]?.url ?? null).not.toBeNull();
  await expect(page.getByTestId('sync-upload')).toHaveCount(0);
  await app.show('/pages/cloudBackup');
  await expect(page.getByTestId('backed-up')).toHaveText('Everything is in the cloud');
});

test('recordings are not uploaded while automatic sync is off', async () => {
  await app.show('/pages/cloudBackup');
  const live = page.getByTestId('live-text-switch');
  await live.click();
  await expect(live).not.toBeChecked();
  await page.getByTestId('auto-sync').click();
  await expect(page.getByTestId('auto-sync')).not.toBeChecked();
  const id = await transferRecording();
  await app.show('/pages/dataSynchronization');
  await expect(page.getByTestId('at-rest')).toContainText('Automatic sync is off');
  expect((await listOnServer()).list.map(({ client_flag }) => client_flag)).not.toContain(id);
  // Both settings survive a restart of the app.
  await app.open('/pages/cloudBackup');
  await expect(page.getByTestId('auto-sync')).toBeEnabled();
  await expect(page.getByTestId('auto-sync')).not.toBeChecked();
  await page.getByTestId('auto-sync').click();
  await expect(page.getByTestId('auto-sync')).toBeChecked();
  await expect(live).not.toBeChecked();
  await live.click();
  await expect(live).toBeChecked();
  await expect(page.getByTestId('backed-up')).toHaveText('Everything is in the cloud');
  expect((await listOnServer()).list.map(({ client_flag }) => client_flag)).toContain(id);
});

test('freeing space deletes audio that is safe in the cloud, and never the last copy', async () => {
  await app.show('/pages/files');
  // If the cloud isn't a storage location, the server may delete audio, but only after transcribing it.
  await expect(app.rows('done')).toHaveCount(2, { timeout: 120_000 });
  const id = (await app.rows().first().getAttribute('data-record-id')) as string;
  await app.open('/pages/spaceManagement');
  const phoneSpace = page.getByTestId('phone-space');
  for (const part of ['audio', 'database', 'free']) {
    await expect(phoneSpace.getByTestId(`space-${part}`)).toContainText(/[1-9].* [kMG]B/);
  }
  await expect(page.getByTestId('safe-cloud')).toContainText('2 recordings');
  await expect(page.getByTestId('recorder-space')).toContainText('2 recordings');
  await expectNoViolations(page);
  const row = page.locator(`[data-testid="on-phone"][data-record-id="${id}"]`);
  await expect(row).toHaveAttribute('data-safe', 'true');
  await row.getByRole('checkbox').check();
  await page.getByTestId('free').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  expect(await listAudioFiles()).toContain(`${id}.wav`);
  // Without the server's confirmation, nothing is deleted.
  await context.setOffline(true);
  await page.getByTestId('free').click();
  await confirm();
  await app.expectToast('Nothing was deleted');
  expect(await listAudioFiles()).toContain(`${id}.wav`);
  await context.setOffline(false);
  await row.getByRole('checkbox').check();
  await page.getByTestId('free').click();
  await expect(page.getByRole('alertdialog')).toContainText('stays in the cloud');
  await expectNoViolations(page);
  await confirm();
  await app.expectToast('freed');
  await expect(row).toHaveCount(0);
  removedByUser = id;
  expect((await listAudioFiles()).filter((name) => name.startsWith(id))).toEqual([]);
  // No other file is deleted, and the storage setting is unchanged.
  expect((await listAudioFiles()).filter((name) => name.endsWith('.ogg'))).toHaveLength(1);
  expect((await getSavedLocations())?.app ?? '1').toBe('1');

  // The recording is still listed, and the next transfer from the recorder doesn't fetch its audio again.
  await transferRecording();
  await expect(app.row(id)).toBeVisible();
  expect((await listAudioFiles()).filter((name) => name.startsWith(id))).toEqual([]);

  // Although the cloud is no longer a storage location, the server keeps audio that no phone has.
  await app.show('/pages/storageLocation');
  await locationSwitch('cloud').click();
  await confirm();
  await expect.poll(async () => (await getSavedLocations())?.cloud).toBe('0');
  const recording = (await listOnServer()).list.find(({ client_flag }) => client_flag === id);
  expect(recording?.url).toEqual(expect.any(String));
  await app.show('/pages/spaceManagement');
  await expect(page.getByText('so you can’t free up space here')).toBeVisible();
  await app.show('/pages/storageLocation');
  await locationSwitch('cloud').click();
  await expect(locationSwitch('cloud')).toBeChecked();
});

/** Advances the page's clock past the grace period of one hour. */
const endGracePeriod = () => page.clock.fastForward(limits.deletionGraceMs + 1000);
/** Resets the page's clock, so that the next grace period lasts a full hour. */
const resetClock = () => page.clock.setSystemTime(new Date());

test('turning a location off deletes nothing for an hour, shows the remaining time, and can be undone', async () => {
  // The app must start with the replaced clock.
  await page.clock.install();
  await app.open('/pages/storageLocation');
  const before = await listAudioFiles();
  await locationSwitch('phone').click();
  await confirm();
  await app.performAndUndo(async () => expect(locationSwitch('phone')).not.toBeChecked());
  await expect(locationSwitch('phone')).toBeChecked();
  await locationSwitch('phone').click();
  await confirm();
  await expect(page.getByTestId('pending-phone')).toContainText('will be deleted in 1 hour');
  await expectNoViolations(page);
  expect(await listAudioFiles()).toEqual(before);
  await page.getByTestId('undo-phone').click();
  await expect(locationSwitch('phone')).toBeChecked();
  await expect(page.getByTestId('pending-phone')).toHaveCount(0);
  await endGracePeriod();
  await expect.poll(async () => (await getSavedLocations())?.app).toBe('1');
  expect(await listAudioFiles()).toEqual(before);
});

test('turning phones off as a location deletes audio that is in the cloud', async () => {
  await resetClock();
  await app.open('/pages/storageLocation');
  await locationSwitch('phone').click();
  await confirm();
  await expect(page.getByTestId('pending-phone')).toBeVisible();
  await endGracePeriod();
  await expect.poll(listAudioFiles, { timeout: 60_000 }).toEqual([]);
  await app.show('/pages/files');
  await expect(app.rows()).toHaveCount(3);
  expect((await listOnServer()).list.every(({ url }) => url !== null)).toBe(true);
});

test('turning phones on again downloads the missing audio unchanged, with progress', async () => {
  expect(await hashMasters()).toEqual({});
  await app.show('/pages/storageLocation');
  // Hold back the downloads until the test has seen the progress.
  const downloadsAllowed = Promise.withResolvers<void>();
  await context.route('**/store/**', async (route) => {
    await downloadsAllowed.promise;
    await route.continue();
  });
  await locationSwitch('phone').click();
  await expect(page.getByTestId('downloads')).toBeVisible();
  await expectNoViolations(page);
  downloadsAllowed.resolve();
  await expect(page.getByTestId('downloads')).toHaveCount(0);
  await context.unroute('**/store/**');
  const { list } = await listOnServer();
  // Audio that the user removed isn't downloaded again.
  const expected = list.filter(({ client_flag }) => client_flag !== removedByUser);
  expect(expected).toHaveLength(2);
  const digests = await hashMasters();
  for (const { client_flag: flag, sha256 } of expected) expect(digests[flag]).toBe(sha256);
  await app.show('/pages/dataSynchronization');
  await expect(page.getByTestId('sync-state')).toHaveAttribute('data-waiting', '0');
});

test('the page of a recording downloads its audio and removes it from this phone', async () => {
  await app.show(`/pages/fileDetail?id=${removedByUser}`);
  await page.getByTestId('tab-audio').click();
  await expect(page.getByTestId('copy-phone')).toHaveAttribute('data-status', 'absent');
  await expect(page.getByTestId('receipt-deletion')).toContainText('You removed it.');
  await page.getByTestId('download').click();
  await expect(page.getByTestId('copy-phone')).toHaveAttribute('data-status', 'verified');
  await expect(page.getByTestId('copy-cloud')).toHaveAttribute('data-status', 'verified');
  await expectNoViolations(page);
  await page.getByTestId('remove-from-phone').click();
  await expect(page.getByTestId('copy-phone')).toHaveAttribute('data-status', 'absent');
  await page.getByTestId('toast').getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByTestId('copy-phone')).toHaveAttribute('data-status', 'verified');
});

test('recordings in the cloud can be deleted from the recorder, or fetched on request', async () => {
  await resetClock();
  await app.open('/pages/storageLocation');
  await locationSwitch('phone').click();
  await confirm();
  await expect(page.getByTestId('pending-phone')).toBeVisible();
  await endGracePeriod();
  await app.show(`/pages/fileDetail?id=${removedByUser}`);
  await page.getByTestId('tab-audio').click();
  await page.getByTestId('remove-from-phone').click();
  await expect.poll(listAudioFiles, { timeout: 60_000 }).toEqual([]);
  await app.show('/pages/deviceFiles');
  const rows = (state: string) =>
    page.locator(`[data-testid="device-session"][data-state="${state}"]`);
  await expect(rows('cloud')).toHaveCount(3);
  await expect(rows('cloud').first()).toContainText('In the cloud');
  await expectNoViolations(page);
  await rows('cloud')
    .first()
    .getByRole('button', { name: /^Delete/ })
    .click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('There’s a verified copy in the cloud.');
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(rows('cloud')).toHaveCount(2);
  expect((await environment.stack.recorder.getStatus()).sessions).toHaveLength(2);

  await rows('cloud')
    .first()
    .getByRole('button', { name: /^(Transfer|Download)/ })
    .click();
  await expect(rows('complete')).toHaveCount(1);
  await app.show('/pages/storageLocation');
  await locationSwitch('phone').click();
  await expect(locationSwitch('phone')).toBeChecked();
});

/**
 * Creates a recording whose upload the server rejects.
 * @returns the recording's id and its row on the sync page
 */
async function createRejectedUpload(): Promise<{ id: string; line: Locator }> {
  const json = { code: codes.tooLarge, msg: '', data: null };
  await page.route('**/upload/ossFile', (route) => route.fulfill({ json }));
  const id = await transferRecording();
  await app.show('/pages/dataSynchronization');
  const line = page.locator(`[data-testid="waiting"][data-record-id="${id}"]`);
  await expect(line).toHaveAttribute('data-why', 'stopped', { timeout: 60_000 });
  await page.unroute('**/upload/ossFile');
  return { id, line };
}

async function expectTranscribed(id: string): Promise<void> {
  await expect(page.getByTestId('sync-state')).toHaveAttribute('data-waiting', '0', {
    timeout: 120_000,
  });
  expect(
    (await listOnServer()).list.find(({ client_flag }) => client_flag === id)?.url,
  ).toBeTruthy();
  await app.show('/pages/files');
  await expect(app.row(id)).toHaveAttribute('data-state', 'done');
}

test('a stopped upload shows its reason, and continues on retry', async () => {
  const { id, line } = await createRejectedUpload();
  await expect(line).toContainText('This is too large for the server');
  await expect(page.getByTestId('sync-upload').getByTestId('waiting')).toHaveCount(1);
  await expect(page.getByTestId('sync-state')).toContainText('1 item in progress');
  await expectNoViolations(page);
  expect((await listOnServer()).list.map(({ client_flag }) => client_flag)).not.toContain(id);
  await line.getByTestId('retry-one').click();
  await expectTranscribed(id);
});

test('Sync now retries stopped uploads, or reports that the server is unreachable', async () => {
  const { id, line } = await createRejectedUpload();
  await context.setOffline(true);
  await page.getByTestId('sync-now').click();
  await app.expectToast('Anything not synced yet is safe on this device.');
  await expect(line).toHaveAttribute('data-why', 'offline');
  expect(await listAudioFiles()).toContain(`${id}.wav`);
  await context.setOffline(false);
  await page.getByTestId('sync-now').click();
  await expectTranscribed(id);
});

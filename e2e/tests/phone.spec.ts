/** Tests the pages that use the phone's native features, as in the Android app. */
import { SAMPLE_RATE } from '@linnet/audio/format';
import { parseWave, writeWave } from '@linnet/audio/wave';
import { EmulatedOmi } from '@linnet/omi/testing';
import { EmulatedPocket } from '@linnet/pocket/testing';
import { expect, test } from '@playwright/test';
import { AndroidBluetooth } from '../support/android-bluetooth.ts';
import { AndroidPhone, type PluginHandler } from '../support/android-phone.ts';
import { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import { ExportSheet } from '../support/export-sheet.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import { Toasts } from '../support/toasts.ts';
import { createTone } from '../support/tone.ts';

const pageErrors = new PageErrors();
let environment: EmptyRecorderStack;
test.use({ serviceWorkers: 'allow' });
test.beforeAll(async () => {
  environment = await EmptyRecorderStack.start();
});
test.afterAll(() => environment?.stop());
test.beforeEach(({ context }) => pageErrors.listenTo(context));
test.afterEach(() => expect(pageErrors.takeUnexpected()).toEqual([]));

const createPluginError = (message: string, code?: string) =>
  Object.assign(new Error(message), { code });

test('requests permissions when they are needed, keeps tokens in secure storage, and uses what the phone reports', async ({
  page,
}) => {
  let isAllowed = false;
  let isOn = false;
  const handleCall: PluginHandler = ({ plugin, method }) => {
    if (plugin === 'Files' && method === 'shared') return { files: [] };
    if (method === 'initialize' && !isAllowed) throw createPluginError('Permission denied.');
    if (method === 'isEnabled') return { value: isOn };
    if (method === 'requestEnable') isOn = true;
    return null;
  };
  const phone = await AndroidPhone.install(page, handleCall);
  const returnToApp = () =>
    page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  const app = new LinnetApp(page, environment.stack);
  await app.signUp('kite@example.org');
  await app.open('/pages/deviceConnect');
  const bluetoothOption = page.getByTestId('way-capacitor-ble');
  await expect(bluetoothOption).toContainText('Linnet doesn’t have permission to use Bluetooth.');
  await expect(page.getByTestId('way-web-bluetooth')).toHaveCount(0);
  await bluetoothOption.getByRole('button', { name: 'Open settings' }).click();
  await expect.poll(() => phone.callsTo('BluetoothLe', 'openAppSettings')).toHaveLength(1);

  // The user grants the permission in the settings and returns to the app.
  isAllowed = true;
  await returnToApp();
  await expect(bluetoothOption).toContainText('Bluetooth is off.');
  await bluetoothOption.getByRole('button', { name: 'Turn on' }).click();
  await expect(bluetoothOption).toContainText('Linnet will list recorders nearby.');
  await bluetoothOption.click();
  await expect.poll(() => phone.callsTo('BluetoothLe', 'requestLEScan')).toHaveLength(1);
  const initializedFrom = phone
    .callsTo('BluetoothLe', 'initialize')
    .map(({ pagePath }) => pagePath);
  expect(new Set(initializedFrom)).toEqual(new Set(['/pages/deviceConnect']));

  // The connection page offers the same help as pairing.
  isOn = false;
  await app.open('/pages/bluetoothConnection');
  await expect(page.getByTestId('adapter')).toHaveAttribute('data-code', 'radio_off');
  await page.getByTestId('adapter').getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByTestId('adapter')).toHaveCount(0);

  // Tokens are stored only in the phone's secure storage, and survive a reload.
  expect([...phone.secrets.keys()].toSorted()).toEqual(['Access-Token', 'Refresh-Token']);
  const stored = await page.evaluate(() => Object.values(localStorage).join());
  for (const token of phone.secrets.values()) expect(stored).not.toContain(token);

  await expect(page.locator('meta[http-equiv="Content-Security-Policy"]')).toHaveCount(1);
  const workers = await page.evaluate(() => navigator.serviceWorker.getRegistrations());
  expect(workers).toHaveLength(0);

  await test.step('the network type is the one that the phone reports', async () => {
    await app.show('/pages/cloudBackup');
    const network = page.getByTestId('network');
    await expect(network).toHaveAttribute('data-kind', 'fixed');
    await phone.useNetwork('cellular');
    await expect(network).toHaveAttribute('data-kind', 'mobile');
    // While the phone is offline, the row still shows the last network type.
    await phone.useNetwork('none');
    await expect(network).toHaveAttribute('data-kind', 'mobile');
    await phone.useNetwork('wifi');
    await expect(network).toHaveAttribute('data-kind', 'fixed');
  });

  await test.step('notifications are scheduled once they are turned on', async () => {
    await app.show('/pages/notifications');
    await expect(page.getByTestId('notifications-on')).not.toBeChecked();
    expect(phone.callsTo('LocalNotifications', 'requestPermissions')).toEqual([]);
    await page.getByTestId('notifications-on').click();
    await page.getByTestId('test-notification').click();
    await expect.poll(() => phone.callsTo('LocalNotifications', 'schedule')).toHaveLength(1);
    const [call] = phone.callsTo('LocalNotifications', 'schedule');
    expect(call?.options.notifications).toEqual([
      expect.objectContaining({ title: 'Notifications work', isExactNotification: false }),
    ]);
  });

  await test.step('the user blocks and allows notifications in Android’s settings', async () => {
    const toasts = await Toasts.of(page);
    pageErrors.allow(/Notifications are not enabled/);
    phone.notificationPermission = 'denied';
    await page.getByTestId('test-notification').click();
    await toasts.expect('Something went wrong', 'error');
    await expect(page.getByTestId('test-notification')).not.toHaveAttribute('data-busy');
    await returnToApp();
    await expect(page.getByText('Notifications are blocked')).toBeVisible();
    phone.notificationPermission = 'granted';
    await returnToApp();
    await expect(page.getByTestId('notifications-on')).toBeChecked();
  });

  await test.step('a tap on a notification opens its page', async () => {
    const extra = { path: '/pages/recycleBin' };
    await phone.emit('LocalNotifications', 'localNotificationActionPerformed', {
      ...{ actionId: 'tap', notification: { id: 1, title: '', body: '', extra } },
    });
    await expect(page).toHaveURL(/recycleBin/);
  });
});

const others = [
  { name: 'omi', create: () => new EmulatedOmi(), status: 'connected' },
  { name: 'pocket', create: () => new EmulatedPocket(), status: 'key_needed' },
] as const;
for (const { name, create, status } of others) {
  test(`finds and connects to the emulated ${name}, and reconnects after the link is lost`, async ({
    page,
  }) => {
    const recorder = create();
    const phone = await AndroidBluetooth.install(page, recorder);
    const app = new LinnetApp(page, environment.stack);
    await app.signUp(`${name}@example.org`);
    await app.open('/pages/deviceConnect');
    await page.getByTestId('way-capacitor-ble').click();
    const found = page.getByTestId('found-recorder');
    await expect(found).toContainText(recorder.name);
    await found.click();
    await expect(page.getByTestId('bind-done')).toBeVisible();
    await app.open('/pages/myDevice');
    const section = page.getByTestId(name);
    await expect(section).toHaveAttribute('data-status', status);
    if (status === 'key_needed') {
      await page.getByTestId('pocket-key').fill('AbCdEfGh12345678');
      await page.getByTestId('pocket-enter-key').click();
    }
    await expect(section).toHaveAttribute('data-status', 'connected');
    await expect(page.getByTestId(`${name}-battery`)).toContainText(String(recorder.battery));
    const connections = () => phone.callsTo('BluetoothLe', 'connect').length;
    const before = connections();
    recorder.cut();
    await expect.poll(connections).toBeGreaterThan(before);
    await expect(section).toHaveAttribute('data-status', 'connected');
  });
}

test('imports files that other apps share, and exports with the phone’s functions', async ({
  page,
}) => {
  // Files with the same content become a single recording, so each file gets a different tone.
  const createWave = (address: string) =>
    Buffer.from(writeWave(createTone(3, address.includes('Choir') ? 12 : 13), SAMPLE_RATE));
  const folder = 'file:///data/user/0/org.linnet.app/files/shared';
  let files = [{ uri: `${folder}/1-Choir.wav`, name: 'Choir.wav', modified: Date.UTC(2026, 5, 3) }];
  const pieces: Buffer[] = [];
  const phone = await AndroidPhone.install(page, ({ plugin, method, options }) => {
    if (plugin !== 'Files') return null;
    if (method === 'dropShared') files = files.filter((file) => file.uri !== options.uri);
    if (method === 'write') pieces.push(Buffer.from(String(options.data), 'base64'));
    const results = { shared: { files }, save: { saved: true }, write: { uri: 'file:///out' } };
    return results[method as keyof typeof results] ?? null;
  });
  await page.route('**/_capacitor_file_/**', (route) =>
    route.fulfill({ contentType: 'audio/wav', body: createWave(route.request().url()) }),
  );
  const app = new LinnetApp(page, environment.stack);
  await app.signUp('crane@example.org');
  const row = app.rows().filter({ hasText: 'Choir' });
  await expect(row).toHaveCount(1);
  await expect.poll(() => phone.callsTo('Files', 'dropShared')).toHaveLength(1);

  // Another app shares a file while the app is running.
  files = [
    { uri: `${folder}/2-Rehearsal.wav`, name: 'Rehearsal.wav', modified: Date.UTC(2026, 5, 4) },
  ];
  await phone.emit('Files', 'shared');
  await expect(app.rows().filter({ hasText: 'Rehearsal' })).toHaveCount(1);
  await expect(row).toHaveCount(1);

  // An unreadable file is reported as missing.
  await phone.emit('Files', 'shared', { failed: ['Sketch.mp3'] });
  const missingRow = app.page.getByTestId('import-row').filter({ hasText: 'Sketch.mp3' });
  await expect(missingRow).toContainText('Couldn’t import');
  await missingRow.getByRole('button', { name: 'Dismiss' }).click();
  await expect(missingRow).toHaveCount(0);

  const id = `${await row.getAttribute('data-record-id')}`;
  await app.openRecording(id);
  await page.getByTestId('export').click();
  const sheet = await ExportSheet.create(page);
  // The back gesture closes overlays before it navigates.
  await expect(sheet.popup).toBeVisible();
  await phone.emit('App', 'backButton', { canGoBack: true });
  await expect(sheet.popup).toBeHidden();
  await page.getByTestId('export').click();
  await sheet.chooseContent('Audio');
  await sheet.selectFormat('wav');
  await page.getByTestId('export-save').click();
  await expect.poll(() => phone.callsTo('Files', 'discard')).toHaveLength(1);
  const [saved] = phone.callsTo('Files', 'save');
  expect(saved?.options.name).toBe('2026-06-03 Choir.wav');
  // The file differs only in its tags.
  expect(parseWave(Buffer.concat(pieces))).toEqual(parseWave(await app.readStoredFile(id, 'wav')));
  await sheet.removeFolder();

  // The share sheet receives the path of the exported file. The file must remain until the receiving app has read it.
  pieces.length = 0;
  await page.getByTestId('export').click();
  await sheet.chooseContent('Audio');
  await sheet.selectFormat('wav');
  await page.getByTestId('export-share').click();
  await expect.poll(() => phone.callsTo('Share', 'share')).toHaveLength(1);
  expect(phone.callsTo('Share', 'share')[0]?.options).toMatchObject({
    title: '2026-06-03 Choir.wav',
    files: ['file:///out'],
  });
  expect(parseWave(Buffer.concat(pieces))).toEqual(parseWave(await app.readStoredFile(id, 'wav')));
  expect(phone.callsTo('Files', 'discard')).toHaveLength(1);

  // Each page first ends background work left running by an earlier page.
  expect(phone.calls.find(({ plugin }) => plugin === 'Transfers')?.method).toBe('hide');

  // A running upload keeps the app alive in the background.
  await expect
    .poll(() => phone.callsTo('Transfers', 'show').map(({ options }) => options))
    .toContainEqual(expect.objectContaining({ channel: 'Transfers' }));
});

/** Tests the recorder's page: state, settings and unbinding. */
import { SAMPLE_RATE } from '@linnet/audio/format';
import { writeWave } from '@linnet/audio/wave';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import { resolveColor } from '../support/resolve-color.ts';

let environment: EmptyRecorderStack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;
const pageErrors = new PageErrors();

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  // Without a trial, nothing is uploaded automatically, so recordings stay on the phone.
  environment = await EmptyRecorderStack.start({ env: { TRIAL_DAYS: '0' } });
  context = await browser.newContext({
    ...{ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, locale: 'en-GB' },
  });
  pageErrors.listenTo(context);
  page = await context.newPage();
  app = new LinnetApp(page, environment.stack);
  await app.signUp('robin@example.org');
  await app.bind('websocket');
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

const getSettings = async () => (await environment.stack.recorder.getStatus()).settings;
const option = (name: string) => page.getByRole('radio', { name, exact: true });
/** Taps an option's label, because the input itself is visually hidden. */
const chooseOption = (name: string) =>
  page.locator('.choice label').getByText(name, { exact: true }).click();
const link = (status: string) =>
  page.locator(`[data-testid="device-link"][data-status="${status}"]`);

/** Unbinds the recorder, and waits until the dialog has closed. */
async function unbind(): Promise<void> {
  await page.getByTestId('unbind').click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Unpair' }).click();
  await expect(dialog).toHaveCount(0);
}

/** Restarts the app, which connects to the recorder again. */
async function restart(): Promise<void> {
  await app.open('/pages/myDevice');
  await expect(link('connected')).toBeVisible();
}

test('shows the recorder’s state', async () => {
  await environment.stack.recorder.setBattery(64);
  await app.show('/pages/me');
  await page.getByRole('link', { name: 'Settings and storage' }).click();
  await expect(link('connected')).toContainText('Connected over the network');
  await expect(link('connected').locator('svg')).toHaveCSS(
    'color',
    await resolveColor(page, '--leaf'),
  );
  await expect(page.getByTestId('device-battery')).toContainText('64%');
  await expect(page.getByTestId('device-now')).toHaveText('Ready to record');
  await expect(page.getByTestId('firmware-version')).toHaveText('1.0.0');
  const { sn } = await environment.stack.recorder.getStatus();
  await expect(page.getByTestId('serial')).toHaveText(sn);
  await expect(page.getByTestId('usage')).toContainText('Turned onOnce');
  await expectNoViolations(page);
});

test('saves the settings on the recorder', async () => {
  await chooseOption('High');
  await chooseOption('Meeting');
  await chooseOption('Phone call');
  await expect(page.getByText('What each array does depends on the model')).toBeVisible();
  await chooseOption('2');
  await page.getByTestId('light').uncheck();
  // Each request includes the earlier changes, so none reverts another.
  await expect.poll(getSettings).toEqual({
    ...{ micGain: 'high', recScene: 'meeting', recMode: 'call', dmicMode: 2 },
    recLedStatus: false,
  });
  await restart();
  await expect(option('High')).toBeChecked();
  await expect(option('Meeting')).toBeChecked();
  await expect(option('Phone call')).toBeChecked();
  await expect(option('2')).toBeChecked();
  await expect(page.getByTestId('light')).not.toBeChecked();
  await page.getByTestId('light').check();
  await expect.poll(async () => (await getSettings()).recLedStatus).toBe(true);
});

test('reverts a setting that the recorder does not confirm, and shows the reason', async () => {
  await expect(option('High')).toBeChecked();
  await environment.stack.recorder.setFaults({ silentTo: 'generalSetting' });
  await chooseOption('Low');
  await app.expectToast(['Couldn’t change the setting', 'didn’t respond in time']);
  await expect(option('High')).toBeChecked();
  expect((await getSettings()).micGain).toBe('high');
  await environment.stack.recorder.setFaults({ silentTo: null });
  await chooseOption('Low');
  await expect.poll(async () => (await getSettings()).micGain).toBe('low');
  await chooseOption('High');
  await expect.poll(async () => (await getSettings()).micGain).toBe('high');
});

test('hides features that the recorder doesn’t support, even after a reload', async () => {
  const { recorder } = environment.stack;
  await recorder.setFaults({ unknownCommands: ['generalSetting', 'operationData'] });
  await chooseOption('Low');
  await app.expectToast([
    'Couldn’t change the setting.',
    'This recorder doesn’t have this feature',
  ]);
  await expect(option('Low')).toHaveCount(0);
  await expect(page.getByTestId('light')).toBeVisible();
  await page.getByTestId('notes').locator('summary').click();
  await expect(page.getByTestId('notes')).toContainText('doesn’t have this feature');
  await expectNoViolations(page);
  await restart();
  await expect(page.getByTestId('light')).toBeVisible();
  await expect(option('Low')).toHaveCount(0);
  await expect(page.getByTestId('notes')).toHaveCount(0);
  await recorder.setFaults({ unknownCommands: [] });
  // The app remembers missing commands until the firmware changes, so clear them here.
  await page.evaluate(() => {
    const known = JSON.parse(localStorage.getItem('BIND_DEVICE') ?? '[]');
    for (const device of known) delete device.missing;
    localStorage.setItem('BIND_DEVICE', JSON.stringify(known));
  });
  await restart();
});

test('shows a recorder out of range, and disables its settings', async () => {
  const { recorder } = environment.stack;
  await recorder.setFaults({ refuseConnect: true, drop: true });
  await expect(link('reconnecting')).toBeVisible();
  await expect(link('reconnecting').locator('svg')).toHaveCSS(
    'color',
    await resolveColor(page, '--ink-2'),
  );
  await expect(page.getByText('This is the last known status')).toBeVisible();
  await expect(option('High')).toBeChecked();
  await expect(option('Low')).toBeDisabled();
  await expect(page.getByTestId('light')).toBeDisabled();
  const notes = page.getByTestId('notes');
  await notes.locator('summary').click();
  await expect(notes).toContainText('Connect the recorder to see its activity log');
  await page.getByTestId('unbind').click();
  await app.expectToast('Connect the recorder first');
  await expectNoViolations(page);
  await recorder.setFaults({ refuseConnect: false });
  await expect(link('connected')).toBeVisible();
  await expect(option('Low')).toBeEnabled();
  await expect(notes).toContainText('Setting changed');
});

test('shows a recording in progress, and disables unavailable actions', async () => {
  await app.show('/pages/myDevice');
  await environment.stack.recorder.holdRecordButton();
  await expect(page.getByTestId('device-now')).toHaveAttribute('data-doing', 'recording');
  await expect(page.getByText('from the next recording on. Wi-Fi transfer and')).toBeVisible();
  await environment.stack.recorder.holdRecordButton();
  await expect(page.getByTestId('device-now')).toHaveAttribute('data-doing', 'idle');
  await page.getByTestId('notes').locator('summary').click();
  await expect(page.getByTestId('notes')).toContainText('Recording started');
  await expect(page.getByTestId('notes')).toContainText('Setting changed');
  await expectNoViolations(page);
});

test('keeps the binding if the server is unreachable, and reports it', async () => {
  pageErrors.allow(/device\/unbinding/);
  await page.route('**/device/unbinding', (route) => route.abort());
  await unbind();
  await app.expectToast(['Couldn’t unpair the recorder.', 'Can’t reach the server']);
  await page.unroute('**/device/unbinding');
  expect((await environment.stack.recorder.getStatus()).isSealed).toBe(true);
  // The recorder is still bound after a reload.
  await restart();
  await expect(page.getByTestId('unbind')).toBeVisible();
});

test('keeps the recorder and its recordings if the recorder does not confirm the unbinding', async () => {
  const { recorder } = environment.stack;
  const { sessions } = await recorder.getStatus();
  await expect(page.getByTestId('space-safe')).toContainText('1 recording');
  await recorder.setFaults({ silentTo: 'unbind' });
  await unbind();
  await app.expectToast(['Couldn’t unpair the recorder.', 'didn’t respond in time']);
  const boundStatus = await recorder.getStatus();
  expect(boundStatus.isSealed).toBe(true);
  expect(boundStatus.sessions).toEqual(sessions);
  await expect(link('connected')).toBeVisible();
  await recorder.setFaults({ silentTo: null });
});

test('shows how many recordings exist only on the recorder before unbinding, and leaves them there', async () => {
  const { recorder } = environment.stack;
  // At this speed, the transfer takes longer than the test.
  await recorder.setSpeed(0.05);
  const silence = writeWave(new Int16Array(30 * SAMPLE_RATE), SAMPLE_RATE);
  for (const wave of [silence, silence]) await recorder.addSession(wave);
  await expect(page.getByTestId('space-only')).toContainText('2 recordings');
  await page.getByTestId('unbind').click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('2 recordings are only on the recorder');
  await expectNoViolations(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await recorder.setSpeed(20);
  await expect(page.getByTestId('space-safe')).toContainText('3 recordings');
  const { sessions } = await recorder.getStatus();
  await page.getByTestId('unbind').click();
  await expect(dialog).toContainText(
    'Every recording on it that you haven’t deleted has a verified copy',
  );
  await dialog.getByRole('button', { name: 'Unpair' }).click();
  await expect(page.getByRole('link', { name: 'Connect a recorder' })).toBeVisible();
  const unboundStatus = await recorder.getStatus();
  expect(unboundStatus.isSealed).toBe(false);
  expect(unboundStatus.sessions).toEqual(sessions);
  await expectNoViolations(page);
  // After pairing again, the phone still has a copy of each recording.
  await app.bind('websocket');
  await app.show('/pages/myDevice');
  await expect(page.getByTestId('space-safe')).toContainText('3 recordings');
});

/** Tests firmware updates: offering, installing, interrupting and resuming them. */
import { OTA_BYTES_PER_SECOND } from '@linnet/device/codec';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import { publishFirmware } from '../support/firmware.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';

/** Size of an image that takes about ten seconds to transfer. */
const SHORT_TRANSFER_BYTES = 100_000;
/** Size of an image that takes about half a minute to transfer, long enough to be interrupted. */
const HALF_MINUTE_BYTES = 300_000;
/** Size of an image that takes minutes to transfer, longer than the test. */
const LONG_TRANSFER_BYTES = 2_000_000;

let environment: EmptyRecorderStack;
let context: BrowserContext;
let page: Page;
let app: LinnetApp;
const pageErrors = new PageErrors();

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  environment = await EmptyRecorderStack.start({ env: { TRIAL_DAYS: '0' } });
  context = await browser.newContext({
    ...{ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    locale: 'en-GB',
  });
  pageErrors.listenTo(context);
  page = await context.newPage();
  // The page's clock runs at normal speed, but can be advanced.
  await page.clock.install();
  app = new LinnetApp(page, environment.stack);
  await app.signUp('siskin@example.org');
  await app.bind('websocket');
});
test.afterAll(async () => {
  await context?.close();
  await environment?.stop();
});
test.afterEach(() => {
  expect(pageErrors.takeUnexpected()).toEqual([]);
});

const getInstalledVersion = async () =>
  (await environment.stack.recorder.getStatus()).firmwareVersion;
const updateScreen = (status: string) =>
  page.locator(`[data-testid="upgrade"][data-status="${status}"]`);
/** Returns the percentage currently on the page, or 0. Never waits, so that it can be polled. */
const getPercent = () =>
  page
    .getByTestId('update-progress')
    .evaluateAll(([progress]) => Number(progress?.getAttribute('aria-valuenow') ?? 0));

/** Starts recording every percentage that the page shows. */
const recordPercents = () =>
  page.evaluateHandle(() => {
    const percents: number[] = [];
    new MutationObserver(() => {
      const percent = document
        .querySelector('[data-testid="update-progress"]')
        ?.getAttribute('aria-valuenow');
      if (percent) percents.push(Number(percent));
    }).observe(document.body, {
      subtree: true,
      childList: true,
      attributeFilter: ['aria-valuenow'],
    });
    return percents;
  });

const formatDay = (time: Date) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' }).format(time);
const fact = (name: string) =>
  page
    .locator('.upgrade-facts > div', { has: page.getByText(name, { exact: true }) })
    .locator('dd');

/**
 * Waits until a transfer is in progress, and advances the page's clock by the duration of a transfer of the given size.
 * The app then sends the rest immediately, because it limits only the average rate.
 */
async function skipTransfer(bytes: number): Promise<void> {
  await expect.poll(getPercent).toBeGreaterThan(0);
  await page.clock.fastForward((bytes * 1000) / OTA_BYTES_PER_SECOND);
}

/** Asserts that the page shows the instructions to follow during the update. */
async function expectInstructions(): Promise<void> {
  const rules = page.locator('.section', {
    has: page.getByRole('heading', { name: 'During the update', exact: true }),
  });
  await expect(rules.getByRole('listitem')).toHaveText([
    'Keep the recorder near this device.',
    'Leave the recorder turned on, and don’t plug it into a computer.',
    'Keep Linnet open. You can keep reading in the app.',
    'The recorder can’t record until the update is done.',
  ]);
}

/** Opens the page, which then checks for new firmware. */
async function open(): Promise<void> {
  await app.show('/pages/upgrade');
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
}

test('an update is offered, continues while other pages are open, and can be canceled', async () => {
  // The server offers no firmware yet.
  pageErrors.allow(/latest\.json/);
  await app.open('/pages/upgrade');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText('No firmware available');
  const before = new Date();
  await publishFirmware(environment.stack, {
    version: '1.1.9',
    bytes: LONG_TRANSFER_BYTES,
    notes: 'Quieter in wind.',
  });
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.getByTestId('look-again').click();
  await expect(page.getByTestId('offered')).toHaveText('Version 1.1.9 is available');
  expect(requests.find((url) => url.includes('latest.json'))).toMatch(/latest\.json\?t=\d{13}$/);
  await expect(page.getByTestId('notes')).toHaveText('Quieter in wind.');
  await expect(page.getByText('Current version: 1.0.0', { exact: true })).toBeVisible();
  await expect(fact('Size')).toHaveText('2 MB');
  await expect(fact('Estimated time')).toHaveText('3 mins');
  await expect(fact('Released')).toHaveText(formatDay(before));
  await expectInstructions();
  await expectNoViolations(page);

  await page.getByTestId('update').click();
  await expect(updateScreen('sending')).toBeVisible();
  await expect(page.getByRole('heading', { level: 2 }).first()).toContainText('1.1.9');
  await expectInstructions();
  await expect.poll(getPercent).toBeGreaterThan(0);
  await expectNoViolations(page);
  await page.getByTestId('back').click();
  await expect(page.getByTestId('device-now')).toHaveText('Updating firmware');
  await expect(page.getByTestId('to-upgrade')).toContainText('Updating');
  await page.getByTestId('to-upgrade').click();
  await page.getByTestId('cancel-update').click();
  await expect(page.getByTestId('offered')).toBeVisible();
  expect(await getInstalledVersion()).toBe('1.0.0');
});

test('an update is installed', async () => {
  await publishFirmware(environment.stack, { version: '1.2.0', bytes: SHORT_TRANSFER_BYTES });
  await open();
  await expect(page.getByTestId('offered')).toHaveText('Version 1.2.0 is available');
  const percents = await recordPercents();
  await page.getByTestId('update').click();
  await skipTransfer(SHORT_TRANSFER_BYTES);
  await expect(updateScreen('done')).toBeVisible();
  const seenPercents = await percents.jsonValue();
  expect(seenPercents.length).toBeGreaterThan(0);
  expect(Math.max(...seenPercents)).toBeLessThanOrEqual(99);
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(
    'Your recorder is now on version 1.2.0',
  );
  expect(await getInstalledVersion()).toBe('1.2.0');
  await expectNoViolations(page);
  await page.getByRole('link', { name: 'Go to My recorder' }).click();
  await expect(page.getByTestId('firmware-version')).toHaveText('1.2.0');
  await expect(page.getByTestId('to-upgrade')).toContainText('Up to date');
});

test('an update resumes after the link is lost, and the recorder still boots', async () => {
  const { recorder } = environment.stack;
  await publishFirmware(environment.stack, { version: '1.3.0', bytes: HALF_MINUTE_BYTES });
  await open();
  await expect(page.getByTestId('offered')).toHaveText('Version 1.3.0 is available');
  await page.getByTestId('update').click();
  await expect.poll(getPercent).toBeGreaterThan(20);
  await recorder.setFaults({ refuseConnect: true, drop: true });
  await expect(updateScreen('failed')).toBeVisible();
  await expect(page.getByTestId('error')).toHaveText('The connection to the recorder was lost');
  await expect(page.getByText('It starts with its previous firmware')).toBeVisible();
  await expect(page.getByTestId('update-again')).toBeDisabled();
  await expectNoViolations(page);
  expect(await getInstalledVersion()).toBe('1.2.0');
  await recorder.setFaults({ refuseConnect: false });
  await expect(page.getByTestId('update-again')).toBeEnabled();
  await page.getByTestId('update-again').click();
  // The update resumes where it was interrupted.
  await expect(page.getByTestId('update-progress')).toBeVisible();
  await expect.poll(getPercent).toBeGreaterThan(1);
  // The progress may be lower than before, because unacknowledged packets are sent again.
  expect(await getPercent()).toBeGreaterThan(10);
  await skipTransfer(HALF_MINUTE_BYTES);
  await expect(updateScreen('done')).toBeVisible();
  expect(await getInstalledVersion()).toBe('1.3.0');
});

test('a recorder that loses power during an update boots its previous firmware', async () => {
  await publishFirmware(environment.stack, { version: '1.4.0', bytes: HALF_MINUTE_BYTES });
  await open();
  await expect(page.getByTestId('offered')).toHaveText('Version 1.4.0 is available');
  await page.getByTestId('update').click();
  await expect.poll(getPercent).toBeGreaterThan(5);
  pageErrors.allow(/WebSocket|ERR_CONNECTION/);
  await environment.stack.kill('recorder');
  await expect(updateScreen('failed')).toBeVisible();
  await expect(page.getByTestId('update-again')).toBeEnabled();
  await expect(page.getByText('It’s still on version 1.3.0')).toBeVisible();
  expect(await getInstalledVersion()).toBe('1.3.0');
  await page.getByTestId('update-again').click();
  await skipTransfer(HALF_MINUTE_BYTES);
  await expect(updateScreen('done')).toBeVisible();
  expect(await getInstalledVersion()).toBe('1.4.0');
});

test('a downgrade needs a button press on the recorder', async () => {
  await publishFirmware(environment.stack, { version: '1.1.0', bytes: 20_000 });
  await open();
  await expect(page.getByRole('note')).toContainText('older than the one on your recorder');
  await expectNoViolations(page);
  await page.getByTestId('update').click();
  await expect(updateScreen('asking')).toBeVisible();
  await expectNoViolations(page);
  // A press has no effect until the recorder asks for confirmation, so repeat it.
  await expect(async () => {
    await environment.stack.recorder.press();
    await expect(updateScreen('asking')).toHaveCount(0, { timeout: 1000 });
  }).toPass();
  await expect(updateScreen('done')).toBeVisible();
  expect(await getInstalledVersion()).toBe('1.1.0');
});

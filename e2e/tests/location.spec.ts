/** Tests a recording's place: setting, changing and removing it, the offline map, and sync with another phone. */
import {
  type Browser,
  type BrowserContextOptions,
  expect,
  type Page,
  test,
} from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import { ScriptedSpeechStack, type TranscribedTalk } from '../support/scripted-speech-stack.ts';
import { ServerAccount } from '../support/server-account.ts';
import { Toasts } from '../support/toasts.ts';

const owner = 'lark@example.org';
const paris = { latitude: 48.8566, longitude: 2.3522 };
let environment: ScriptedSpeechStack;
let talk: TranscribedTalk;
let page: Page;
let otherPhone: Page;
const pageErrors = new PageErrors();
/** Requests that pages make to external servers. There must be none. */
const externalRequests: string[] = [];

async function openPhone(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    ...{ viewport: { width: 390, height: 844 }, hasTouch: true, locale: 'en-GB' },
    ...options,
  });
  pageErrors.listenTo(context);
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    const isLocal = hostname === 'localhost' || hostname === '127.0.0.1';
    if (protocol.startsWith('http') && !isLocal) externalRequests.push(request.url());
  });
  const freshPage = await context.newPage();
  const app = new LinnetApp(freshPage, environment.stack);
  await app.open('/pages/index');
  await app.signIn(owner);
  await expect(app.rows('done')).toHaveCount(1);
  return freshPage;
}
const goTo = (phone: Page, path: string) => phone.goto(`${environment.stack.url}${path}`);
const drawnMap = (phone = page) => phone.locator('[data-testid="map"][data-drawn="true"]');

test.use({ serviceWorkers: 'allow' });
test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  environment = await ScriptedSpeechStack.start();
  const account = await ServerAccount.register(environment.stack, owner);
  talk = await environment.transcribe(account, {
    ...{ title: 'Walk', language: 'en' },
    lines: ['We walked along the river and counted the boats.'],
  });
  page = await openPhone(browser, { geolocation: paris, permissions: ['geolocation'] });
});
test.afterAll(async () => {
  for (const phone of [page, otherPhone]) await phone?.context().close();
  await environment?.stop();
});
test.afterEach(() => {
  expect(pageErrors.takeUnexpected()).toEqual([]);
  expect(externalRequests).toEqual([]);
});

test('the current position becomes the place, named after its town', async () => {
  await page.locator(`[data-record-id="${talk.id}"] .row-link`).click();
  await page.getByTestId('add-place').click();
  await expect(drawnMap()).toBeVisible();
  await expect(page.getByTestId('place-save')).toBeDisabled();
  await page.getByTestId('here').click();
  await expect(page.getByTestId('coordinates')).toHaveValue('48.85660, 2.35220');
  await expect(page.locator('.earth-town bdi', { hasText: 'Paris' })).toBeVisible();
  await expect(page.getByText('Leave blank to use “Paris”.')).toBeVisible();
  await expectNoViolations(page);
  await page.getByTestId('place-save').click();
  await expect(page.getByTestId('place')).toHaveText('Paris');
});

test('the place opens on the map and in the phone’s maps', async () => {
  await page.getByTestId('place').click();
  await expect(drawnMap()).toBeVisible();
  await expect(page.getByTestId('place-name')).toHaveText('Paris');
  await expect(page.getByTestId('open-maps')).toHaveAttribute(
    'href',
    'geo:48.85660,2.35220?q=48.85660,2.35220(Paris)',
  );
  await expectNoViolations(page);
});

test('the bundled map is drawn without a network', async () => {
  pageErrors.allow(/ERR_INTERNET_DISCONNECTED/);
  // Once the service worker is active, all of the app's files are cached.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.reload();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.context().setOffline(true);
  await page.reload();
  const isServerReachable = () =>
    fetch('/readyz').then(
      () => true,
      () => false,
    );
  expect(await page.evaluate(isServerReachable)).toBe(false);
  await expect(drawnMap()).toBeVisible();
  await expect(page.getByTestId('place-name')).toHaveText('Paris');
  // The pin is in the middle of the map, on land.
  const [land, sea] = await page.getByTestId('map').evaluate((map) => {
    const { x, y, width, height } = map.getBoundingClientRect();
    const middle = new DOMPoint(x + width / 2, y + height / 2);
    const under = [...map.querySelectorAll<SVGPathElement>('.earth-land')].filter((path) =>
      path.isPointInFill(middle.matrixTransform(path.getScreenCTM()?.inverse())),
    );
    return [
      under.map((path) => getComputedStyle(path).fill),
      getComputedStyle(map.parentElement as HTMLElement).backgroundColor,
    ] as const;
  });
  expect(land).toHaveLength(1);
  expect(land[0]).toMatch(/^rgb\(/);
  expect(land[0]).not.toBe(sea);
  await expect(page.locator('.earth-town bdi', { hasText: 'Paris' })).toBeVisible();
  await page.context().setOffline(false);
});

test('the place is changed by touch, by keys and by coordinates, and can be renamed', async () => {
  await page.getByTestId('change-place').click();
  await expect(page.getByTestId('place-save')).toBeVisible();
  await expect(drawnMap()).toBeVisible();
  const field = page.getByTestId('coordinates');
  const getLongitude = async () => Number((await field.inputValue()).split(',')[1]);
  const map = page.getByTestId('map');
  await map.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(getLongitude).toBeGreaterThan(2.4);
  const before = await getLongitude();
  await map.click({ position: { x: 40, y: 140 } });
  await expect.poll(getLongitude).toBeLessThan(before);
  await field.fill('here');
  await expect(page.getByTestId('error')).toContainText('Enter two numbers');
  await expect(page.getByTestId('place-save')).toBeDisabled();
  // These coordinates are near the date line, outside the map's initial section.
  await field.fill('-17.7134, 178.065');
  await expect(page.getByTestId('error')).toHaveCount(0);
  await page.getByTestId('place-name').fill('The quay');
  await page.getByTestId('place-save').click();
  await expect(page.getByTestId('place-name')).toHaveText('The quay');
  await expect(page.getByTestId('coordinates')).toHaveText('-17.71340, 178.06500');
});

test('another phone shows the place, and can remove it from all phones', async ({ browser }) => {
  // A service worker would have the towns in its cache.
  otherPhone = await openPhone(browser, { serviceWorkers: 'block' });
  await otherPhone.locator(`[data-record-id="${talk.id}"] .row-link`).click();
  await expect(otherPhone.getByTestId('place')).toHaveText('The quay');
  await otherPhone.getByTestId('place').click();
  await expect(otherPhone.getByTestId('coordinates')).toHaveText('-17.71340, 178.06500');
  await otherPhone.getByTestId('remove-place').click();
  const removed = (phone: Page) => phone.getByRole('heading', { name: 'No place added' });
  await expect(removed(otherPhone)).toBeVisible();
  await expectNoViolations(otherPhone);
  await expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await expect(removed(page)).toBeVisible({ timeout: 2000 });
  }).toPass();
});

test('reports that towns cannot be loaded, and that a place cannot be saved', async () => {
  pageErrors.allow(/_towns/, /ChunkError/, /disk full for this test/);
  await otherPhone.route('**/*_towns*', (route) => route.abort());
  await goTo(otherPhone, `/pages/choose-location?id=${talk.id}`);
  await expect(otherPhone.getByText('so there’s no suggested name')).toBeVisible();
  await otherPhone.getByTestId('coordinates').fill('1, 2');
  await otherPhone.evaluate(() => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (this: Worker, ...args: unknown[]) {
      const text = JSON.stringify(args[0]) ?? '';
      if (text.includes('recording.place')) throw new Error('disk full for this test');
      return post.apply(this, args as Parameters<typeof post>);
    } as typeof post;
  });
  const toasts = await Toasts.of(otherPhone);
  await otherPhone.getByTestId('place-save').click();
  await toasts.expect('Couldn’t save.');
  await expect(otherPhone.getByTestId('coordinates')).toHaveValue('1, 2');
});

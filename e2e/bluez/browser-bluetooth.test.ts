/**
 * Tests the Web Bluetooth transports in Chromium on the emulated adapter, with the transport contract suite and a
 * virtual recorder. For `capacitor-ble`, this covers its web implementation.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GattContractRecorder, gattContract, transportContract } from '@linnet/device/testing';
import { readConfig } from '@linnet/virtual-recorder/config';
import { type RunningRecorder, startRecorder } from '@linnet/virtual-recorder/start';
import { type Browser, chromium, type Page } from '@playwright/test';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BareRadio } from './bare-radio.ts';
import {
  bluetoothLaunchOptions,
  chooseFirstDevice,
  EmulatedBluez,
  emulatedPeripheral,
  virtualRecorder,
} from './index.ts';
import type { Adapter } from './page/main.ts';
import type { Peripheral } from './peripheral.ts';

/** Timeout for browser operations. The browser starts slowly on a busy machine. */
const WAIT_MS = 90_000;

/** Scripts of the test page, by URL path. */
const scripts = new Map<string, string>();
let web: Server;
let pageUrl: string;

beforeAll(async () => {
  const entry = join(import.meta.dirname, 'page/main.ts');
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, rollupOptions: { input: entry } },
  });
  const output = 'output' in built ? built.output : [];
  let start = '';
  for (const chunk of output) {
    if (chunk.type !== 'chunk') continue;
    scripts.set(`/${chunk.fileName}`, chunk.code);
    if (chunk.isEntry) start = `/${chunk.fileName}`;
  }
  web = createServer((request, response) => {
    const script = scripts.get(request.url ?? '');
    response.setHeader('Content-Type', script ? 'text/javascript' : 'text/html');
    response.end(script ?? `<!doctype html><body>Tap<script type=module src=${start}></script>`);
  });
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  pageUrl = `http://127.0.0.1:${(web.address() as AddressInfo).port}/`;
}, WAIT_MS);
afterAll(async () => {
  web.closeAllConnections();
  await new Promise((resolve) => web.close(resolve));
});

/** A browser with the test page, and one recorder in range, which a click selects. */
class BluetoothPage {
  readonly bluez: EmulatedBluez;
  readonly page: Page;
  private readonly browser: Browser;
  private readonly adapter: Adapter;

  private constructor(adapter: Adapter, bluez: EmulatedBluez, browser: Browser, page: Page) {
    this.adapter = adapter;
    this.bluez = bluez;
    this.browser = browser;
    this.page = page;
  }

  static async open(adapter: Adapter, peripheral: Peripheral): Promise<BluetoothPage> {
    const bluez = await EmulatedBluez.start({ peripheral });
    const browser = await chromium.launch(bluetoothLaunchOptions(bluez));
    const page = await browser.newPage();
    await chooseFirstDevice(page);
    return new BluetoothPage(adapter, bluez, browser, page);
  }

  async load(): Promise<void> {
    // Navigating between fragments of the same page would not reload it.
    await this.page.goto('about:blank');
    await this.page.goto(`${pageUrl}#${this.adapter}`);
    await this.page.waitForFunction(() => 'testPage' in window);
  }

  async choose(): Promise<void> {
    await this.page.click('body');
    await this.page.waitForSelector('body[data-chosen=yes]', { timeout: WAIT_MS });
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.bluez.stop();
  }
}

const adapters: readonly Adapter[] = ['web-bluetooth', 'capacitor-ble'];

describe.each(adapters)('%s: the contract, in Chromium', (adapter) => {
  let radio: BareRadio;
  let browserPage: BluetoothPage;

  beforeAll(async () => {
    radio = new BareRadio();
    browserPage = await BluetoothPage.open(adapter, virtualRecorder(await radio.start(), 244));
    await browserPage.page.exposeFunction('recorderReceives', (count: number) => radio.take(count));
    await browserPage.page.exposeFunction('recorderSends', (notifications: number[][]) =>
      radio.send(notifications),
    );
    await browserPage.page.exposeFunction('breakLink', () => browserPage.bluez.drop());
    await browserPage.load();
    await browserPage.choose();
  }, WAIT_MS);
  afterAll(async () => {
    await browserPage.close();
    await radio.stop();
  });

  test('the page has the same contract cases', async () => {
    expect(await browserPage.page.evaluate(() => window.testPage.kind())).toBe(adapter);
    const names = await browserPage.page.evaluate(() => window.testPage.caseNames());
    expect(names).toEqual(transportContract.map(({ name }) => name));
  });

  test.each(transportContract)(
    `${adapter}: $name`,
    ({ name }) => browserPage.page.evaluate((each) => window.testPage.runCase(each), name),
    WAIT_MS,
  );

  test('an unknown recorder requires the chooser', async () => {
    const failure = browserPage.page.evaluate(() =>
      window.testPage.getFailureCode('reopenUnknown'),
    );
    expect(await failure).toBe('chooser_needed');
  });

  test('connecting fails while Bluetooth is off', async () => {
    const failure = () =>
      browserPage.page.evaluate(() => window.testPage.getFailureCode('connect'));
    browserPage.bluez.setPower(false);
    expect(await failure()).toBe('connect_failed');
    browserPage.bluez.setPower(true);
    await expect.poll(failure).toBe('none');
  });

  test('unplugging and plugging in the adapter is reported', async () => {
    const availability = () => browserPage.page.evaluate(() => window.testPage.availability());
    browserPage.bluez.setPluggedIn(false);
    await expect.poll(availability).toEqual({ status: 'unavailable', code: 'radio_off' });
    browserPage.bluez.setPluggedIn(true);
    await expect.poll(availability).toEqual({ status: 'ready' });
  });
});

describe.each(adapters)('%s: the contract of other recorders, in Chromium', (adapter) => {
  const recorder = new GattContractRecorder();
  let browserPage: BluetoothPage;

  beforeAll(async () => {
    browserPage = await BluetoothPage.open(adapter, emulatedPeripheral(recorder));
    const { page, bluez } = browserPage;
    await page.exposeFunction('gattReceived', () => recorder.received.map((each) => [...each]));
    await page.exposeFunction(
      'gattNotify',
      (source: Parameters<typeof recorder.notify>[0], values: number[][]) =>
        recorder.notify(source, ...values.map((each) => Uint8Array.from(each))),
    );
    await page.exposeFunction('breakLink', () => bluez.drop());
    await browserPage.load();
    await browserPage.choose();
  }, WAIT_MS);
  afterAll(() => browserPage.close());

  test('the page has the same contract cases', async () => {
    const names = await browserPage.page.evaluate(() => window.testPage.gattCaseNames());
    expect(names).toEqual(gattContract.map(({ name }) => name));
  });

  test.each(gattContract)(
    `${adapter}: $name`,
    ({ name }) => browserPage.page.evaluate((each) => window.testPage.runGattCase(each), name),
    WAIT_MS,
  );
});

describe.each(adapters)('%s: a virtual recorder, in Chromium', (adapter) => {
  let dir: string;
  let running: RunningRecorder;
  let browserPage: BluetoothPage;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'linnet-recorder-'));
    const config = {
      ...readConfig({ RECORDER_PORT: '0', RECORDER_CONFIRM: 'auto', DATA_DIR: dir }),
      scenesDir: dir,
    };
    running = await startRecorder(config);
    running.recorder.clock.speed = 20;
    const samples = Int16Array.from({ length: 16_000 * 20 }, (_, n) => 8000 * Math.sin(n / 9));
    await running.recorder.addSession(samples, { startTime: 1, mode: 'normal', scene: 'note' });
    browserPage = await BluetoothPage.open(adapter, virtualRecorder(running.url, 244));
    await browserPage.page.exposeFunction('breakLink', () => browserPage.bluez.drop());
    await browserPage.load();
    await browserPage.choose();
  }, WAIT_MS);
  afterEach(async () => {
    await browserPage.close();
    await running.stop();
    await rm(dir, { recursive: true });
  });

  test(
    'connects, performs the handshake, and reads a session',
    async () => {
      const result = await browserPage.page.evaluate(() => window.testPage.readFirstSession());
      const stored = running.recorder.flash.sessions()[0]?.closed;
      expect(result).toMatchObject({ count: 1, sn: running.recorder.flash.state.sn });
      expect(result.size).toBe(stored?.fileSize);
      expect(result.sha256).toBe(stored?.sha256);
      expect(result.recorderSha256).toBe(stored?.sha256);
    },
    WAIT_MS,
  );

  test(
    'resumes at the last chunk after the link breaks',
    async () => {
      const result = await browserPage.page.evaluate(() => window.testPage.readAcrossDrop(30));
      expect(result.links).toBe(2);
      expect(result.sha256).toBe(running.recorder.flash.sessions()[0]?.closed?.sha256);
      expect(result.recorderSha256).toBe(result.sha256);
    },
    WAIT_MS,
  );

  test(
    'reopens the recorder after a reload without a tap',
    async () => {
      const deviceId = await browserPage.page.evaluate(() => window.testPage.chosenId() ?? '');
      expect(deviceId).not.toBe('');
      await browserPage.load();
      const sn = await browserPage.page.evaluate((id) => window.testPage.reopen(id), deviceId);
      expect(sn).toBe(running.recorder.flash.state.sn);
    },
    WAIT_MS,
  );
});

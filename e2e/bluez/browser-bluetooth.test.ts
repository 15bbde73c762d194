/**
 * The transports over a browser's Bluetooth in a real Chromium, on the emulated adapter: first the
 * contract every transport keeps, then a virtual recorder. Of `capacitor-ble` this is the web half.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transportContract } from '@linnet/device/testing';
import { readConfig } from '@linnet/virtual-recorder/config';
import { type RunningRecorder, startRecorder } from '@linnet/virtual-recorder/start';
import { type Browser, chromium, type Page } from '@playwright/test';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { bluetoothLaunchOptions, chooseFirstDevice, EmulatedBluez } from './index.ts';
import type { Adapter } from './page/main.ts';

/** Browsers on a busy machine are slow to start. */
const WAIT_MS = 90_000;

/** By address. */
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

/** A browser with one recorder in range, and the page open; chosen by a tap. */
class Bench {
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

  static async open(adapter: Adapter, recorderUrl: string, payload = 244): Promise<Bench> {
    const bluez = await EmulatedBluez.start({ recorderUrl, payload });
    const browser = await chromium.launch(bluetoothLaunchOptions(bluez));
    const page = await browser.newPage();
    await chooseFirstDevice(page);
    return new Bench(adapter, bluez, browser, page);
  }

  async load(): Promise<void> {
    // From one fragment to another a browser does not load anew.
    await this.page.goto('about:blank');
    await this.page.goto(`${pageUrl}#${this.adapter}`);
    await this.page.waitForFunction(() => 'bench' in window);
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

/** The recorder's end of the link and nothing behind it. */
class BareRadio {
  private readonly server: Server;
  private readonly sockets = new WebSocketServer({ noServer: true });
  private socket: WebSocket | undefined;
  private received: number[] = [];
  private wake: (() => void)[] = [];

  constructor() {
    this.server = createServer((_, response) =>
      response.end(JSON.stringify({ name: 'Bare', mac: '02:00:00:00:00:99', rssi: -40 })),
    );
    this.server.on('upgrade', (request, stream, head) =>
      this.sockets.handleUpgrade(request, stream, head, (socket) => this.accept(socket)),
    );
  }

  private accept(socket: WebSocket): void {
    this.socket = socket;
    this.received = [];
    socket.on('message', (data: Buffer) => {
      this.received.push(...data);
      for (const wake of this.wake.splice(0)) wake();
    });
    socket.send('{"connected":true}');
  }

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async take(count: number): Promise<number[]> {
    while (this.received.length < count) {
      await new Promise<void>((resolve) => this.wake.push(resolve));
    }
    return this.received.splice(0, count);
  }

  send(notifications: number[][]): void {
    for (const bytes of notifications) this.socket?.send(Uint8Array.from(bytes));
  }

  async stop(): Promise<void> {
    for (const client of this.sockets.clients) client.terminate();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

const adapters: readonly Adapter[] = ['web-bluetooth', 'capacitor-ble'];

describe.each(adapters)('%s: the contract, in Chromium', (adapter) => {
  let radio: BareRadio;
  let bench: Bench;

  beforeAll(async () => {
    radio = new BareRadio();
    bench = await Bench.open(adapter, await radio.start());
    await bench.page.exposeFunction('recorderReceives', (count: number) => radio.take(count));
    await bench.page.exposeFunction('recorderSends', (all: number[][]) => radio.send(all));
    await bench.page.exposeFunction('breakLink', () => bench.bluez.drop());
    await bench.load();
    await bench.choose();
  }, WAIT_MS);
  afterAll(async () => {
    await bench.close();
    await radio.stop();
  });

  test('the page knows the same cases', async () => {
    expect(await bench.page.evaluate(() => window.bench.kind())).toBe(adapter);
    const names = await bench.page.evaluate(() => window.bench.caseNames());
    expect(names).toEqual(transportContract.map(({ name }) => name));
  });

  test.each(transportContract)(
    `${adapter}: $name`,
    ({ name }) => bench.page.evaluate((each) => window.bench.runCase(each), name),
    WAIT_MS,
  );

  test('a recorder this browser was not given needs the chooser', async () => {
    const failure = bench.page.evaluate(() => window.bench.failure('reopenUnknown'));
    expect(await failure).toBe('chooser_needed');
  });

  test('with Bluetooth switched off nothing connects, until it is on again', async () => {
    const failure = () => bench.page.evaluate(() => window.bench.failure('connect'));
    bench.bluez.power(false);
    expect(await failure()).toBe('connect_failed');
    bench.bluez.power(true);
    await expect.poll(failure).toBe('none');
  });

  test('an adapter that is pulled out is told, and plugged in again', async () => {
    const availability = () => bench.page.evaluate(() => window.bench.availability());
    bench.bluez.plug(false);
    await expect.poll(availability).toEqual({ status: 'unavailable', code: 'radio_off' });
    bench.bluez.plug(true);
    await expect.poll(availability).toEqual({ status: 'ready' });
  });
});

describe.each(adapters)('%s: a virtual recorder, in Chromium', (adapter) => {
  let dir: string;
  let running: RunningRecorder;
  let bench: Bench;

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
    bench = await Bench.open(adapter, running.url);
    await bench.page.exposeFunction('breakLink', () => bench.bluez.drop());
    await bench.load();
    await bench.choose();
  }, WAIT_MS);
  afterEach(async () => {
    await bench.close();
    await running.stop();
    await rm(dir, { recursive: true });
  });

  test(
    'connects, shakes hands, lists and reads a session byte for byte',
    async () => {
      const read = await bench.page.evaluate(() => window.bench.readFirstSession());
      const stored = running.recorder.flash.sessions()[0]?.closed;
      expect(read).toMatchObject({ count: 1, sn: running.recorder.flash.state.sn });
      expect(read.size).toBe(stored?.fileSize);
      expect(read.sha256).toBe(stored?.sha256);
      expect(read.recorderSha256).toBe(stored?.sha256);
    },
    WAIT_MS,
  );

  test(
    'a link that breaks in the middle is resumed at the last chunk',
    async () => {
      const read = await bench.page.evaluate(() => window.bench.readAcrossDrop(30));
      expect(read.links).toBe(2);
      expect(read.sha256).toBe(running.recorder.flash.sessions()[0]?.closed?.sha256);
      expect(read.recorderSha256).toBe(read.sha256);
    },
    WAIT_MS,
  );

  test(
    'after a reload the recorder is opened again without a tap',
    async () => {
      const deviceId = await bench.page.evaluate(() => window.bench.chosenId() ?? '');
      expect(deviceId).not.toBe('');
      await bench.load();
      const sn = await bench.page.evaluate((id) => window.bench.reopen(id), deviceId);
      expect(sn).toBe(running.recorder.flash.state.sn);
    },
    WAIT_MS,
  );
});

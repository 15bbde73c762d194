/**
 * Emulates the Android app in a desktop browser. The pages, Capacitor's bridge and the plugins' JavaScript are real;
 * only the plugins' Java code is replaced, by a handler that the test provides.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { createPhonePage } from '../../tooling/phones/sync.mjs';

export type PluginCall = {
  /** The path of the page that made the call. */
  readonly pagePath: string;
  readonly plugin: string;
  readonly method: string;
  readonly options: Record<string, unknown>;
};

/**
 * Handles a plugin call and returns its result, or null if the method has none. If it throws, the call is rejected with
 * the error's `code`.
 */
export type PluginHandler = (call: PluginCall) => unknown;

/** Each plugin's methods: `promise` methods return a promise, and `callback` methods take a callback. */
const METHODS: Record<string, { promise: string[]; callback?: string[] }> = {
  App: { promise: ['minimizeApp'], callback: ['addListener'] },
  BluetoothLe: {
    promise: [
      ...['initialize', 'isEnabled', 'startEnabledNotifications', 'requestEnable'],
      ...['openAppSettings', 'requestLEScan', 'stopLEScan', 'getConnectedDevices'],
      ...['connect', 'disconnect', 'getServices', 'getMtu', 'read', 'write'],
      ...['startNotifications', 'stopNotifications'],
    ],
    callback: ['addListener'],
  },
  Files: {
    promise: ['write', 'save', 'discard', 'shared', 'dropShared'],
    callback: ['addListener'],
  },
  LocalNotifications: {
    promise: [
      ...['schedule', 'getPending', 'cancel', 'removeAllDeliveredNotifications'],
      ...['createChannel', 'checkPermissions', 'requestPermissions'],
    ],
    callback: ['addListener'],
  },
  Network: { promise: ['getStatus'], callback: ['addListener'] },
  RecorderNetwork: { promise: ['join', 'leave'] },
  SecureStorage: { promise: ['get', 'set', 'remove'] },
  Share: { promise: ['share', 'canShare'] },
  Transfers: { promise: ['show', 'hide'] },
};

type Message = {
  readonly type?: string;
  readonly callbackId: string;
  readonly pluginId: string;
  readonly methodName: string;
  readonly options: Record<string, unknown>;
};

export class AndroidPhone {
  /** The plugin calls made by the pages, in order. */
  readonly calls: PluginCall[] = [];
  /** The contents of secure storage. */
  readonly secrets = new Map<string, string>();
  /** Whether the user allows notifications, which a test may change as in the settings. The answer when asked is yes. */
  notificationPermission: 'prompt' | 'granted' | 'denied' = 'prompt';
  /** The current network type, as Android names it. */
  #network = 'wifi';
  readonly #page: Page;
  readonly #handlePluginCall: PluginHandler;
  #listeners: { readonly event: string; readonly message: Message }[] = [];

  private constructor(page: Page, answer: PluginHandler) {
    this.#page = page;
    this.#handlePluginCall = answer;
  }

  /** Makes every document that `page` loads from now on run as if inside the Android app. */
  static async install(page: Page, answer: PluginHandler): Promise<AndroidPhone> {
    const phone = new AndroidPhone(page, answer);
    const android = dirname(
      createRequire(import.meta.url).resolve('@capacitor/android/package.json'),
    );
    const bridge = join(android, 'capacitor/src/main/assets/native-bridge.js');
    await page.route(
      ({ pathname }) => pathname === '/' || pathname.startsWith('/pages/'),
      async (route) => {
        const response = await route.fetch();
        const { origin } = new URL(route.request().url());
        await route.fulfill({ response, body: createPhonePage(await response.text(), origin) });
      },
    );
    await page.exposeFunction('toJava', (text: string) => phone.#handleMessage(JSON.parse(text)));
    const headers = Object.entries(METHODS).map(([name, { promise, callback = [] }]) => ({
      name,
      methods: [
        ...promise.map((method) => ({ name: method, rtype: 'promise' })),
        ...callback.map((method) => ({ name: method, rtype: 'callback' })),
        { name: 'removeListener', rtype: 'promise' },
      ],
    }));
    await page.addInitScript((list) => {
      const { toJava } = window as unknown as { toJava(text: string): void };
      Object.assign(window, {
        Capacitor: { DEBUG: false, isLoggingEnabled: false, Plugins: {}, PluginHeaders: list },
        WEBVIEW_SERVER_URL: location.origin,
        androidBridge: { postMessage: (text: string) => toJava(text) },
      });
    }, headers);
    await page.addInitScript({ content: await readFile(bridge, 'utf8') });
    return phone;
  }

  /** Returns the calls to a plugin's method. */
  callsTo(plugin: string, method: string): PluginCall[] {
    return this.calls.filter((call) => call.plugin === plugin && call.method === method);
  }

  /** Sends an event to the pages. */
  async emit(plugin: string, event: string, data: unknown = {}): Promise<void> {
    const listeners = this.#listeners.filter(
      (each) => each.event === event && each.message.pluginId === plugin,
    );
    for (const { message } of listeners)
      await this.#reply(message, { success: true, data, save: true });
  }

  /** Changes the network type and notifies the pages. */
  async useNetwork(type: 'wifi' | 'cellular' | 'none'): Promise<void> {
    this.#network = type;
    await this.emit('Network', 'networkStatusChange', this.#status());
  }

  #status() {
    return { connected: this.#network !== 'none', connectionType: this.#network };
  }

  async #handleMessage(message: Message): Promise<void> {
    // The bridge also forwards uncaught errors, which `PageErrors` already records.
    if (message.type === 'js.error') return;
    const { pluginId: plugin, methodName: method, options } = message;
    if (method === 'addListener') {
      this.#listeners.push({ event: String(options.eventName), message });
      return;
    }
    if (method === 'removeListener') {
      const { callbackId } = options;
      this.#listeners = this.#listeners.filter((each) => each.message.callbackId !== callbackId);
    }
    const call = { pagePath: new URL(this.#page.url()).pathname, plugin, method, options };
    this.calls.push(call);
    try {
      const data = (await this.#getResult(call)) ?? {};
      await this.#reply(message, { success: true, data });
    } catch (error) {
      const { message: text, code } = error as Error & { code?: string };
      await this.#reply(message, { success: false, error: { message: text, code } });
    }
  }

  #getResult(call: PluginCall): unknown {
    if (call.plugin === 'SecureStorage') return this.#accessSecret(call);
    if (call.plugin === 'LocalNotifications') return this.#notify(call);
    return call.plugin === 'Network' ? this.#status() : this.#handlePluginCall(call);
  }

  #notify({ method }: PluginCall): object {
    if (method === 'requestPermissions' && this.notificationPermission === 'prompt') {
      this.notificationPermission = 'granted';
    }
    if (method === 'schedule' && this.notificationPermission !== 'granted') {
      const text = 'Notifications are not enabled on this device.';
      throw Object.assign(new Error(text), { code: 'OS-PLUG-LNOT-0005' });
    }
    return method.endsWith('Permissions')
      ? { display: this.notificationPermission }
      : { notifications: [] };
  }

  #accessSecret({ method, options: { name, value } }: PluginCall): { value?: string | undefined } {
    if (method === 'set') this.secrets.set(String(name), String(value));
    if (method === 'remove') this.secrets.delete(String(name));
    return method === 'get' ? { value: this.secrets.get(String(name)) } : {};
  }

  async #reply(message: Message, outcome: object): Promise<void> {
    const { callbackId, pluginId, methodName } = message;
    const data = JSON.stringify({ callbackId, pluginId, methodName, ...outcome });
    const delivered = this.#page.evaluate((text) => {
      const { androidBridge } = window as unknown as {
        androidBridge: { onmessage(event: { data: string }): void };
      };
      androidBridge.onmessage({ data: text });
    }, data);
    await delivered.catch((error: Error) => {
      // A recorder may still be sending when the test ends.
      if (!/Test ended|has been closed/.test(error.message)) throw error;
    });
  }
}

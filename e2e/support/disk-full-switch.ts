import type { Page } from '@playwright/test';

/** URL pattern of the database worker's script. */
const WORKER = '**/assets/database.worker-*.js';
const CHANNEL = 'full-phone';

/**
 * Prepended to the worker's own script. While the switch is on, writes fail with the browser's error for a full disk.
 */
const failingWrites = `{
  const { prototype } = FileSystemSyncAccessHandle;
  const { write } = prototype;
  let full = false;
  new BroadcastChannel('${CHANNEL}').addEventListener('message', ({ data, currentTarget }) => {
    if (typeof data !== 'boolean') return;
    full = data;
    currentTarget.postMessage('applied');
  });
  prototype.write = function (...args) {
    if (full) throw new DOMException('disk full', 'QuotaExceededError');
    return write.apply(this, args);
  };
}
`;

/**
 * Turns a simulated full disk for the app's database on and off. A storage quota isn't precise enough, because it only
 * takes effect once the database has used up the space it has reserved.
 */
export class DiskFullSwitch {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Installs the switch, initially off. Call this before the app is opened, in a context without service workers. */
  static async install(page: Page): Promise<DiskFullSwitch> {
    await page.route(WORKER, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: failingWrites + (await response.text()) });
    });
    return new DiskFullSwitch(page);
  }

  /** Turns the switch on or off, and waits for the database worker to apply the change. */
  async setFull(isFull: boolean): Promise<void> {
    await this.#page.evaluate(
      ([name, value]) =>
        new Promise<void>((resolve) => {
          const channel = new BroadcastChannel(name);
          channel.addEventListener('message', () => resolve(channel.close()));
          channel.postMessage(value);
        }),
      [CHANNEL, isFull] as const,
    );
  }
}

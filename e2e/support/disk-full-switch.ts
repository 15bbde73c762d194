import type { Page } from '@playwright/test';

/** Script of the worker that has the database. */
const WORKER = '**/assets/database.worker-*.js';
const CHANNEL = 'full-phone';

/** Runs in the worker before its own script: makes writes fail, on request, as a browser does when the disk is full. */
const failingWrites = `{
  const { prototype } = FileSystemSyncAccessHandle;
  const { write } = prototype;
  let full = false;
  new BroadcastChannel('${CHANNEL}').addEventListener('message', ({ data, currentTarget }) => {
    if (typeof data !== 'boolean') return;
    full = data;
    currentTarget.postMessage('heard');
  });
  prototype.write = function (...what) {
    if (full) throw new DOMException('no room', 'QuotaExceededError');
    return write.apply(this, what);
  };
}
`;

/**
 * A phone whose database runs out of disk space at a moment of the test's choice. A quota would take effect only
 * after the database has used up the space it reserved.
 */
export class DiskFullSwitch {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Installs the switch. Call before the app is opened, in a context without service workers. */
  static async install(page: Page): Promise<DiskFullSwitch> {
    await page.route(WORKER, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: failingWrites + (await response.text()) });
    });
    return new DiskFullSwitch(page);
  }

  /** Resolves when the database worker has applied it. */
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

import type { Page } from '@playwright/test';

/** Script of the worker that has the database. */
const WORKER = '**/assets/database.worker-*.js';
const CHANNEL = 'full-phone';

/** Runs in the worker before its own script: makes writes fail, on request, as a browser does when the disk is full. */
const refusing = `{
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
export class FullPhone {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Installs the switch. Call before the app is opened, in a context without service workers. */
  static async of(page: Page): Promise<FullPhone> {
    await page.route(WORKER, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: refusing + (await response.text()) });
    });
    return new FullPhone(page);
  }

  /** Resolves when the database worker has applied it. */
  async set(full: boolean): Promise<void> {
    await this.#page.evaluate(
      ([name, wanted]) =>
        new Promise<void>((resolve) => {
          const channel = new BroadcastChannel(name);
          channel.addEventListener('message', () => resolve(channel.close()));
          channel.postMessage(wanted);
        }),
      [CHANNEL, full] as const,
    );
  }
}

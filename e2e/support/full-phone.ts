import type { Page } from '@playwright/test';

/** The script of the worker that has the database. */
const WORKER = '**/assets/database.worker-*.js';
const CHANNEL = 'full-phone';

/** Runs in the worker before its own: writes are refused as a browser refuses them, from one moment to another. */
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
 * A phone on which the database finds no more room at a moment of the test's choice. A quota takes hold only once
 * the database has used up what it set aside.
 */
export class FullPhone {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Before the app is opened, in a context without service workers. */
  static async of(page: Page): Promise<FullPhone> {
    await page.route(WORKER, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: refusing + (await response.text()) });
    });
    return new FullPhone(page);
  }

  /** Resolves when the database goes by it. */
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

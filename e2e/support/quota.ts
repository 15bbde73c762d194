import type { CDPSession, Page } from '@playwright/test';

/** Limits the storage of a page's origin, to simulate a full disk. */
export class Quota {
  readonly #page: Page;
  readonly #devtools: CDPSession;

  private constructor(page: Page, devtools: CDPSession) {
    this.#page = page;
    this.#devtools = devtools;
  }

  static async attach(page: Page): Promise<Quota> {
    return new Quota(page, await page.context().newCDPSession(page));
  }

  /** Sets the quota to the current usage plus `bytes`. Null removes the limit. */
  async setFreeBytes(bytes: number | null): Promise<void> {
    const origin = new URL(this.#page.url()).origin;
    if (bytes === null) {
      await this.#devtools.send('Storage.overrideQuotaForOrigin', { origin });
      return;
    }
    const { usage } = await this.#devtools.send('Storage.getUsageAndQuota', { origin });
    await this.#devtools.send('Storage.overrideQuotaForOrigin', {
      origin,
      quotaSize: usage + bytes,
    });
  }
}

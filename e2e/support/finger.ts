import type { CDPSession, Locator, Page } from '@playwright/test';

/** Sends touch events to a page. */
export class Finger {
  readonly #session: CDPSession;
  private constructor(session: CDPSession) {
    this.#session = session;
  }
  static async create(page: Page): Promise<Finger> {
    return new Finger(await page.context().newCDPSession(page));
  }
  async #send(type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0): Promise<void> {
    const touchPoints = type === 'touchEnd' ? [] : [{ x, y }];
    await this.#session.send('Input.dispatchTouchEvent', { type, touchPoints });
  }
  async hold(target: Locator, whileHeld: () => Promise<void>): Promise<void> {
    const box = await target.boundingBox();
    if (!box) throw new Error('nothing to press');
    await this.#send('touchStart', box.x + box.width / 2, box.y + box.height / 2);
    await whileHeld();
    await this.#send('touchEnd');
  }
  async drag(from: { x: number; y: number }, by: { x: number; y: number }): Promise<void> {
    await this.#send('touchStart', from.x, from.y);
    for (let step = 1; step <= 10; step += 1) {
      await this.#send('touchMove', from.x + (by.x * step) / 10, from.y + (by.y * step) / 10);
    }
    await this.#send('touchEnd');
  }
}

import type { PlanId } from '@linnet/contract/statuses';
import { expect, type Locator, type Page } from '@playwright/test';
import type { Stack } from './stack.ts';
import { Toasts } from './toasts.ts';

export const PASSWORD = 'wren-gale-harbour-7';

/** Page object for the app. */
export class LinnetApp {
  readonly page: Page;
  readonly #stack: Stack;
  #guide: 'skip' | 'show' | 'handled';

  /** @param options.guide whether to dismiss the guide in Files when it appears (`skip`) or to leave it open (`show`) */
  constructor(page: Page, stack: Stack, { guide = 'skip' }: { guide?: 'skip' | 'show' } = {}) {
    this.page = page;
    this.#stack = stack;
    this.#guide = guide;
  }

  /** Dismisses the guide in Files whenever it appears. */
  async #skipGuide(): Promise<void> {
    if (this.#guide !== 'skip') return;
    this.#guide = 'handled';
    const guide = this.page.getByTestId('guide');
    await this.page.addLocatorHandler(guide, () => this.page.getByTestId('guide-done').click());
  }

  /** Waits for a toast that contains all of the strings. A toast that has already disappeared counts too. */
  async expectToast(texts: string | readonly string[], kind?: 'info' | 'error'): Promise<void> {
    await (await Toasts.of(this.page)).expect(texts, kind);
  }

  /** Performs an action and undoes it with the toast's button. The toast stays open until the button is pressed. */
  async performAndUndo(
    action: () => Promise<void>,
    { by, name = 'Undo' }: { by?: 'finger'; name?: string } = {},
  ): Promise<void> {
    const toasts = await Toasts.of(this.page);
    const undo = this.page.getByTestId('toast').getByRole('button', { name });
    await toasts.withHover(async () => {
      await action();
      await (by === 'finger' ? undo.tap() : undo.click());
    });
  }

  async open(path = '/'): Promise<void> {
    await this.#skipGuide();
    await Toasts.of(this.page);
    await this.page.goto(`${this.#stack.url}${path}`);
  }

  /** Opens a path and waits until the page has loaded its data. */
  async openAndLoad(path: string): Promise<void> {
    await this.open(path);
    await this.#waitForData();
  }

  /**
   * Navigates within the running app, and waits until the page has loaded its data. The page is mounted again even if
   * the previous one has the same component.
   */
  async show(path: string): Promise<void> {
    await this.page.locator('main').first().waitFor();
    await this.page.evaluate(changeAddress, path);
    await this.#waitForData();
  }

  async #waitForData(): Promise<void> {
    await this.page.locator('main').first().waitFor();
    // The placeholders of details that are closed stay.
    const placeholders = this.page.locator('.waiting, [aria-busy="true"]');
    await expect(placeholders.filter({ visible: true })).toHaveCount(0);
  }

  /** Registers with the emailed code and lands on Files. */
  async signUp(email: string): Promise<void> {
    const { page } = this;
    await this.open('/pages/register');
    await page.getByTestId('email').fill(email);
    await page.getByTestId('send-code').click();
    await page.getByTestId('code').fill(await this.#stack.waitForEmailedCode(email));
    await page.getByTestId('password').fill(PASSWORD);
    await page.getByTestId('repassword').fill(PASSWORD);
    await page.getByTestId('agree').check();
    await page.getByTestId('submit').click();
    await page.waitForURL('**/pages/files');
  }

  async signIn(email: string): Promise<void> {
    await this.#skipGuide();
    await this.page.getByTestId('email').fill(email);
    await this.page.getByTestId('password').fill(PASSWORD);
    await this.page.getByTestId('submit').click();
    await this.page.waitForURL('**/pages/files');
  }

  /** Finds and binds the recorder, then opens Files. */
  async bind(transport: 'websocket' | 'web-bluetooth'): Promise<void> {
    const { page } = this;
    await this.open('/pages/deviceConnect');
    await page.getByTestId(`way-${transport}`).click();
    await page.getByTestId('found-recorder').first().click();
    await expect(page.getByTestId('bind-done')).toBeVisible({ timeout: 30_000 });
    await page.getByTestId('bind-to-files').click();
    await page.waitForURL('**/pages/files');
  }

  rows(state?: string): Locator {
    const rows = this.page.getByTestId('record-row');
    return state ? rows.and(this.page.locator(`[data-state="${state}"]`)) : rows;
  }

  row(id: string): Locator {
    return this.page.locator(`[data-testid="record-row"][data-record-id="${id}"]`);
  }

  recordButton(state: 'idle' | 'recording'): Locator {
    return this.page.locator(`[data-testid="record-button"][data-state="${state}"]`);
  }

  /** Presses the record button and waits until the recorder confirms. */
  async startRecording(): Promise<void> {
    await this.recordButton('idle').click();
    await expect(this.recordButton('recording')).toBeVisible();
  }

  async stopRecording(): Promise<void> {
    await this.recordButton('recording').click();
    await expect(this.recordButton('idle')).toBeVisible();
  }

  async openRecording(id: string): Promise<void> {
    await this.row(id).getByRole('link').first().click();
    await this.page.waitForURL(`**/pages/fileDetail?id=${id}`);
  }

  /** Reads a recording's audio file from the origin private file system. */
  async readStoredFile(
    id: string,
    kind: 'ogg' | 'wav' | 'cleaner.ogg' | 'original',
  ): Promise<Buffer> {
    const base64 = await this.page.evaluate(async (name) => {
      let folder = await navigator.storage.getDirectory();
      for (const part of ['linnet', 'audio']) folder = await folder.getDirectoryHandle(part);
      const file = await (await folder.getFileHandle(name)).getFile();
      const reader = new FileReader();
      return new Promise<string>((resolve, reject) => {
        reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
        reader.onerror = () => reject(reader.error);
        reader.readAsDataURL(file);
      });
    }, `${id}.${kind}`);
    return Buffer.from(base64, 'base64');
  }

  /**
   * Places an order.
   * @param choice the button to press in the sandbox checkout
   * @returns the order ID
   */
  async placeOrder(
    choice: 'success' | 'fail' | 'cancel',
    plan: PlanId = 'package_120',
  ): Promise<string> {
    const order = await this.callApi<{ order_id: string; pay_url: string }>('/user/pay', { plan });
    const body = new URLSearchParams({ choice });
    const response = await fetch(order.pay_url, { method: 'POST', body, redirect: 'manual' });
    expect(response.status).toBe(303);
    return order.order_id;
  }

  /** Calls the API as the signed-in user of the page. */
  async callApi<T>(path: string, body: unknown = {}): Promise<T> {
    const token = await this.page.evaluate(() => localStorage.getItem('Access-Token'));
    const response = await fetch(`${this.#stack.url}/api${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    const { code, msg, data } = (await response.json()) as { code: number; msg: string; data: T };
    if (code !== 0) throw new Error(`${path}: ${code} ${msg}`);
    return data;
  }
}

/**
 * Runs in the page. Changes the address as the browser's Back button does.
 * @throws if the app has no page at the path
 */
async function changeAddress(path: string): Promise<void> {
  // While the next page's code loads, the previous page may be hidden instead of removed.
  const isPageMissing = () =>
    document.querySelector('main.system-screen')?.checkVisibility() === true;
  const change = async (address: string) => {
    history.replaceState(null, '', address);
    // The router listens for this event, and React renders before the next task.
    window.dispatchEvent(new PopStateEvent('popstate'));
    await new Promise((resolve) => setTimeout(resolve));
  };
  // The screen for a missing page has no frame, so it removes the previous page and its frame.
  await change('/pages/missing');
  if (!isPageMissing()) throw new Error('the app still shows its previous page');
  await change(path);
  if (isPageMissing()) throw new Error(`the app has no page at ${path}`);
}

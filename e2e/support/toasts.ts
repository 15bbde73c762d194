import { expect, type Page } from '@playwright/test';

/** A toast as it was when it appeared. */
type Toast = { readonly text: string; readonly kind: string };

/**
 * Records a page's toasts. Most toasts disappear after a second, so a test that polls for them could miss them on a
 * busy machine. A script in the page reports each toast as it appears instead.
 */
export class Toasts {
  static readonly #byPage = new WeakMap<Page, Promise<Toasts>>();
  readonly #page: Page;
  readonly #recorded: Toast[] = [];
  /** The number of toasts up to and including the last one asserted. */
  #seenCount = 0;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Returns the instance that records a page's toasts. Recording starts with the first call. */
  static of(page: Page): Promise<Toasts> {
    const toasts = Toasts.#byPage.get(page) ?? Toasts.#startRecording(page);
    Toasts.#byPage.set(page, toasts);
    return toasts;
  }

  static async #startRecording(page: Page): Promise<Toasts> {
    const toasts = new Toasts(page);
    await page.exposeFunction('reportToast', (toast: Toast) => void toasts.#recorded.push(toast));
    await page.addInitScript(reportToasts);
    // Init scripts only run in documents opened later, so run the script in the current one as well.
    await page.evaluate(reportToasts);
    return toasts;
  }

  /** Waits for a toast that contains all of the strings. Skips the toasts before it. */
  async expect(texts: string | readonly string[], kind?: 'info' | 'error'): Promise<void> {
    const parts = typeof texts === 'string' ? [texts] : texts;
    await this.#waitForNext(
      parts.join(' … '),
      (toast) => (!kind || toast.kind === kind) && parts.every((part) => toast.text.includes(part)),
    );
  }

  /**
   * Waits for a toast that contains any of the strings. Skips the toasts before it.
   * @returns the string found
   */
  async expectAnyOf<T extends string>(...texts: T[]): Promise<T> {
    const findText = (toast: Toast) => texts.find((each) => toast.text.includes(each));
    return findText(
      await this.#waitForNext(texts.join(' or '), (toast) => findText(toast) !== undefined),
    ) as T;
  }

  async #waitForNext(description: string, matches: (toast: Toast) => boolean): Promise<Toast> {
    const getUnseen = () => this.#recorded.slice(this.#seenCount);
    await expect
      .poll(() => getUnseen().some(matches) || getUnseen().map(({ text }) => text), {
        message: `a toast: ${description}`,
      })
      .toBe(true);
    const matchIndex = this.#recorded.findIndex(
      (toast, index) => index >= this.#seenCount && matches(toast),
    );
    this.#seenCount = matchIndex + 1;
    return this.#recorded[matchIndex] as Toast;
  }

  /**
   * Performs an action, and hovers over every toast with a button as soon as it appears. This keeps the toast open
   * until the button is pressed, even on a slow machine. The action must not navigate to another document.
   */
  async withHover(action: () => Promise<void>): Promise<void> {
    const setHovering = (isHovering: boolean) =>
      this.#page.evaluate((value) => {
        Object.assign(window, { hoversToasts: value });
      }, isHovering);
    await setHovering(true);
    await action();
    await setHovering(false);
  }
}

/** Runs in the page. Reports every new toast, and hovers over toasts with a button during `withHover`. */
function reportToasts(): void {
  const page = window as unknown as {
    reportToast(toast: Toast): void;
    reportsToasts?: true;
    hoversToasts?: boolean;
  };
  if (page.reportsToasts) return;
  page.reportsToasts = true;
  const report = (node: Node) => {
    if (!(node instanceof Element)) return;
    const toastsInside = node.querySelectorAll<HTMLElement>('[data-testid="toast"]');
    for (const toast of node.matches('[data-testid="toast"]')
      ? [node as HTMLElement]
      : toastsInside) {
      page.reportToast({ text: toast.textContent ?? '', kind: toast.dataset.kind ?? '' });
      if (page.hoversToasts && toast.querySelector('button'))
        toast.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    }
  };
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) addedNodes.forEach(report);
  }).observe(document, { childList: true, subtree: true });
}

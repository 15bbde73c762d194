import { expect, type Page } from '@playwright/test';

/** A toast at the moment it appeared. */
type Told = { readonly words: string; readonly kind: string };

/**
 * Records the toasts of a page. Most last a second, so polling on a busy machine can miss them. The page itself
 * reports each one, and late queries still find it.
 */
export class Toasts {
  static readonly #ofPages = new WeakMap<Page, Promise<Toasts>>();
  readonly #page: Page;
  readonly #told: Told[] = [];
  /** Number of toasts that were asserted or preceded an asserted one. */
  #taken = 0;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** The toasts of a page, recorded since the first call. */
  static of(page: Page): Promise<Toasts> {
    const heard = Toasts.#ofPages.get(page) ?? Toasts.#listenTo(page);
    Toasts.#ofPages.set(page, heard);
    return heard;
  }

  static async #listenTo(page: Page): Promise<Toasts> {
    const toasts = new Toasts(page);
    await page.exposeFunction('tellToast', (toast: Told) => void toasts.#told.push(toast));
    await page.addInitScript(watch);
    // The current document, if there is one.
    await page.evaluate(watch);
    return toasts;
  }

  /** Waits for a toast that contains all of this. Earlier ones count as seen. */
  async expect(words: string | readonly string[], kind?: 'info' | 'error'): Promise<void> {
    const parts = typeof words === 'string' ? [words] : words;
    await this.#next(
      parts.join(' … '),
      (told) => (!kind || told.kind === kind) && parts.every((part) => told.words.includes(part)),
    );
  }

  /** Waits for the next toast that contains any of these. Earlier ones count as seen. */
  async either<T extends string>(...words: T[]): Promise<T> {
    const said = (told: Told) => words.find((each) => told.words.includes(each));
    return said(await this.#next(words.join(' or '), (told) => said(told) !== undefined)) as T;
  }

  async #next(wanted: string, isIt: (told: Told) => boolean): Promise<Told> {
    const since = () => this.#told.slice(this.#taken);
    await expect
      .poll(() => since().some(isIt) || since().map(({ words }) => words), {
        message: `a toast: ${wanted}`,
      })
      .toBe(true);
    const at = this.#told.findIndex((told, index) => index >= this.#taken && isIt(told));
    this.#taken = at + 1;
    return this.#told[at] as Told;
  }

  /**
   * Hovers over toasts with a button that appear during an action, as soon as they appear: they stay until they are
   * pressed, however slow the machine is. The action must not leave the document.
   */
  async pointedAt(deed: () => Promise<void>): Promise<void> {
    const point = (isPointing: boolean) =>
      this.#page.evaluate((value) => {
        Object.assign(window, { pointsAtToasts: value });
      }, isPointing);
    await point(true);
    await deed();
    await point(false);
  }
}

/** Runs in the page: reports every new toast, and hovers over those that a test will press. */
function watch(): void {
  const page = window as unknown as {
    tellToast(told: Told): void;
    toastsAreTold?: true;
    pointsAtToasts?: boolean;
  };
  if (page.toastsAreTold) return;
  page.toastsAreTold = true;
  const tell = (node: Node) => {
    if (!(node instanceof Element)) return;
    const within = node.querySelectorAll<HTMLElement>('[data-testid="toast"]');
    for (const toast of node.matches('[data-testid="toast"]') ? [node as HTMLElement] : within) {
      page.tellToast({ words: toast.textContent ?? '', kind: toast.dataset.kind ?? '' });
      if (page.pointsAtToasts && toast.querySelector('button'))
        toast.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    }
  };
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) addedNodes.forEach(tell);
  }).observe(document, { childList: true, subtree: true });
}

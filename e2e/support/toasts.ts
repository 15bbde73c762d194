import { expect, type Page } from '@playwright/test';

/** A toast as it came. */
type Told = { readonly words: string; readonly kind: string };

/**
 * What the toasts of a page said. Most are there for a second: whoever looks at a busy machine now and then may
 * find none. The page itself tells of each, and nothing it told is lost by looking late.
 */
export class Toasts {
  static readonly #ofPages = new WeakMap<Page, Promise<Toasts>>();
  readonly #page: Page;
  readonly #told: Told[] = [];
  /** How many of them were asked for, or came before one that was. */
  #taken = 0;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Those of a page, heard from the first time that somebody asked for them. */
  static of(page: Page): Promise<Toasts> {
    const heard = Toasts.#ofPages.get(page) ?? Toasts.#listenTo(page);
    Toasts.#ofPages.set(page, heard);
    return heard;
  }

  static async #listenTo(page: Page): Promise<Toasts> {
    const toasts = new Toasts(page);
    await page.exposeFunction('tellToast', (toast: Told) => void toasts.#told.push(toast));
    await page.addInitScript(watch);
    // The document that is there already, if one is.
    await page.evaluate(watch);
    return toasts;
  }

  /** Waits for one that says all of this; those that came before it count as seen. */
  async expect(words: string | readonly string[], kind?: 'info' | 'error'): Promise<void> {
    const parts = typeof words === 'string' ? [words] : words;
    await this.#next(
      parts.join(' … '),
      (told) => (!kind || told.kind === kind) && parts.every((part) => told.words.includes(part)),
    );
  }

  /** Waits for the next one that says any of these; those that came before it count as seen. */
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
   * A toast with something to press that comes during a deed is pointed at from its first moment, as by somebody
   * who is quick: it stays until it was pressed, however slow the machine is. The deed stays in its document.
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

/** Runs in the page: tells of every toast that is put into it, and points at those that a test wants to press. */
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

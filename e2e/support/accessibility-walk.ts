import { expect, type Locator, type Page } from '@playwright/test';
import { findViolations } from './axe.ts';

/** The narrowest supported screen. */
export const narrow = { width: 360, height: 844 };
const wide = { width: 1280, height: 900 };

type Appearance = { readonly size: typeof narrow; readonly colorScheme: 'light' | 'dark' };
type WalkOptions = {
  readonly name: string;
  readonly locale: string;
  readonly language: 'en' | 'ar';
  /** The appearances to check. `npm test` checks only the first. */
  readonly appearances: readonly Appearance[];
};
const narrowLight: Appearance = { size: narrow, colorScheme: 'light' };
const wideDark: Appearance = { size: wide, colorScheme: 'dark' };

/**
 * The walks check the app on narrow and wide screens, in light and dark mode, and in both writing directions. To save
 * time, `npm test` runs only one walk per spec, in one appearance; `PAGES_LOOKS=all` runs both walks in both
 * appearances.
 */
const walks: readonly WalkOptions[] = [
  {
    name: 'from left to right',
    locale: 'en-GB',
    language: 'en',
    appearances: [narrowLight, wideDark],
  },
  {
    name: 'from right to left',
    locale: 'ar',
    language: 'ar',
    appearances: [wideDark, narrowLight],
  },
];

/** Returns the walks that a spec runs: both with `PAGES_LOOKS=all`, otherwise only the one in `language`. */
export function selectWalks(language: WalkOptions['language']): readonly WalkOptions[] {
  if (process.env.PAGES_LOOKS === 'all') return walks;
  return walks.filter((walk) => walk.language === language);
}

/**
 * Page object for a walk through the app. At every stop, it checks accessibility with axe, and that nothing overflows
 * the narrowest screen.
 */
export class AccessibilityWalk {
  readonly page: Page;
  readonly #appearances: readonly Appearance[];
  #current: Appearance | null = null;

  /** @param page a page whose viewport is `narrow` */
  constructor(page: Page, appearances: readonly Appearance[]) {
    this.page = page;
    this.#appearances = process.env.PAGES_LOOKS === 'all' ? appearances : appearances.slice(0, 1);
  }

  getByTestId(testId: string): Locator {
    return this.page.getByTestId(testId);
  }

  /** The dialog, sheet or menu that is open. */
  get overlay(): Locator {
    return this.page.locator('[role="dialog"], [role="alertdialog"], [role="menu"]');
  }

  /** Asserts that axe finds no violations in any appearance, and that nothing overflows the narrowest screen. */
  async check(label: string): Promise<void> {
    const { page } = this;
    await expect(page.locator('main')).toBeAttached();
    for (const appearance of this.#appearances) {
      await this.#show(appearance);
      const { size, colorScheme } = appearance;
      const message = `${label}, ${size.width} wide, ${colorScheme}`;
      expect.soft(await findViolations(page), message).toEqual([]);
    }
    await this.#show({ ...(this.#current ?? narrowLight), size: narrow });
    await expect.soft.poll(() => findOverflow(page), `${label}, overflow`).toEqual([]);
  }

  /** Changes the appearance. Each change takes a layout of the page, so it changes only what differs. */
  async #show(appearance: Appearance): Promise<void> {
    const { size, colorScheme } = appearance;
    if (colorScheme !== this.#current?.colorScheme) await this.page.emulateMedia({ colorScheme });
    if (size !== (this.#current?.size ?? narrow)) await this.page.setViewportSize(size);
    this.#current = appearance;
  }

  /** Opens an overlay with `open`, checks it, and closes it. */
  async checkOverlay(label: string, open: () => Promise<void>): Promise<void> {
    await open();
    await expect(this.overlay).toBeVisible();
    await this.check(label);
    await this.closeOverlay();
  }

  /** Closes the overlay. */
  async closeOverlay(): Promise<void> {
    await expect(this.overlay).toBeVisible();
    await this.page.keyboard.press('Escape');
    await expect(this.overlay).toHaveCount(0);
  }

  /** Opens a menu and chooses an item. */
  async chooseMenuItem(opener: Locator, item: number): Promise<void> {
    await opener.click();
    const items = this.page.locator('[role="menuitem"], [role="menuitemcheckbox"]');
    await items.nth(item).click();
  }
}

/** Returns the elements that overflow the screen, except within horizontal scrollers. */
function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    const isHorizontalScroller = (element: Element) => {
      // Maps pan in every direction and are clipped by their frame.
      if (element.classList.contains('leaflet-container')) return true;
      const { overflowX, overflowY } = getComputedStyle(element);
      return overflowX === 'auto' && overflowY === 'hidden';
    };
    const overflowing = scrollWidth > clientWidth ? ['the page'] : [];
    const visit = (element: Element) => {
      if (element.ariaHidden === 'true') return;
      const { left, right, width, height } = element.getBoundingClientRect();
      if (width > 1 && height > 1 && (left < -1 || right > clientWidth + 1)) {
        overflowing.push((element.cloneNode(false) as Element).outerHTML);
      }
      if (element instanceof SVGElement || isHorizontalScroller(element)) return;
      for (const child of element.children) visit(child);
    };
    visit(document.body);
    return overflowing;
  });
}

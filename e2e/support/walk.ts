import { expect, type Locator, type Page } from '@playwright/test';
import { violationsOn } from './axe.ts';

/** Width of the narrowest supported screen, in pixels. */
const narrowest = 360;
export const narrow = { width: 390, height: 844 };
const wide = { width: 1280, height: 900 };

type Look = { readonly size: typeof narrow; readonly colorScheme: 'light' | 'dark' };
type Direction = {
  readonly name: string;
  readonly locale: string;
  readonly language: 'en' | 'ar';
  /** `npm test` uses the first. */
  readonly looks: readonly Look[];
};
const narrowLight: Look = { size: narrow, colorScheme: 'light' };
const wideDark: Look = { size: wide, colorScheme: 'dark' };

/**
 * Everything is checked narrow and wide, in light and dark, from left to right and from right to left: `npm test`
 * uses narrow and light in one walk, wide and dark in the other; `PAGES_LOOKS=all` both in both.
 */
export const walks: readonly Direction[] = [
  {
    name: 'from left to right',
    locale: 'en-GB',
    language: 'en',
    looks: [narrowLight, wideDark],
  },
  {
    name: 'from right to left',
    locale: 'ar',
    language: 'ar',
    looks: [wideDark, narrowLight],
  },
];

/**
 * Walks through the app and runs axe at every stop, narrow and wide; then checks that nothing reaches beyond the
 * edges of the narrowest screen.
 */
export class Walk {
  readonly page: Page;
  readonly #looks: readonly Look[];

  constructor(page: Page, looks: readonly Look[]) {
    this.page = page;
    this.#looks = process.env.PAGES_LOOKS === 'all' ? looks : looks.slice(0, 1);
  }

  id(testId: string): Locator {
    return this.page.getByTestId(testId);
  }

  /** The overlay over the page. */
  get above(): Locator {
    return this.page.locator('[role="dialog"], [role="alertdialog"], [role="menu"]');
  }

  /** Expects no violations on any screen, and nothing beyond the edges of the narrowest. */
  async look(what: string): Promise<void> {
    const { page } = this;
    await expect(page.locator('main')).toBeAttached();
    for (const { size, colorScheme } of this.#looks) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(size);
      const which = `${what}, ${size.width} wide, ${colorScheme}`;
      expect.soft(await violationsOn(page), which).toEqual([]);
    }
    await page.setViewportSize({ ...narrow, width: narrowest });
    await expect.soft.poll(() => beyond(page), `${what}, beyond the screen`).toEqual([]);
    await page.setViewportSize(narrow);
  }

  /** Opens an overlay, checks it, and closes it. */
  async over(what: string, open: () => Promise<void>): Promise<void> {
    await open();
    await expect(this.above).toBeVisible();
    await this.look(what);
    await this.close();
  }

  /** Closes the overlay. */
  async close(): Promise<void> {
    await expect(this.above).toBeVisible();
    await this.page.keyboard.press('Escape');
    await expect(this.above).toHaveCount(0);
  }

  /** Opens a menu and chooses an item. */
  async choose(opener: Locator, item: number): Promise<void> {
    await opener.click();
    const items = this.page.locator('[role="menuitem"], [role="menuitemcheckbox"]');
    await items.nth(item).click();
  }
}

/** Elements beyond the screen's edges, except within horizontal scrollers. */
function beyond(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    const isSideways = (element: Element) => {
      // A map is panned in every direction, and clipped by its frame.
      if (element.classList.contains('leaflet-container')) return true;
      const { overflowX, overflowY } = getComputedStyle(element);
      return overflowX === 'auto' && overflowY === 'hidden';
    };
    const found = scrollWidth > clientWidth ? ['the page'] : [];
    const visit = (element: Element) => {
      if (element.ariaHidden === 'true') return;
      const { left, right, width, height } = element.getBoundingClientRect();
      if (width > 1 && height > 1 && (left < -1 || right > clientWidth + 1)) {
        found.push((element.cloneNode(false) as Element).outerHTML);
      }
      if (element instanceof SVGElement || isSideways(element)) return;
      for (const child of element.children) visit(child);
    };
    visit(document.body);
    return found;
  });
}

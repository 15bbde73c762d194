import { expect, type Locator, type Page } from '@playwright/test';
import { violationsOn } from './axe.ts';

/** Pixels of the narrowest screen there is. */
const narrowest = 360;
export const narrow = { width: 390, height: 844 };
const wide = { width: 1280, height: 900 };

type Look = { readonly size: typeof narrow; readonly colorScheme: 'light' | 'dark' };
type Direction = {
  readonly name: string;
  readonly locale: string;
  readonly language: 'en' | 'ar';
  /** The first is that of `npm test`. */
  readonly looks: readonly Look[];
};
const narrowLight: Look = { size: narrow, colorScheme: 'light' };
const wideDark: Look = { size: wide, colorScheme: 'dark' };

/**
 * Everything is seen narrow and wide, in light and dark, from left to right and from right to left: in `npm test`
 * narrow and light on the one walk, wide and dark on the other; with `PAGES_LOOKS=all` both on both.
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
 * Somebody going through the app, with axe looking at every stop of theirs: wide and narrow, and again as narrow
 * as a screen can be, where nothing may reach beyond its edges.
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

  /** What is open over the page. */
  get above(): Locator {
    return this.page.locator('[role="dialog"], [role="alertdialog"], [role="menu"]');
  }

  /** Nothing to complain of, whatever the screen, and on the narrowest nothing beyond its edges. */
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

  /** Opens something over the page, looks at it, and closes it. */
  async over(what: string, open: () => Promise<void>): Promise<void> {
    await open();
    await expect(this.above).toBeVisible();
    await this.look(what);
    await this.close();
  }

  /** Leaves what is open over the page. */
  async close(): Promise<void> {
    await expect(this.above).toBeVisible();
    await this.page.keyboard.press('Escape');
    await expect(this.above).toHaveCount(0);
  }

  /** Opens a menu and chooses from it. */
  async choose(opener: Locator, item: number): Promise<void> {
    await opener.click();
    const items = this.page.locator('[role="menuitem"], [role="menuitemcheckbox"]');
    await items.nth(item).click();
  }
}

/** What is read or pressed beyond the screen's edges, other than in what is made to be moved sideways. */
function beyond(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    const isSideways = (element: Element) => {
      // A map is moved in every direction, and cut at its frame.
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

import { expect, type Locator, type Page } from '@playwright/test';

/** Maximum tab stops on the way to an element. */
const MOST_STOPS = 120;

/** The focused element, and why its focus is not visible. */
type Stop = { readonly is: string; readonly problem: string | null };

/** A keyboard-only user who watches the focus. */
export class Keyboard {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Presses a key `times` times. */
  async press(key: string, times = 1): Promise<void> {
    for (let time = 0; time < times; time += 1) await this.#page.keyboard.press(key);
  }

  type(text: string): Promise<void> {
    return this.#page.keyboard.type(text);
  }

  /** Moves the focus to an element. The focus must be visible at every stop on the way. */
  async to(wanted: Locator, key: 'Tab' | 'Shift+Tab' | 'ArrowRight' = 'Tab'): Promise<void> {
    await expect(wanted).toBeVisible();
    const passed: string[] = [];
    for (let stops = 0; stops < MOST_STOPS; stops += 1) {
      if (await this.#isAt(wanted)) {
        await this.expectSeen();
        return;
      }
      await this.press(key);
      passed.push((await this.expectSeen({ unlessNone: true })).is);
    }
    throw new Error(`${wanted} is not among what ${key} leads to:\n${passed.join('\n')}`);
  }

  /** Moves the focus to an element and presses a key. */
  async activate(wanted: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
    await this.to(wanted);
    await this.press(key);
  }

  /** Expects that the focus has moved there without a key. */
  async expectAt(wanted: Locator): Promise<void> {
    await expect(wanted).toBeFocused();
    await this.expectSeen();
  }

  /** Expects a focused element on the screen with a visible focus indicator. */
  async expectSeen({ unlessNone = false } = {}): Promise<Stop> {
    let seen: Stop = { is: 'nothing', problem: 'nothing has the focus' };
    await expect(async () => {
      seen = await this.#look();
      if (unlessNone && seen.is === 'nothing') return;
      expect(seen.problem, seen.is).toBeNull();
    }).toPass({ timeout: 5000 });
    return seen;
  }

  #isAt(wanted: Locator): Promise<boolean> {
    return wanted.evaluate((element) => element === document.activeElement);
  }

  #look(): Promise<Stop> {
    return this.#page.evaluate(() => {
      const at = document.activeElement;
      if (!at || at === document.body) {
        return { is: 'nothing', problem: 'nothing has the focus' };
      }
      const is = at.outerHTML.slice(0, 160);
      // A checkbox may be drawn by an element beside or around it.
      const ticked = at.matches('input:is([type="checkbox"], [type="radio"])');
      const drawn = ticked
        ? [at, at.nextElementSibling, at.parentElement, at.closest('label')]
        : [at];
      const shown = drawn.filter((each): each is Element => each !== null);
      const onScreen = shown.some((each) => {
        const { width, height, top, left, bottom, right } = each.getBoundingClientRect();
        const inside = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
        return width > 4 && height > 4 && inside;
      });
      // It is at least partly uncovered: fixed bars do not move when pages scroll.
      const { left, top, width, height } = at.getBoundingClientRect();
      const free = [0.1, 0.5, 0.9].some((x) =>
        [0.1, 0.5, 0.9].some((y) => {
          const above = document.elementFromPoint(left + width * x, top + height * y);
          return above && shown.some((each) => each.contains(above));
        }),
      );
      if (onScreen && !free) return { is, problem: 'what has the focus is under something else' };
      if (!onScreen) return { is, problem: 'what has the focus is not on the screen' };
      // Headings and overlays receive the focus from code, as a place to read on, and need no ring.
      if (
        at.matches('h1, h2, [role="menu"], [role="dialog"], [role="alertdialog"], [tabindex="-1"]')
      )
        return { is, problem: null };
      const field = at.matches('input:not([type="checkbox"], [type="radio"]), textarea, select');
      const frames = [...shown, ...at.children, at.closest('.field-frame, .search-frame')];
      const ringed = frames.some((each) =>
        [null, '::before', '::after'].some((part) => {
          if (!each) return false;
          const { outlineStyle, outlineWidth } = getComputedStyle(each, part);
          return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
        }),
      );
      const lit = at.matches('[role^="menuitem"][data-highlighted]');
      return {
        is,
        problem: ringed || lit || field ? null : 'one does not see that it has the focus',
      };
    });
  }
}

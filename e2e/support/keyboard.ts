import { expect, type Locator, type Page } from '@playwright/test';

/** Maximum tab stops on the way to an element. */
const MAX_TAB_STOPS = 120;

/** The focused element, and why its focus is not visible. */
type FocusState = { readonly element: string; readonly problem: string | null };

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
  async moveTo(target: Locator, key: 'Tab' | 'Shift+Tab' | 'ArrowRight' = 'Tab'): Promise<void> {
    await expect(target).toBeVisible();
    const visited: string[] = [];
    for (let stops = 0; stops < MAX_TAB_STOPS; stops += 1) {
      if (await this.#isFocused(target)) {
        await this.expectVisibleFocus();
        return;
      }
      await this.press(key);
      visited.push((await this.expectVisibleFocus({ unlessNone: true })).element);
    }
    throw new Error(`${target} is not among what ${key} leads to:\n${visited.join('\n')}`);
  }

  /** Moves the focus to an element and presses a key. */
  async activate(target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
    await this.moveTo(target);
    await this.press(key);
  }

  /** Expects that the focus has moved there without a key. */
  async expectFocused(target: Locator): Promise<void> {
    await expect(target).toBeFocused();
    await this.expectVisibleFocus();
  }

  /** Expects a focused element on the screen with a visible focus indicator. */
  async expectVisibleFocus({ unlessNone: allowNone = false } = {}): Promise<FocusState> {
    let state: FocusState = { element: 'nothing', problem: 'nothing has the focus' };
    await expect(async () => {
      state = await this.#inspectFocus();
      if (allowNone && state.element === 'nothing') return;
      expect(state.problem, state.element).toBeNull();
    }).toPass({ timeout: 5000 });
    return state;
  }

  #isFocused(target: Locator): Promise<boolean> {
    return target.evaluate((element) => element === document.activeElement);
  }

  #inspectFocus(): Promise<FocusState> {
    return this.#page.evaluate(() => {
      const focused = document.activeElement;
      if (!focused || focused === document.body) {
        return { element: 'nothing', problem: 'nothing has the focus' };
      }
      const element = focused.outerHTML.slice(0, 160);
      // A checkbox may be drawn by an element beside or around it.
      const isToggle = focused.matches('input:is([type="checkbox"], [type="radio"])');
      const candidates = isToggle
        ? [focused, focused.nextElementSibling, focused.parentElement, focused.closest('label')]
        : [focused];
      const visibleParts = candidates.filter((each): each is Element => each !== null);
      const isOnScreen = visibleParts.some((each) => {
        const { width, height, top, left, bottom, right } = each.getBoundingClientRect();
        const isInViewport = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
        return width > 4 && height > 4 && isInViewport;
      });
      // It is at least partly uncovered: fixed bars do not move when pages scroll.
      const { left, top, width, height } = focused.getBoundingClientRect();
      const isUncovered = [0.1, 0.5, 0.9].some((x) =>
        [0.1, 0.5, 0.9].some((y) => {
          const topElement = document.elementFromPoint(left + width * x, top + height * y);
          return topElement && visibleParts.some((each) => each.contains(topElement));
        }),
      );
      if (isOnScreen && !isUncovered)
        return { element, problem: 'what has the focus is under something else' };
      if (!isOnScreen) return { element, problem: 'what has the focus is not on the screen' };
      // Headings and overlays receive the focus from code, as a place to read on, and need no ring.
      if (
        focused.matches(
          'h1, h2, [role="menu"], [role="dialog"], [role="alertdialog"], [tabindex="-1"]',
        )
      )
        return { element, problem: null };
      const isTextField = focused.matches(
        'input:not([type="checkbox"], [type="radio"]), textarea, select',
      );
      const ringCandidates = [
        ...visibleParts,
        ...focused.children,
        focused.closest('.field-frame, .search-frame'),
      ];
      const hasRing = ringCandidates.some((each) =>
        [null, '::before', '::after'].some((part) => {
          if (!each) return false;
          const { outlineStyle, outlineWidth } = getComputedStyle(each, part);
          return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
        }),
      );
      const isHighlighted = focused.matches('[role^="menuitem"][data-highlighted]');
      return {
        element,
        problem:
          hasRing || isHighlighted || isTextField ? null : 'one does not see that it has the focus',
      };
    });
  }
}

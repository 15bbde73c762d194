import { expect, type Locator, type Page } from '@playwright/test';

/** Maximum number of key presses it may take to reach an element. */
const MAX_TAB_STOPS = 120;

/** The focused element as HTML, and why its focus isn't visible (null if it is). */
type FocusState = { readonly element: string; readonly problem: string | null };

/** Operates a page with the keyboard only, and asserts that the focus stays visible. */
export class Keyboard {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Presses a key, once or several times. */
  async press(key: string, times = 1): Promise<void> {
    for (let count = 0; count < times; count += 1) await this.#page.keyboard.press(key);
  }

  type(text: string): Promise<void> {
    return this.#page.keyboard.type(text);
  }

  /** Presses a key until an element has focus, and asserts that the focus is visible after every press. */
  async moveTo(target: Locator, key: 'Tab' | 'Shift+Tab' | 'ArrowRight' = 'Tab'): Promise<void> {
    await expect(target).toBeVisible();
    const visited: string[] = [];
    for (let stops = 0; stops < MAX_TAB_STOPS; stops += 1) {
      if (await this.#isFocused(target)) {
        await this.expectVisibleFocus();
        return;
      }
      await this.press(key);
      visited.push((await this.expectVisibleFocus({ allowNone: true })).element);
    }
    throw new Error(`${key} does not reach ${target}; it visits:\n${visited.join('\n')}`);
  }

  /** Moves the focus to an element and presses a key. */
  async activate(target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
    await this.moveTo(target);
    await this.press(key);
  }

  /** Asserts that the app has moved the focus to an element. */
  async expectFocused(target: Locator): Promise<void> {
    await expect(target).toBeFocused();
    await this.expectVisibleFocus();
  }

  /** Asserts that the focused element is on the screen and has a visible focus indicator. */
  async expectVisibleFocus({ allowNone = false } = {}): Promise<FocusState> {
    let state: FocusState = { element: 'nothing', problem: 'no element has focus' };
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
        return { element: 'nothing', problem: 'no element has focus' };
      }
      const element = focused.outerHTML.slice(0, 160);
      // A checkbox or radio button may be drawn by a sibling or an ancestor.
      const isToggle = focused.matches('input:is([type="checkbox"], [type="radio"])');
      const candidates = isToggle
        ? [focused, focused.nextElementSibling, focused.parentElement, focused.closest('label')]
        : [focused];
      const visibleParts = candidates.filter((each): each is Element => each !== null);
      const isOnScreen = visibleParts.some((part) => {
        const { width, height, top, left, bottom, right } = part.getBoundingClientRect();
        const isInViewport = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
        return width > 4 && height > 4 && isInViewport;
      });
      // A fixed bar doesn't scroll with the page, so it may cover the whole element.
      const { left, top, width, height } = focused.getBoundingClientRect();
      const isUncovered = [0.1, 0.5, 0.9].some((x) =>
        [0.1, 0.5, 0.9].some((y) => {
          const topElement = document.elementFromPoint(left + width * x, top + height * y);
          return topElement && visibleParts.some((each) => each.contains(topElement));
        }),
      );
      if (isOnScreen && !isUncovered) return { element, problem: 'the focused element is covered' };
      if (!isOnScreen) return { element, problem: 'the focused element is off screen' };
      // Headings and overlays are focused programmatically, to mark where reading continues, and need no focus ring.
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
      const hasRing = ringCandidates.some((candidate) =>
        [null, '::before', '::after'].some((part) => {
          if (!candidate) return false;
          const { outlineStyle, outlineWidth } = getComputedStyle(candidate, part);
          return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
        }),
      );
      const isHighlighted = focused.matches('[role^="menuitem"][data-highlighted]');
      return {
        element,
        problem: hasRing || isHighlighted || isTextField ? null : 'the focus is not visible',
      };
    });
  }
}

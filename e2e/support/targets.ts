/** Measures the real size of touch targets, in the page itself. */
import type { Page } from '@playwright/test';

/** Logical pixels (Apple's Human Interface Guidelines, and WCAG 2.2, 2.5.5). */
const TARGET = 44;

/** Interactive elements. */
const targets = [
  ...['a[href]', 'button', 'select', 'textarea', 'summary', 'input:not([type="hidden"])'],
  ...['button', 'tab', 'switch', 'slider', 'option', 'menuitem', 'menuitemradio', 'treeitem'].map(
    (role) => `[role="${role}"]`,
  ),
].join(', ');

/**
 * Targets smaller than the minimum. Measures where a press arrives: including the label, and the margin that a
 * target has around its drawing. Links within a sentence are as high as their line (2.5.5, inline).
 * Elements on a map scale with its zoom. Scrolls to candidates.
 */
export function smallTargetsOf(page: Page): Promise<string[]> {
  return page.evaluate(
    ({ selector, least }) => {
      /** Half a pixel is lost to rounding. */
      const enough = least - 0.5;
      const found = new Set<string>();
      const isInSentence = (element: Element) =>
        element.localName === 'a' &&
        getComputedStyle(element).display === 'inline' &&
        element.parentElement?.textContent?.trim() !== element.textContent?.trim();
      const isDisabled = (element: Element) =>
        element.matches(':disabled, [aria-disabled="true"]') || element.closest('[inert]') !== null;
      const isOnMap = (element: Element) => element instanceof SVGElement;

      for (const element of document.querySelectorAll<HTMLElement>(selector)) {
        if (isDisabled(element) || isInSentence(element) || isOnMap(element)) continue;
        if (!element.checkVisibility()) continue;
        const label = element.closest('label') ?? (element as HTMLInputElement).labels?.[0];
        const drawn = element.getBoundingClientRect();
        // A visually hidden field is pressed through its label.
        const isUnseen = drawn.width <= 1 || drawn.height <= 1;
        if (isUnseen && !label) continue;
        const shown = isUnseen ? (label as HTMLElement) : element;
        const arrives = (x: number, y: number) => {
          const hit = document.elementFromPoint(x, y);
          return hit !== null && (shown.contains(hit) || label?.contains(hit) === true);
        };
        const isWide = (box: DOMRect) => box.width >= enough;
        const isHigh = (box: DOMRect) => box.height >= enough;
        const box = shown.getBoundingClientRect();
        if (isWide(box) && isHigh(box)) continue;
        shown.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
        const now = shown.getBoundingClientRect();
        const [x, y] = [now.left + now.width / 2, now.top + now.height / 2];
        // Something covers it: it cannot be pressed now, whatever its size.
        if (!arrives(x, y)) continue;
        const reach = (dx: number, dy: number) => {
          let far = 0;
          while (far < least && arrives(x + dx * (far + 1), y + dy * (far + 1))) far += 1;
          return far;
        };
        const width = isWide(now) ? now.width : reach(-1, 0) + reach(1, 0) + 1;
        const height = isHigh(now) ? now.height : reach(0, -1) + reach(0, 1) + 1;
        if (width >= enough && height >= enough) continue;
        const what = element.getAttribute('aria-label') ?? element.textContent ?? '';
        const name = typeof element.className === 'string' ? `.${element.className}` : '';
        found.add(
          `${Math.round(width)} × ${Math.round(height)}: <${element.localName}${name}> “${what.trim().slice(0, 40)}”`,
        );
      }
      return [...found];
    },
    { selector: targets, least: TARGET },
  );
}

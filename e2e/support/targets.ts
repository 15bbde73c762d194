/** How large what a finger is to hit really is, measured in the page itself. */
import type { Page } from '@playwright/test';

/** Logical pixels (Apple's Human Interface Guidelines, and WCAG 2.2, 2.5.5). */
const TARGET = 44;

/** Whatever is pressed, moved, chosen or written in. */
const targets = [
  ...['a[href]', 'button', 'select', 'textarea', 'summary', 'input:not([type="hidden"])'],
  ...['button', 'tab', 'switch', 'slider', 'option', 'menuitem', 'menuitemradio', 'treeitem'].map(
    (role) => `[role="${role}"]`,
  ),
].join(', ');

/**
 * What is smaller than a finger wants. Counted is where a press arrives: with the label, and with the room that
 * a target has around what is drawn of it. Links within a sentence are as high as their line (2.5.5, inline).
 * What lies on a map is as large as its owner zooms it. Scrolls to what looks small.
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
        // A field that is only there for those who listen is hit by its label.
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
        // Something lies over it: it cannot be pressed now, however large it is.
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

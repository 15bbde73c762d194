/** Measures the effective size of touch targets with a script that runs in the page. */
import type { Page } from '@playwright/test';

/** The minimum size in CSS pixels (Apple's Human Interface Guidelines, and WCAG 2.2, criterion 2.5.5). */
const MIN_TARGET_PX = 44;

/** Selector for interactive elements. */
const interactiveElements = [
  ...['a[href]', 'button', 'select', 'textarea', 'summary', 'input:not([type="hidden"])'],
  ...['button', 'tab', 'switch', 'slider', 'option', 'menuitem', 'menuitemradio', 'treeitem'].map(
    (role) => `[role="${role}"]`,
  ),
].join(', ');

/**
 * Returns the touch targets that are smaller than the minimum. A target's effective size includes its label, and any
 * invisible margin that also reacts to a press. Links within a sentence (criterion 2.5.5, inline) and elements on a
 * map, which scale with the zoom, are exempt. Scrolls the page.
 */
export function findSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate(
    ({ selector, minSize }) => {
      // Tolerate half a pixel of rounding.
      const acceptedSize = minSize - 0.5;
      const smallTargets = new Set<string>();
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
        const elementBox = element.getBoundingClientRect();
        // A visually hidden field is pressed through its label.
        const isVisuallyHidden = elementBox.width <= 1 || elementBox.height <= 1;
        if (isVisuallyHidden && !label) continue;
        const visibleElement = isVisuallyHidden ? (label as HTMLElement) : element;
        const isHit = (x: number, y: number) => {
          const hit = document.elementFromPoint(x, y);
          return hit !== null && (visibleElement.contains(hit) || label?.contains(hit) === true);
        };
        const isWide = (box: DOMRect) => box.width >= acceptedSize;
        const isTall = (box: DOMRect) => box.height >= acceptedSize;
        const box = visibleElement.getBoundingClientRect();
        if (isWide(box) && isTall(box)) continue;
        visibleElement.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
        const scrolledBox = visibleElement.getBoundingClientRect();
        const [x, y] = [
          scrolledBox.left + scrolledBox.width / 2,
          scrolledBox.top + scrolledBox.height / 2,
        ];
        // A covered target can't be pressed now, regardless of its size.
        if (!isHit(x, y)) continue;
        const measureReach = (dx: number, dy: number) => {
          let distance = 0;
          while (distance < minSize && isHit(x + dx * (distance + 1), y + dy * (distance + 1)))
            distance += 1;
          return distance;
        };
        const width = isWide(scrolledBox)
          ? scrolledBox.width
          : measureReach(-1, 0) + measureReach(1, 0) + 1;
        const height = isTall(scrolledBox)
          ? scrolledBox.height
          : measureReach(0, -1) + measureReach(0, 1) + 1;
        if (width >= acceptedSize && height >= acceptedSize) continue;
        const text = element.getAttribute('aria-label') ?? element.textContent ?? '';
        const name = typeof element.className === 'string' ? `.${element.className}` : '';
        smallTargets.add(
          `${Math.round(width)} × ${Math.round(height)}: <${element.localName}${name}> “${text.trim().slice(0, 40)}”`,
        );
      }
      return [...smallTargets];
    },
    { selector: interactiveElements, minSize: MIN_TARGET_PX },
  );
}

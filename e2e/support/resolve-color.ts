import type { Page } from '@playwright/test';

/** A color of the design, as the browser computes it: what `toHaveCSS` is to be compared with. */
export function resolveColor(page: Page, property: `--${string}`): Promise<string> {
  return page.evaluate((name) => {
    const probe = document.createElement('i');
    probe.style.color = `var(${name})`;
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }, property);
}

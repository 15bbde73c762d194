import type { Page } from '@playwright/test';

/** Returns the computed value of a color token, for comparison with `toHaveCSS`. */
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

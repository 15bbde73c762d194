import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** An accessibility violation found by axe. */
export type Violation = { readonly id: string; readonly help: string; readonly where: string[] };

/**
 * Violations of WCAG 2.2 AA and of axe's best practices.
 * @param only the rules to run; all by default
 */
export async function violationsOn(page: Page, only?: readonly string[]): Promise<Violation[]> {
  await colorsSettle(page);
  // Our pages have no frames, and legacy mode is faster: it needs no second page to merge the results.
  // Details of passed rules are costly and unused. No rule needs style sheets as text.
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], preload: false });
  if (only) axe.withRules([...only]);
  const { violations } = await axe.analyze();
  // A menu belongs to the button that opened it, wherever it is drawn.
  const ofMenu = (html: string) => html.includes('role="menu"');
  const real = violations.filter(
    ({ id, nodes }) => id !== 'region' || !nodes.every(({ html }) => ofMenu(html)),
  );
  return real.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.map(({ html }) => html),
  }));
}

/** Waits for running transitions: the contrast of a color in transition is meaningless. */
async function colorsSettle(page: Page): Promise<void> {
  const begun = await page.evaluateHandle(() =>
    document.getAnimations().filter((each) => each instanceof CSSTransition),
  );
  // Polls the running transitions: `finished` may never settle if the element left the page.
  await page.waitForFunction(
    (each) => {
      const running = new Set(document.getAnimations());
      return each.every((transition) => !running.has(transition));
    },
    begun,
    { polling: 50, timeout: 30_000 },
  );
  await begun.dispose();
}

/** Expects no violations that axe can detect. */
export async function expectNoViolations(page: Page): Promise<void> {
  expect(await violationsOn(page)).toEqual([]);
}

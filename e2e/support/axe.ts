import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** An accessibility violation found by axe. */
export type Violation = { readonly id: string; readonly help: string; readonly elements: string[] };

/**
 * Violations of WCAG 2.2 AA and of axe's best practices.
 * @param rules the rules to run; all by default
 */
export async function findViolations(page: Page, rules?: readonly string[]): Promise<Violation[]> {
  await waitForTransitions(page);
  // Our pages have no frames, and legacy mode is faster: it needs no second page to merge the results.
  // Details of passed rules are costly and unused. No rule needs style sheets as text.
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], preload: false });
  if (rules) axe.withRules([...rules]);
  const { violations } = await axe.analyze();
  // A menu belongs to the button that opened it, wherever it is drawn.
  const isMenu = (html: string) => html.includes('role="menu"');
  const relevantViolations = violations.filter(
    ({ id, nodes }) => id !== 'region' || !nodes.every(({ html }) => isMenu(html)),
  );
  return relevantViolations.map(({ id, help, nodes }) => ({
    id,
    help,
    elements: nodes.map(({ html }) => html),
  }));
}

/** Waits for running transitions: the contrast of a color in transition is meaningless. */
async function waitForTransitions(page: Page): Promise<void> {
  const transitions = await page.evaluateHandle(() =>
    document.getAnimations().filter((each) => each instanceof CSSTransition),
  );
  // Polls the running transitions: `finished` may never settle if the element left the page.
  await page.waitForFunction(
    (each) => {
      const running = new Set(document.getAnimations());
      return each.every((transition) => !running.has(transition));
    },
    transitions,
    { polling: 50, timeout: 30_000 },
  );
  await transitions.dispose();
}

/** Expects no violations that axe can detect. */
export async function expectNoViolations(page: Page): Promise<void> {
  expect(await findViolations(page)).toEqual([]);
}

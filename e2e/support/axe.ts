import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** What stands in the way of a screen reader, or of tired eyes. */
export type Violation = { readonly id: string; readonly help: string; readonly where: string[] };

/**
 * What axe finds (WCAG 2.2 AA and its own advice).
 * @param only the rules to look at; all of them unless given
 */
export async function violationsOn(page: Page, only?: readonly string[]): Promise<Violation[]> {
  await coloursSettle(page);
  // No page of ours has frames: without a second page to gather their findings it is quicker.
  // Details of what is in order are costly, and nobody reads them. No rule that is run asks for style sheets as text.
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

/** Waits for the transitions that run now: colours that are just changing have no contrast yet. */
async function coloursSettle(page: Page): Promise<void> {
  const begun = await page.evaluateHandle(() =>
    document.getAnimations().filter((each) => each instanceof CSSTransition),
  );
  // The page is asked which still run: of one whose element left it meanwhile, `finished` may never tell.
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

/** Nothing on the page stands in the way of a screen reader, as far as axe can tell. */
export async function expectNoViolations(page: Page): Promise<void> {
  expect(await violationsOn(page)).toEqual([]);
}

import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** An accessibility violation found by axe. */
export type Violation = { readonly id: string; readonly help: string; readonly elements: string[] };

/**
 * Returns the violations of WCAG 2.2 AA and of axe's best practices.
 * @param rules the rules to run; all by default
 */
export async function findViolations(page: Page, rules?: readonly string[]): Promise<Violation[]> {
  await waitForTransitions(page);
  // The builder evaluates axe's source twice per analysis. If the document already has axe, pass a no-op source.
  const hasAxe = await page.evaluate(() => 'axe' in window);
  // Legacy mode is faster: it doesn't open a second page to merge results from frames, which our pages don't have. Skip
  // the details of passed rules, which are expensive and unused, and the style sheets' text, which no rule needs.
  const axe = new AxeBuilder({ page, ...(hasAxe && { axeSource: 'void 0' }) })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], preload: false });
  if (rules) axe.withRules([...rules]);
  const fading = await markFading(page);
  if (fading > 0) axe.exclude(`[${FADING_ATTRIBUTE}]`);
  const { violations } = await axe.analyze();
  if (fading > 0) await unmarkFading(page);
  // A menu belongs to the button that opened it, so it may be rendered outside all landmarks.
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

/** Attribute that marks elements that fade as the page scrolls. */
const FADING_ATTRIBUTE = 'data-test-fading';

/**
 * Marks elements in the middle of a scroll-driven animation, because the contrast of a fading color is meaningless.
 * @returns the number of marked elements
 */
function markFading(page: Page): Promise<number> {
  return page.evaluate((mark) => {
    let marked = 0;
    for (const { timeline, effect } of document.getAnimations()) {
      if (!(effect instanceof KeyframeEffect) || timeline instanceof DocumentTimeline) continue;
      const progress = effect.getComputedTiming().progress ?? 0;
      if (progress === 0 || progress === 1) continue;
      effect.target?.setAttribute(mark, '');
      marked += 1;
    }
    return marked;
  }, FADING_ATTRIBUTE);
}

function unmarkFading(page: Page): Promise<void> {
  return page.evaluate((mark) => {
    for (const element of document.querySelectorAll(`[${mark}]`)) element.removeAttribute(mark);
  }, FADING_ATTRIBUTE);
}

/** Waits for running transitions, because the contrast of a color in transition is meaningless. */
async function waitForTransitions(page: Page): Promise<void> {
  const transitions = await page.evaluateHandle(() =>
    document.getAnimations().filter((animation) => animation instanceof CSSTransition),
  );
  // The `finished` promise may never settle if the element was removed, so poll the running transitions instead.
  await page.waitForFunction(
    (startedTransitions) => {
      const runningAnimations = new Set(document.getAnimations());
      return startedTransitions.every((transition) => !runningAnimations.has(transition));
    },
    transitions,
    { polling: 50, timeout: 30_000 },
  );
  await transitions.dispose();
}

/** Asserts that axe detects no violations. */
export async function expectNoViolations(page: Page): Promise<void> {
  expect(await findViolations(page)).toEqual([]);
}

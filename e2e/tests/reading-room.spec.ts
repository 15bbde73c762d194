/**
 * Tests how much space a recording's page leaves for reading, and the marks on its waveform. Uses the workbench's
 * recordings.
 */
import { expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from '../support/axe.ts';
import { Stack } from '../support/stack.ts';
import { findSmallTargets } from '../support/touch-targets.ts';

let stack: Stack;
test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
test.beforeAll(async () => {
  stack = await Stack.start();
});
test.afterAll(() => stack?.stop());

/** Opens a conversation with marks, in paragraphs of three or four lines. */
async function open(page: Page): Promise<void> {
  const address = encodeURIComponent('/pages/fileDetail?id=two');
  await page.goto(`${stack.url}/pages/workbench?at=${address}`);
  await expect(page.getByTestId('paragraph').first()).toBeVisible();
}

/** Scrolls in small steps, and returns the maximum number of complete paragraphs between the tabs and the player. */
function countReadable(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const find = (selector: string) => document.querySelector(selector) as HTMLElement;
    const scroller = find('.detail-scroll');
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const counts: number[] = [];
    for (let top = 400; top < 1400; top += 20) {
      scroller.scrollTop = top;
      await nextFrame();
      await nextFrame();
      const start = find('.detail-tab-bar').getBoundingClientRect().bottom;
      const end = find('.player').getBoundingClientRect().top;
      const readable = [...document.querySelectorAll('[data-testid="paragraph"]')].filter(
        (paragraph) => {
          const head = paragraph.querySelector('.paragraph-time')?.getBoundingClientRect();
          const text = paragraph.querySelector('.paragraph-text')?.getBoundingClientRect();
          return head && text && head.top >= start && text.bottom <= end;
        },
      );
      counts.push(readable.length);
    }
    return Math.max(...counts);
  });
}

test('five paragraphs are readable while scrolling, and all controls stay', async ({ page }) => {
  await open(page);
  const controls = page.getByTestId('player').locator('.player-keys').getByRole('button');
  const controlCount = await controls.count();
  expect(await countReadable(page)).toBeGreaterThanOrEqual(5);
  await expect(page.locator('.detail')).toHaveAttribute('data-reading', 'true');
  await expect(controls).toHaveCount(controlCount);
  for (const control of await controls.all()) await expect(control).toBeInViewport({ ratio: 1 });
  expect(await findSmallTargets(page)).toEqual([]);
  await page.evaluate(() => document.querySelector('.detail-scroll')?.scrollTo(0, 0));
  await expect(page.locator('.detail')).not.toHaveAttribute('data-reading');
});

test('marks on the waveform have a legend, and are accessible by touch, keyboard and screen reader', async ({
  page,
}) => {
  await open(page);
  const player = page.getByTestId('player');
  await expect(player).toHaveAttribute('data-status', 'ready');
  await expect(page.getByTestId('wave-legend').getByRole('listitem')).toHaveText([
    'Markers',
    'Highlights',
  ]);
  const marks = page
    .getByRole('group', { name: 'Markers and highlights on the waveform' })
    .getByRole('button');
  await expect(marks.nth(2)).toHaveAccessibleName(/^(Markers|Highlights): \d+:\d\d$/);
  const positionAt = async () => Math.round(Number(await player.getAttribute('data-position')));
  const readTime = async (index: number) => {
    const name = (await marks.nth(index).getAttribute('aria-label')) ?? '';
    const [minutes = 0, seconds = 0] = (/(\d+):(\d+)$/.exec(name) ?? []).slice(1).map(Number);
    return minutes * 60 + seconds;
  };
  // The finger touches the waveform next to the mark, and far below it.
  const third = await marks.nth(2).boundingBox();
  const wave = await player.getByRole('slider').boundingBox();
  if (!third || !wave) throw new Error('the marks are not visible');
  await page.touchscreen.tap(third.x + 6, wave.y + 40);
  await expect
    .poll(async () => Math.abs((await positionAt()) - (await readTime(2))))
    .toBeLessThan(2);

  await player.getByRole('slider').focus();
  await page.keyboard.press('Tab');
  await expect(marks.first()).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  const index = (await marks.count()) - 2;
  await expect(marks.nth(index)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect
    .poll(async () => Math.abs((await positionAt()) - (await readTime(index))))
    .toBeLessThan(2);
  await expectNoViolations(page);
});

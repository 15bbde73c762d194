/**
 * The way in, what is empty, the way to a recorder and *Me*, with what opens over them, as axe sees them:
 * narrow and wide, light and dark, and from right to left. On the narrowest screen nothing reaches beyond its
 * edge.
 */
import { writeWave } from '@linnet/audio/wave';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { violationsOn } from '../support/axe.ts';
import { Complaints } from '../support/complaints.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { ServerAccount } from '../support/server-account.ts';
import { Stack } from '../support/stack.ts';

const narrowest = 360;
const narrow = { width: 390, height: 844 };
const wide = { width: 1280, height: 900 };
const walks = [
  { name: 'from left to right', locale: 'en-GB', looks: ['light', 'dark', 'wide'] },
  { name: 'from right to left', locale: 'ar', looks: ['light'] },
] as const;
type Look = (typeof walks)[number]['looks'][number];

const complaints = new Complaints();
let stack: Stack;
let context: BrowserContext | undefined;

test.beforeAll(async () => {
  stack = await Stack.start();
});
test.afterEach(async () => {
  await context?.close();
  expect(complaints.unexpected()).toEqual([]);
});
test.afterAll(() => stack?.stop());

for (const { name, locale, looks } of walks) {
  test(`the way in, an empty library and a recorder, ${name}`, async ({ browser }) => {
    context = await browser.newContext({ viewport: narrow, locale, reducedMotion: 'reduce' });
    complaints.listenTo(context);
    const page = await context.newPage();
    const app = new LinnetApp(page, stack, 'read');
    const owner = `walker-${locale.slice(0, 2)}@example.org`;
    await ServerAccount.register(stack, owner);
    const look = (what: string) => expectGood(page, what, looks);
    const id = (testId: string) => page.getByTestId(testId);
    const close = async () => {
      await page.keyboard.press('Escape');
      await expect(
        page.locator('[role="dialog"], [role="alertdialog"], [role="menu"]'),
      ).toHaveCount(0);
    };
    /** Opens something over the page, looks, and closes it. */
    const over = async (what: string, open: () => Promise<void>) => {
      await open();
      await expect(
        page.locator('[role="dialog"], [role="alertdialog"], [role="menu"]'),
      ).toBeVisible();
      await look(what);
      await close();
    };

    await test.step('the way in', async () => {
      await app.open('/');
      await over('languages', () => id('switch-language').click());
      await id('submit').click();
      await expect(id('error').first()).toBeVisible();
      await look('sign-in with mistakes');
      for (const path of ['register', 'register/findMyPasswd']) {
        await app.open(`/pages/${path}`);
        await look(path);
        await id('submit').click();
        await expect(id('error').first()).toBeVisible();
        await look(`${path} with mistakes`);
      }
      await app.open('/');
      await look('sign-in');
      await app.signIn(owner);
    });

    await test.step('nothing there yet', async () => {
      await expect(page.locator('.empty')).toBeVisible();
      await look('files, empty');
      for (const path of ['recycleBin', 'search', 'me', 'deviceFiles']) {
        await app.open(`/pages/${path}`);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await look(`${path}, empty`);
      }
    });

    await test.step('a recorder', async () => {
      const { recorder } = stack;
      await recorder.addSession(writeWave(new Int16Array(48_000), 16_000));
      await app.open('/pages/deviceConnect');
      await look('ways');
      await recorder.faults({ bindConfirm: 'button' });
      await id('way-websocket').click();
      await expect(id('found-recorder')).toBeVisible();
      await look('found');
      await id('found-recorder').click();
      const status = (step: string) =>
        expect(id('bind-status')).toHaveAttribute('data-step', step, { timeout: 60_000 });
      await status('confirming');
      await look('binding');
      await recorder.press();
      await status('done');
      await look('bound');
      await app.open('/pages/deviceFiles');
      await expect(id('device-session').first()).toBeVisible();
      await look('on the recorder');
      await over('delete from the recorder', () => page.locator('.session-delete').first().click());
      await app.open('/pages/deviceConnect');
      await look('connected');
      await app.open('/pages/me');
      await expect(
        page.locator('[data-testid="connected"][data-status="connected"]'),
      ).toBeVisible();
      await look('me');
      await over('language', () => id('language').click());
      await over('sign out', () => id('sign-out').click());
      const unbind = page.locator('section', { has: page.locator('.recorder-card') });
      await over('unbind', () => unbind.locator('button.line').click());
      await unbind.locator('button.line').click();
      await page.getByRole('alertdialog').locator('[data-look="danger"]').click();
      await expect(page.locator('.recorder-none')).toBeVisible();
    });
  });
}

/** Nothing to complain of narrow and wide, and on the narrowest screen nothing to scroll sideways for. */
async function expectGood(page: Page, what: string, looks: readonly Look[]): Promise<void> {
  await expect(page.locator('main')).toBeAttached();
  for (const look of looks) {
    await page.emulateMedia({ colorScheme: look === 'dark' ? 'dark' : 'light' });
    await page.setViewportSize(look === 'wide' ? wide : narrow);
    const rules = look === 'dark' ? ['color-contrast'] : undefined;
    expect.soft(await violationsOn(page, rules), `${what}, ${look}`).toEqual([]);
  }
  await page.setViewportSize({ ...narrow, width: narrowest });
  const beyond = () =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.scrollingElement as Element;
      return scrollWidth - clientWidth;
    });
  await expect.soft.poll(beyond, `${what}, wider than the screen`).toBeLessThanOrEqual(0);
  await page.setViewportSize(narrow);
}

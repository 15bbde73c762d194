/** A phone with the narrowest supported screen, and checks of what it shows. */
import { interfaceLanguages, pseudoLanguage } from '@linnet/app/languages';
import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import { LinnetApp } from './linnet-app.ts';
import type { PageErrors } from './page-errors.ts';
import { findPageFaults } from './page-faults.ts';
import type { Stack } from './stack.ts';
import { findSmallTargets } from './touch-targets.ts';

const allLanguages =
  process.env.PAGES_LANGUAGES === 'all'
    ? [...interfaceLanguages.map(({ language }) => language), pseudoLanguage]
    : null;
/**
 * The languages every page is checked in: the pseudo-locale, whose words are the longest and mark text that comes from
 * no locale file; with `PAGES_LANGUAGES=all` each language. Arabic is covered by the accessibility walks.
 */
export const pageLanguages: readonly string[] = allLanguages ?? [pseudoLanguage];
/** Languages that overlays are checked in: the pseudo-locale, or all. Overlays share their components. */
export const overlayLanguages: readonly string[] = allLanguages ?? [pseudoLanguage];

export class NarrowPhone {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly app: LinnetApp;
  /** Serial of the recorder. Its last four characters are the recorder's name and may look like a word. */
  readonly #serial: string;

  private constructor(context: BrowserContext, page: Page, app: LinnetApp, serial: string) {
    this.context = context;
    this.page = page;
    this.app = app;
    this.#serial = serial;
  }

  static async open(browser: Browser, stack: Stack, pageErrors: PageErrors): Promise<NarrowPhone> {
    const context = await browser.newContext({
      viewport: { width: 360, height: 640 },
      locale: 'en-GB',
    });
    pageErrors.listenTo(context);
    const page = await context.newPage();
    const { sn } = await stack.recorder.getStatus();
    return new NarrowPhone(context, page, new LinnetApp(page, stack), sn);
  }

  /** Sets the language from the next page on. */
  async setLanguage(language: string): Promise<void> {
    await this.page.evaluate((chosen) => localStorage.setItem('language', chosen), language);
  }

  /** Expects no faults of text or layout (`faultsOf`), and no touch targets that are too small. */
  async expectNoFaults(language: string, label: string, content: string): Promise<void> {
    const { page } = this;
    expect.soft(await page.locator('.system-screen').count(), `${label}: there is none`).toBe(0);
    const userContent = `${content} ${this.#serial.slice(-4)}`;
    await expect.soft
      .poll(() => findPageFaults(page, language, userContent), { message: label })
      .toEqual([]);
    expect.soft(await findSmallTargets(page), `${label}: targets`).toEqual([]);
  }

  close(): Promise<void> {
    return this.context.close();
  }
}

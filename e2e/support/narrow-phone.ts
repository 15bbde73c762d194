/** A phone with the narrowest supported screen, and the checks of text, layout and touch targets on it. */
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
 * The languages that every page is checked in. By default, this is the pseudo-locale, which has the longest texts and
 * reveals untranslated ones; with `PAGES_LANGUAGES=all`, it is every language. The accessibility walks cover Arabic.
 */
export const pageLanguages: readonly string[] = allLanguages ?? [pseudoLanguage];
/** The languages that every overlay is checked in. */
export const overlayLanguages: readonly string[] = allLanguages ?? [pseudoLanguage];

export class NarrowPhone {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly app: LinnetApp;
  /** The recorder's serial number. Its last four characters name the recorder, and may look like a word. */
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

  /** Sets the language of pages that are opened from now on. */
  async setLanguage(language: string): Promise<void> {
    await this.page.evaluate((chosen) => localStorage.setItem('language', chosen), language);
  }

  /** Asserts that the page has no text or layout faults and no touch targets that are too small. */
  async expectNoFaults(language: string, label: string, content: string): Promise<void> {
    const { page } = this;
    expect.soft(await page.locator('.system-screen').count(), `${label}: page not found`).toBe(0);
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

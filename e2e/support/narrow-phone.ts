/** A phone with the narrowest supported screen, with checks of text, layout and touch targets. */
import { join } from 'node:path';
import { interfaceLanguages, pseudoLanguage } from '@linnet/app/languages';
import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import { LinnetApp } from './linnet-app.ts';
import type { PageErrors } from './page-errors.ts';
import { findPageFaults } from './page-faults.ts';
import type { Stack } from './stack.ts';
import { findSmallTargets } from './touch-targets.ts';

/**
 * The languages in which every page and overlay is checked. The default is only the pseudo-locale, which has the
 * longest strings and reveals untranslated ones. `PAGES_LANGUAGES` may be `all` or a comma-separated list. Arabic is
 * covered by the accessibility walks.
 */
export const pageLanguages = selectLanguages(process.env.PAGES_LANGUAGES);

function selectLanguages(selection = pseudoLanguage): readonly string[] {
  const all = [...interfaceLanguages.map(({ language }) => language), pseudoLanguage];
  if (selection === 'all') return all;
  const selected = selection.split(',');
  // For an unknown language, the app would fall back to the browser's language.
  const unknown = selected.filter((language) => !all.includes(language));
  if (unknown.length > 0) throw new Error(`unknown in PAGES_LANGUAGES: ${unknown}`);
  return selected;
}

/** Where to save screenshots of everything that is checked, in the size of a common phone. */
const screenshotFolder = process.env.PAGES_SCREENSHOTS;

export class NarrowPhone {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly app: LinnetApp;
  /**
   * The recorder's serial number. Its last four characters are part of the recorder's name and may look like a word.
   */
  readonly #serial: string;

  private constructor(context: BrowserContext, page: Page, app: LinnetApp, serial: string) {
    this.context = context;
    this.page = page;
    this.app = app;
    this.#serial = serial;
  }

  static async open(browser: Browser, stack: Stack, pageErrors: PageErrors): Promise<NarrowPhone> {
    const context = await browser.newContext({
      viewport: screenshotFolder ? { width: 390, height: 844 } : { width: 360, height: 640 },
      locale: 'en-GB',
    });
    pageErrors.listenTo(context);
    const page = await context.newPage();
    const { sn } = await stack.recorder.getStatus();
    return new NarrowPhone(context, page, new LinnetApp(page, stack), sn);
  }

  /** Sets the language, and loads the app again with it. */
  async setLanguage(language: string): Promise<void> {
    await this.page.evaluate((chosen) => localStorage.setItem('language', chosen), language);
    await this.page.reload();
    await this.page.locator('main').first().waitFor();
  }

  /** Asserts that the page has no text or layout faults and no undersized touch targets. */
  async expectNoFaults(language: string, label: string, content: string): Promise<void> {
    const { page } = this;
    expect.soft(await page.locator('.system-screen').count(), `${label}: page not found`).toBe(0);
    const userContent = `${content} ${this.#serial.slice(-4)}`;
    await expect.soft
      .poll(() => findPageFaults(page, language, userContent), { message: label })
      .toEqual([]);
    expect.soft(await findSmallTargets(page), `${label}: targets`).toEqual([]);
    if (screenshotFolder) {
      const name = `${language}-${label.replaceAll(/[^A-Za-z0-9]+/g, '-')}.png`;
      await page.screenshot({ path: join(screenshotFolder, name), scale: 'css' });
    }
  }

  close(): Promise<void> {
    return this.context.close();
  }
}

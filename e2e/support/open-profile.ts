import { type BrowserContext, chromium } from '@playwright/test';
import config from '../playwright.config.ts';

/**
 * Starts a browser with a profile on disk, because a private window stores files in memory and has no quota. The
 * context has the options of the Playwright configuration.
 * @param folder the folder of the profile; a temporary folder by default
 */
export function openProfile(folder = ''): Promise<BrowserContext> {
  const { launchOptions, viewport, locale, contextOptions } = config.use ?? {};
  return chromium.launchPersistentContext(folder, {
    ...launchOptions,
    ...contextOptions,
    viewport: viewport ?? null,
    locale: locale ?? 'en-GB',
  });
}

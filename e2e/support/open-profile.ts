import { type BrowserContext, chromium } from '@playwright/test';
import config from '../playwright.config.ts';

/**
 * Starts a browser with a profile on disk, as in normal use: a private window keeps files in memory and has no
 * quota. Options are those of the tests' other contexts.
 * @param folder of the profile; a temporary one by default
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

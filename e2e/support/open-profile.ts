import { type BrowserContext, chromium } from '@playwright/test';
import config from '../playwright.config.ts';

export type ProfileOptions = {
  /** Path of a WAV file that the browser's microphone plays once, from the moment it is opened. */
  readonly microphone?: string;
};

/** Returns the flags of a browser whose microphone plays a file, without asking for permission. */
function microphoneFlags({ microphone }: ProfileOptions): string[] {
  if (microphone === undefined) return [];
  return [
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-audio-capture=${microphone}%noloop`,
  ];
}

/**
 * Starts a browser with a profile on disk, because a private window stores files in memory and has no quota. The
 * context has the options of the Playwright configuration.
 * @param folder the folder of the profile; a temporary folder by default
 */
export function openProfile(folder = '', options: ProfileOptions = {}): Promise<BrowserContext> {
  const { launchOptions, viewport, locale, contextOptions } = config.use ?? {};
  return chromium.launchPersistentContext(folder, {
    ...launchOptions,
    args: [...(launchOptions?.args ?? []), ...microphoneFlags(options)],
    ...contextOptions,
    viewport: viewport ?? null,
    locale: locale ?? 'en-GB',
  });
}

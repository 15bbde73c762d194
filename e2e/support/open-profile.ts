import { type BrowserContext, chromium } from '@playwright/test';
import config from '../playwright.config.ts';

export type ProfileOptions = {
  /** Path of a WAV file that the browser's microphone plays once, from the moment it is opened. */
  readonly microphone?: string;
  /** The title of a tab that the browser shares, with its audio, whenever a page asks what to share. */
  readonly sharedTab?: string;
};

/** Returns the flags of a browser whose microphone plays a file, and which shares a tab. */
function mediaFlags({ microphone, sharedTab }: ProfileOptions): string[] {
  const microphoneFlags =
    microphone === undefined
      ? []
      : [
          '--use-fake-device-for-media-stream',
          `--use-file-for-fake-audio-capture=${microphone}%noloop`,
        ];
  if (sharedTab === undefined) return microphoneFlags;
  return [
    ...microphoneFlags,
    `--auto-select-tab-capture-source-by-title=${sharedTab}`,
    '--autoplay-policy=no-user-gesture-required',
  ];
}

/**
 * Starts a browser with a profile on disk, because a private window stores files in memory and has no quota. The
 * context has the options of the Playwright configuration.
 * @param folder the folder of the profile; a temporary folder by default
 */
export async function openProfile(
  folder = '',
  options: ProfileOptions = {},
): Promise<BrowserContext> {
  const { launchOptions, viewport, locale, contextOptions } = config.use ?? {};
  const context = await chromium.launchPersistentContext(folder, {
    ...launchOptions,
    args: [...(launchOptions?.args ?? []), ...mediaFlags(options)],
    // A muted tab would share silence.
    ...(options.sharedTab !== undefined && { ignoreDefaultArgs: ['--mute-audio'] }),
    ...contextOptions,
    viewport: viewport ?? null,
    locale: locale ?? 'en-GB',
  });
  if (options.microphone !== undefined) await context.grantPermissions(['microphone']);
  return context;
}

import { type BrowserContext, chromium } from '@playwright/test';
import config from '../playwright.config.ts';

/** A microphone that plays the browser's own beeps. */
export const beeps = Symbol('beeps');

export type ProfileOptions = {
  /**
   * Audio for the browser's microphone: the path of a WAV file, played once from when it is opened, or {@link beeps}.
   */
  readonly microphone?: string | typeof beeps;
  /** The title of the tab that the browser shares, with its audio, whenever a page requests screen sharing. */
  readonly sharedTab?: string;
  /** Further flags. */
  readonly flags?: readonly string[];
};

/** Returns the browser flags for the fake microphone and the shared tab. */
function mediaFlags({ microphone, sharedTab }: ProfileOptions): string[] {
  const flags: string[] = [];
  if (microphone !== undefined) flags.push('--use-fake-device-for-media-stream');
  if (typeof microphone === 'string') {
    flags.push(`--use-file-for-fake-audio-capture=${microphone}%noloop`);
  }
  if (sharedTab !== undefined) {
    flags.push(
      `--auto-select-tab-capture-source-by-title=${sharedTab}`,
      '--autoplay-policy=no-user-gesture-required',
    );
  }
  return flags;
}

/**
 * Starts a browser with a profile on disk, because a private window stores files in memory and has no quota. The
 * context uses the options from the Playwright configuration.
 * @param folder the profile's folder; a temporary folder by default
 */
export async function openProfile(
  folder = '',
  options: ProfileOptions = {},
): Promise<BrowserContext> {
  const { launchOptions, viewport, locale, contextOptions } = config.use ?? {};
  const context = await chromium.launchPersistentContext(folder, {
    ...launchOptions,
    args: [...(launchOptions?.args ?? []), ...mediaFlags(options), ...(options.flags ?? [])],
    // A muted tab would share silence.
    ...(options.sharedTab !== undefined && { ignoreDefaultArgs: ['--mute-audio'] }),
    ...contextOptions,
    viewport: viewport ?? null,
    locale: locale ?? 'en-GB',
  });
  if (options.microphone !== undefined) await context.grantPermissions(['microphone']);
  return context;
}

import type { Page } from '@playwright/test';

/** A tab that plays audio, like a call in the browser. */
export type SharedTab = {
  readonly tab: Page;
  play(): Promise<void>;
  /** Waits for the audio to end, without a timeout. */
  ended(): Promise<unknown>;
};

/**
 * Opens a background tab that is silent until `play` is called.
 * @param audio a WAV file
 */
export async function openSharedTab(page: Page, title: string, audio: Buffer): Promise<SharedTab> {
  const tab = await page.context().newPage();
  await tab.setContent(`<title>${title}</title><audio></audio>`);
  await page.bringToFront();
  return {
    tab,
    play: () =>
      tab.evaluate(
        (source) => {
          const element = document.querySelector('audio') as HTMLAudioElement;
          element.src = source;
          return element.play();
        },
        `data:audio/wav;base64,${audio.toString('base64')}`,
      ),
    ended: () =>
      tab.waitForFunction(() => document.querySelector('audio')?.ended, null, { timeout: 0 }),
  };
}

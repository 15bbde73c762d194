import { createPocketSphinx } from './pocketsphinx/index.ts';
import type { SpeechRecognizer } from './port.ts';

export interface SpeechConfig {
  /** The variable `ASR`. */
  readonly asr: 'auto' | 'pocketsphinx';
  /** Folder into which system packages were unpacked without privileges, if any (it holds `usr`). */
  readonly privateRoot?: string | undefined;
}

/**
 * The recogniser that the configuration names; `auto` takes the best there is.
 * It is returned even when its program is missing: `readiness()` tells, and a
 * task fails with `engine-missing`, so that the server starts without it.
 */
export function selectRecognizer(config: SpeechConfig): SpeechRecognizer {
  switch (config.asr) {
    case 'auto':
    case 'pocketsphinx':
      return createPocketSphinx({ privateRoot: config.privateRoot });
  }
}

export * from './port.ts';
export { sweepScratch } from './scratch.ts';

import { createSpeechEngines, type SpeechEngines } from './engines.ts';
import { createPocketSphinx } from './pocketsphinx/index.ts';

export interface SpeechConfig {
  /** The variable `ASR`. */
  readonly asr: 'auto' | 'pocketsphinx';
  /** Folder into which system packages were unpacked without privileges, if any (it holds `usr`). */
  readonly privateRoot?: string | undefined;
}

/**
 * The recognisers that the configuration names; `auto` takes the best there is
 * for each language. An engine whose program is missing is among them:
 * `readiness()` tells, and the server starts without it.
 */
export function selectSpeechEngines(config: SpeechConfig): SpeechEngines {
  switch (config.asr) {
    case 'auto':
    case 'pocketsphinx':
      return createSpeechEngines([createPocketSphinx({ privateRoot: config.privateRoot })]);
  }
}

export type { SpeechEngines } from './engines.ts';
export * from './port.ts';
export { sweepScratch } from './scratch.ts';

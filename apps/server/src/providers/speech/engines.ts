import type { SpeechLanguage, SpeechRecognizer } from './port.ts';
import { findLanguage } from './port.ts';

/** A language that can be recognized, with the best engine for it. */
export interface AvailableLanguage extends SpeechLanguage {
  readonly recognizer: SpeechRecognizer;
}

/** The engines that the configuration allows, each for the languages in which it is the best there is. */
export interface SpeechEngines {
  /** The best first. */
  readonly all: readonly SpeechRecognizer[];
  /** Languages that can be recognized now, each once. */
  languages(): Promise<readonly AvailableLanguage[]>;
  /** The best engine available now for a language (BCP-47 or `auto`), or null. */
  find(language: string): Promise<SpeechRecognizer | null>;
}

/** @param all the best first */
export function createSpeechEngines(all: readonly SpeechRecognizer[]): SpeechEngines {
  return {
    all,

    async languages() {
      const heard = new Map<string, AvailableLanguage>();
      for (const recognizer of all) {
        for (const language of await recognizer.languages()) {
          if (!heard.has(language.tag)) heard.set(language.tag, { ...language, recognizer });
        }
      }
      return [...heard.values()];
    },

    async find(language) {
      for (const recognizer of all) {
        if (findLanguage(await recognizer.languages(), language)) return recognizer;
      }
      return null;
    },
  };
}

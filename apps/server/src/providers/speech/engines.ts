import type { SpeechLanguage, SpeechRecognizer } from './port.ts';
import { findLanguage } from './port.ts';

/** A supported language and its best engine. */
export interface AvailableLanguage extends SpeechLanguage {
  readonly recognizer: SpeechRecognizer;
}

/** The configured engines. Each language uses the best engine for it. */
export interface SpeechEngines {
  /** Recognizers, best first. */
  readonly all: readonly SpeechRecognizer[];
  /** Returns the distinct languages that can currently be recognized. */
  languages(): Promise<readonly AvailableLanguage[]>;
  /** Returns the best engine currently available for a language (BCP 47 or `auto`), or null. */
  find(language: string): Promise<SpeechRecognizer | null>;
}

/** @param all engines, best first */
export function createSpeechEngines(all: readonly SpeechRecognizer[]): SpeechEngines {
  return {
    all,

    async languages() {
      const available = new Map<string, AvailableLanguage>();
      for (const recognizer of all) {
        for (const language of await recognizer.languages()) {
          if (!available.has(language.tag))
            available.set(language.tag, { ...language, recognizer });
        }
      }
      return [...available.values()];
    },

    async find(language) {
      for (const recognizer of all) {
        if (findLanguage(await recognizer.languages(), language)) return recognizer;
      }
      return null;
    },
  };
}

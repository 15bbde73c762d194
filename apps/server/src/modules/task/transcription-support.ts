import type { CallData } from '@linnet/contract';
import type { SpokenLanguage } from '@linnet/contract/languages';
import { autoLanguage, languages } from '@linnet/contract/languages';
import type { SpeechEngines, SpeechQuality } from '../../providers/speech/index.ts';

/** Reports which languages the server can currently transcribe, and why it can't transcribe others. */
export interface TranscriptionSupport {
  /** Returns the ID of the engine for a language, or null if no engine supports it. */
  engine(language: SpokenLanguage): Promise<string | null>;
  /** Returns the quality of the engine for a language, or null if no engine supports it. */
  quality(language: SpokenLanguage): Promise<SpeechQuality | null>;
  /** Lists the supported languages, each with its engine and quality. */
  languages(): Promise<CallData<'site/config'>['engines']['transcription']>;
  /** Returns a message for the user if the language can't be transcribed, or null if it can. */
  refusal(language: SpokenLanguage): Promise<string | null>;
}

const selectableLanguages: readonly SpokenLanguage[] = [
  ...languages.map(({ bcp47 }) => bcp47),
  autoLanguage,
];

const languageNames = new Intl.DisplayNames('en', { type: 'language' });
const listFormat = new Intl.ListFormat('en');
const languageName = (language: string) =>
  language === autoLanguage ? 'An unspecified language' : (languageNames.of(language) ?? language);

/**
 * @param onRefusal called with a hint for the operator, naming the required configuration, for each rejected language
 */
export function createTranscriptionSupport(
  engines: SpeechEngines,
  onRefusal: (hint: string) => void,
): TranscriptionSupport {
  return {
    engine: async (language) => (await engines.find(language))?.id ?? null,

    async quality(language) {
      const supported = await engines.languages();
      return supported.find(({ tag }) => tag === language)?.quality ?? null;
    },

    async languages() {
      const supported = await engines.languages();
      return selectableLanguages.flatMap((language) => {
        const support = supported.find(({ tag }) => tag === language);
        return support
          ? [{ language, engine: support.recognizer.id, quality: support.quality }]
          : [];
      });
    },

    async refusal(language) {
      if (await engines.find(language)) return null;
      const supported = await engines.languages();
      if (supported.length > 0) {
        const names = [...new Set(supported.map(({ tag }) => languageName(tag)))].sort();
        onRefusal(`set ASR to an engine that supports ${language}, or install a model for it`);
        return `${languageName(language)} can't be transcribed on this server. It can transcribe ${listFormat.format(names)}.`;
      }
      const needs = await Promise.all(
        engines.all.map(async (recognizer) => {
          const readiness = await recognizer.readiness();
          return readiness.status === 'ready' ? [] : readiness.needs;
        }),
      );
      onRefusal(`install ${needs.flat().join(', ')}, or set ASR to a different engine`);
      return "Transcription isn't available on this server yet. Contact its administrator.";
    },
  };
}

import type { CallData } from '@linnet/contract';
import type { SpokenLanguage } from '@linnet/contract/languages';
import { autoLanguage, languages } from '@linnet/contract/languages';
import type { SpeechEngines } from '../../providers/speech/index.ts';

/** Reports which languages the server can currently transcribe, and why it can't transcribe others. */
export interface TranscriptionSupport {
  /** Returns the ID of the engine for a language; null if no engine supports it. */
  engine(language: SpokenLanguage): Promise<string | null>;
  /** Lists the supported languages, with the engine and its quality for each. */
  languages(): Promise<CallData<'site/config'>['engines']['transcription']>;
  /** Returns null if the language can be transcribed, otherwise a message that names the required configuration. */
  refusal(language: SpokenLanguage): Promise<string | null>;
}

const selectableLanguages: readonly SpokenLanguage[] = [
  ...languages.map(({ bcp47 }) => bcp47),
  autoLanguage,
];

export function createTranscriptionSupport(engines: SpeechEngines): TranscriptionSupport {
  return {
    engine: async (language) => (await engines.find(language))?.id ?? null,

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
      const name =
        language === autoLanguage
          ? 'An unspecified language'
          : (new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language);
      const supported = await engines.languages();
      if (supported.length > 0) {
        const tags = supported.map(({ tag }) => tag).join(', ');
        return `${name} cannot be transcribed here: the speech engines of this server know ${tags} only. Set ASR to an engine that knows ${language}, or install a model for it.`;
      }
      const needs = await Promise.all(
        engines.all.map(async (recognizer) => {
          const readiness = await recognizer.readiness();
          return readiness.status === 'ready' ? [] : readiness.needs;
        }),
      );
      return `${name} cannot be transcribed here yet: install ${needs.flat().join(', ')} on the server, or set ASR to another engine.`;
    },
  };
}

import type { CallData } from '@linnet/contract';
import type { SpokenLanguage } from '@linnet/contract/languages';
import { autoLanguage, languages } from '@linnet/contract/languages';
import type { SpeechEngines } from '../../providers/speech/index.ts';

/** Languages the server can transcribe now, and explanations for those it cannot. */
export interface TranscriptionSupport {
  /** The engine for a language, or null if none supports it. */
  engine(language: SpokenLanguage): Promise<string | null>;
  languages(): Promise<CallData<'site/config'>['engines']['transcription']>;
  /** Null if the language can be transcribed; otherwise a message naming the configuration it needs. */
  refusal(language: SpokenLanguage): Promise<string | null>;
}

const spoken: readonly SpokenLanguage[] = [...languages.map(({ bcp47 }) => bcp47), autoLanguage];

export function createTranscriptionSupport(engines: SpeechEngines): TranscriptionSupport {
  return {
    engine: async (language) => (await engines.find(language))?.id ?? null,

    async languages() {
      const heard = await engines.languages();
      return spoken.flatMap((language) => {
        const known = heard.find(({ tag }) => tag === language);
        return known ? [{ language, engine: known.recognizer.id, quality: known.quality }] : [];
      });
    },

    async refusal(language) {
      if (await engines.find(language)) return null;
      const name =
        language === autoLanguage
          ? 'An unspecified language'
          : (new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language);
      const heard = await engines.languages();
      if (heard.length > 0) {
        const known = heard.map(({ tag }) => tag).join(', ');
        return `${name} cannot be transcribed here: the speech engines of this server know ${known} only. Set ASR to an engine that knows ${language}, or install a model for it.`;
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

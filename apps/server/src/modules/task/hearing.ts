import type { CallData } from '@linnet/contract';
import type { Bcp47 } from '@linnet/contract/languages';
import { languages } from '@linnet/contract/languages';
import type { SpeechRecognizer } from '../../providers/speech/port.ts';
import { findLanguage } from '../../providers/speech/port.ts';

/** What this server can hear now, and what to tell those who ask for more. */
export interface Hearing {
  /** Which engine would be used. */
  readonly engine: string;
  languages(): Promise<CallData<'site/config'>['engines']['transcription']>;
  /** Null when the language can be transcribed; else the sentence that says what to configure. */
  refusal(language: Bcp47): Promise<string | null>;
}

export function createHearing(recognizer: SpeechRecognizer): Hearing {
  return {
    engine: recognizer.id,

    async languages() {
      if ((await recognizer.readiness()).status !== 'ready') return [];
      return languages.flatMap(({ bcp47 }) => {
        const known = findLanguage(recognizer.languages, bcp47);
        return known ? [{ language: bcp47, engine: recognizer.id, quality: known.quality }] : [];
      });
    },

    async refusal(language) {
      const name = new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language;
      if (!findLanguage(recognizer.languages, language)) {
        const known = recognizer.languages.map(({ tag }) => tag).join(', ');
        return `${name} cannot be transcribed here: the speech engine ${recognizer.id} knows ${known} only. Set ASR to an engine that knows ${language}.`;
      }
      const readiness = await recognizer.readiness();
      if (readiness.status === 'ready') return null;
      return `${name} cannot be transcribed here yet: install ${readiness.needs.join(', ')} on the server, or set ASR to another engine.`;
    },
  };
}

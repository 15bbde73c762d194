import { toBcp47 } from '@linnet/contract/languages';
import {
  type InstalledModel,
  type ModelManifest,
  type ModelStore,
  type RecognitionKind,
  recognitionKinds,
} from '../../../models/index.ts';
import type { SpeechLanguage } from '../port.ts';

/** A model that hears words, and the language it is chosen for. */
export interface ChosenModel extends SpeechLanguage {
  readonly model: InstalledModel;
}

/** Language (BCP-47 or `auto`) → name of the model that hears it, as the operator wants it. */
export type PreferredModels = Readonly<Record<string, string>>;

export async function recognitionModels(store: ModelStore): Promise<readonly InstalledModel[]> {
  const kinds: readonly string[] = recognitionKinds;
  return (await store.installed()).filter(({ manifest }) => kinds.includes(manifest.kind));
}

/**
 * One model for each language: the one that was asked for, which is believed to know it, else the first that
 * says so. A language whose model is not installed is left out: the operator wanted that one, and no other.
 */
export function chooseModels(
  installed: readonly InstalledModel[],
  preferred: PreferredModels,
): ChosenModel[] {
  const chosen: ChosenModel[] = [];
  for (const [tag, name] of Object.entries(preferred)) {
    const model = installed.find(({ manifest }) => manifest.name === name);
    if (!model || (tag === 'auto' && !model.manifest.detects_language)) continue;
    const own = model.manifest.languages.find((language) => language.tag === tag);
    chosen.push({ tag, quality: own?.quality ?? 'good', model });
  }
  const isSettled = (tag: string) =>
    tag in preferred || chosen.some((language) => language.tag === tag);
  for (const model of installed) {
    const { languages, detects_language: detects } = model.manifest;
    const auto = detects ? [{ tag: 'auto', quality: languages[0]?.quality ?? 'good' }] : [];
    for (const language of [...languages, ...auto]) {
      if (!isSettled(language.tag)) chosen.push({ ...language, model });
    }
  }
  return chosen;
}

/** Cantonese is written as Chinese is. */
const WRITTEN_AS: Readonly<Record<string, string>> = { yue: 'zh' };

/**
 * The language that a model detected (`<|zh|>`, `en`), as one of its own. An unknown one is kept unchanged, since the
 * words are of no other language; without one it is the model's first.
 */
export function detectedLanguage(
  said: string,
  { languages }: Pick<ModelManifest, 'languages'>,
): string {
  const [, code = ''] = /^(?:<\|)?([a-z]{2,3})(?:\|>)?$/.exec(said) ?? [];
  const tag = toBcp47(WRITTEN_AS[code] ?? code);
  const own = languages.map((language) => language.tag);
  return own.find((known) => known === tag) ?? (code || own[0] || 'en');
}

/**
 * Seconds of the shortest and longest slice of each kind. Those with times take as much as they hear well at
 * once (Whisper is trained on 30 s); without, a word is only known to be somewhere in its slice.
 */
const TIMED = { shortest: 8, longest: 28 } as const;
const UNTIMED = { shortest: 3, longest: 12 } as const;
export const sliceLimits = {
  transducer: TIMED,
  ctc: TIMED,
  'sense-voice': TIMED,
  qwen3: UNTIMED,
  whisper: UNTIMED,
} as const satisfies Record<RecognitionKind, { shortest: number; longest: number }>;

import { toBcp47 } from '@linnet/contract/languages';
import {
  type InstalledModel,
  type ModelManifest,
  type ModelStore,
  type RecognitionKind,
  recognitionKinds,
} from '../../../models/index.ts';
import type { SpeechLanguage } from '../port.ts';

/** A recognition model and the language that it is used for. */
export interface ChosenModel extends SpeechLanguage {
  readonly model: InstalledModel;
}

/** Models chosen by the operator, by language (BCP 47 or `auto`). */
export type PreferredModels = Readonly<Record<string, string>>;

export async function recognitionModels(store: ModelStore): Promise<readonly InstalledModel[]> {
  const kinds: readonly string[] = recognitionKinds;
  return (await store.installed()).filter(({ manifest }) => kinds.includes(manifest.kind));
}

/**
 * Selects one model per language: the preferred model, even if its manifest doesn't list the language, or else the
 * first model that lists it. If the preferred model for a language isn't installed, the language is omitted rather than
 * recognized by another model.
 */
export function chooseModels(
  installed: readonly InstalledModel[],
  preferred: PreferredModels,
): ChosenModel[] {
  const chosen: ChosenModel[] = [];
  for (const [tag, name] of Object.entries(preferred)) {
    const model = installed.find(({ manifest }) => manifest.name === name);
    if (!model || (tag === 'auto' && !model.manifest.detects_language)) continue;
    const listed = model.manifest.languages.find((language) => language.tag === tag);
    chosen.push({ tag, quality: listed?.quality ?? 'good', model });
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

/** Languages that are written like another language: Cantonese like Chinese. */
const WRITTEN_AS: Readonly<Record<string, string>> = { yue: 'zh' };

/**
 * Converts the language code that a model reports (`<|zh|>`, `en`) to the corresponding tag in the model's manifest. A
 * code that isn't listed is returned unchanged. Without a code, the model's first language is returned.
 */
export function detectedLanguage(
  reported: string,
  { languages }: Pick<ModelManifest, 'languages'>,
): string {
  const [, code = ''] = /^(?:<\|)?([a-z]{2,3})(?:\|>)?$/.exec(reported) ?? [];
  const tag = toBcp47(WRITTEN_AS[code] ?? code);
  const tags = languages.map((language) => language.tag);
  return tags.find((known) => known === tag) ?? (code || tags[0] || 'en');
}

/** Minimum and maximum slice length in seconds for models that return word timestamps. Long slices provide context. */
const TIMED = { shortest: 8, longest: 28 } as const;
/**
 * The same for models without word timestamps. Slices are short, because a word's time is known only to the nearest
 * slice.
 */
const UNTIMED = { shortest: 3, longest: 12 } as const;
export const sliceLimits = {
  transducer: TIMED,
  ctc: TIMED,
  'sense-voice': TIMED,
  qwen3: UNTIMED,
  whisper: UNTIMED,
} as const satisfies Record<RecognitionKind, { shortest: number; longest: number }>;

import { knownModels } from './catalog.ts';
import { recognitionKinds } from './manifest.ts';
import { modelSets, recommendedModels, setForLocale } from './recommended.ts';

/** The machine that models run on. */
export interface Machine {
  /** Memory of the machine or its container, in bytes. */
  readonly memory: number;
  /** The machine's locale (BCP 47). */
  readonly locale: string;
}

/** The part of the configuration that determines which models are useful. */
export interface RequestConfig {
  readonly MODELS: 'auto' | 'off' | readonly string[];
  readonly ASR: string;
  readonly services: { readonly ASR: object | null };
  readonly VOICE_DETECTION: 'auto' | 'off';
}

/**
 * Returns the names of the models to download automatically, in order. `auto` omits models that the configured engines
 * wouldn't use.
 */
export function requestedModels(config: RequestConfig, machine: Machine): readonly string[] {
  const { MODELS, ASR, services, VOICE_DETECTION } = config;
  if (MODELS === 'off') return [];
  const expand = (item: string) => {
    const set = modelSets.find((name) => name === item);
    return set ? recommendedModels(machine.memory, set) : [item];
  };
  if (MODELS !== 'auto') return [...new Set(MODELS.flatMap(expand))];
  const recognizes = ASR === 'sherpa' || (ASR === 'auto' && services.ASR === null);
  const kinds: readonly string[] = recognitionKinds;
  return expand(setForLocale(machine.locale)).filter((name) => {
    const kind = knownModels.find((model) => model.name === name)?.kind ?? '';
    if (kind === 'voice') return VOICE_DETECTION === 'auto';
    return recognizes || !kinds.includes(kind);
  });
}

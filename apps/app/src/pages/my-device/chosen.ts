import type { RecorderSettings } from '@linnet/device/session';

/** What was chosen and not answered yet, each with the number of the request that brings it over. */
export type Chosen = {
  readonly [Name in keyof RecorderSettings]?: {
    readonly value: RecorderSettings[Name];
    readonly request: number;
  };
};

/** The settings as they are shown: what was chosen, above what the recorder has. */
export function withChosen(settings: RecorderSettings, chosen: Chosen): RecorderSettings {
  const values = Object.entries(chosen).map(([name, { value }]) => [name, value]);
  return { ...settings, ...Object.fromEntries(values) };
}

/** After an answer: one that was chosen meanwhile, even the same value, has an answer of its own to come. */
export function afterAnswer(chosen: Chosen, name: keyof RecorderSettings, request: number): Chosen {
  if (chosen[name]?.request !== request) return chosen;
  const { [name]: _, ...others } = chosen;
  return others;
}

import type { RecorderSettings } from '@linnet/device/session';

/** Pending changes, each with the number of the request that sends it. */
export type Chosen = {
  readonly [Name in keyof RecorderSettings]?: {
    readonly value: RecorderSettings[Name];
    readonly request: number;
  };
};

/** The settings as shown: pending changes over the recorder's own values. */
export function withChosen(settings: RecorderSettings, chosen: Chosen): RecorderSettings {
  const values = Object.entries(chosen).map(([name, { value }]) => [name, value]);
  return { ...settings, ...Object.fromEntries(values) };
}

/**
 * Removes a change once its request is answered. A later change, even to the same value, stays pending until
 * its own answer.
 */
export function afterAnswer(chosen: Chosen, name: keyof RecorderSettings, request: number): Chosen {
  if (chosen[name]?.request !== request) return chosen;
  const { [name]: _, ...others } = chosen;
  return others;
}

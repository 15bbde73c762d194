import type { RecorderSettings } from '@linnet/device/session';

/** Pending changes, each with the number of the request that sends it. */
export type PendingSettings = {
  readonly [Name in keyof RecorderSettings]?: {
    readonly value: RecorderSettings[Name];
    readonly request: number;
  };
};

/** The settings as shown: pending changes over the recorder's own values. */
export function withPending(
  settings: RecorderSettings,
  pending: PendingSettings,
): RecorderSettings {
  const values = Object.entries(pending).map(([name, { value }]) => [name, value]);
  return { ...settings, ...Object.fromEntries(values) };
}

/**
 * Removes a change once its request is answered. A later change, even to the same value, stays pending until
 * its own answer.
 */
export function withoutAnswered(
  pending: PendingSettings,
  name: keyof RecorderSettings,
  request: number,
): PendingSettings {
  if (pending[name]?.request !== request) return pending;
  const { [name]: _, ...others } = pending;
  return others;
}

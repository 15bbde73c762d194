import type { RecorderSettings } from '@linnet/device/session';

/** Pending changes by setting, each with its request number. */
export type PendingSettings = {
  readonly [Name in keyof RecorderSettings]?: {
    readonly value: RecorderSettings[Name];
    readonly request: number;
  };
};

/** Returns the settings to show: the recorder's values, overridden by pending changes. */
export function withPending(
  settings: RecorderSettings,
  pending: PendingSettings,
): RecorderSettings {
  const values = Object.entries(pending).map(([name, { value }]) => [name, value]);
  return { ...settings, ...Object.fromEntries(values) };
}

/**
 * Removes a pending change once its request has received a response. A later change, even to the same value, stays
 * pending until its own response.
 */
export function removeAnsweredSettings(
  pending: PendingSettings,
  name: keyof RecorderSettings,
  request: number,
): PendingSettings {
  if (pending[name]?.request !== request) return pending;
  const { [name]: _, ...others } = pending;
  return others;
}

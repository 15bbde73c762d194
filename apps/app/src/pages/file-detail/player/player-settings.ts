import { useCallback, useMemo } from 'react';
import { useChangeSetting } from '../../../page-kit/saving.ts';
import { useServices, useStore } from '../../../page-kit/services-context.ts';

const group = 'player';
const speedKey = 'speed';
const silenceKey = 'skip_silence';
const enabled = '1';

export const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const;

/** Playback settings, synced with the account. */
export function usePlayerSettings() {
  const { settings } = useServices();
  const set = useChangeSetting();
  const all = useStore(settings.all);
  const valueAt = (key: string) =>
    all.status === 'ready'
      ? all.value.find((one) => one.group_name === group && one.config_key === key)?.config_value
      : undefined;
  const chosen = Number(valueAt(speedKey));
  const speed: number = speeds.find((one) => one === chosen) ?? 1;
  const skipsSilence = valueAt(silenceKey) === enabled;
  const setSpeed = useCallback((next: number) => set(group, speedKey, String(next)), [set]);
  const setSkipsSilence = useCallback(
    (next: boolean) => set(group, silenceKey, next ? enabled : '0'),
    [set],
  );
  return useMemo(
    () => ({ speed, skipsSilence, setSpeed, setSkipsSilence }),
    [speed, skipsSilence, setSpeed, setSkipsSilence],
  );
}

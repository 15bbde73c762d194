import { useCallback, useMemo } from 'react';
import { useChangeSetting } from '../../../page-kit/saving.ts';
import { useServices, useStore } from '../../../page-kit/services-context.ts';

const group = 'player';
const speedKey = 'speed';
const silenceKey = 'skip_silence';
const enabledValue = '1';

export const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const;

/** Returns the playback settings, which sync with the account. */
export function usePlayerSettings() {
  const { settings } = useServices();
  const changeSetting = useChangeSetting();
  const allSettings = useStore(settings.all);
  const readStored = (key: string) =>
    allSettings.status === 'ready'
      ? allSettings.value.find(
          (setting) => setting.group_name === group && setting.config_key === key,
        )?.config_value
      : undefined;
  const savedSpeed = Number(readStored(speedKey));
  const speed: number = speeds.find((item) => item === savedSpeed) ?? 1;
  const skipsSilence = readStored(silenceKey) === enabledValue;
  const setSpeed = useCallback(
    (next: number) => changeSetting(group, speedKey, String(next)),
    [changeSetting],
  );
  const setSkipSilence = useCallback(
    (next: boolean) => changeSetting(group, silenceKey, next ? enabledValue : '0'),
    [changeSetting],
  );
  return useMemo(
    () => ({ speed, skipsSilence, setSpeed, setSkipSilence }),
    [speed, skipsSilence, setSpeed, setSkipSilence],
  );
}

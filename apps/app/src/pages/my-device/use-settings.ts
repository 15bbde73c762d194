import type { RecorderSettings } from '@linnet/device/session';
import { useRef, useState } from 'react';
import { describeRecorderFailure, formatFailure } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { useToast } from '../../ui/toast.tsx';
import { type PendingSettings, removeAnsweredSettings, withPending } from './pending-settings.ts';

/**
 * Returns a connected recorder's settings and a function to change them. A change shows immediately, and is reverted
 * with an error message if the recorder rejects it.
 */
export function useSettings(current: RecorderSettings) {
  const { t } = useTranslation();
  const { recorder } = useServices();
  const show = useToast();
  const [pending, setPending] = useState<PendingSettings>({});
  const requests = useRef(0);

  const change = async <Name extends keyof RecorderSettings>(
    name: Name,
    value: RecorderSettings[Name],
  ) => {
    const request = requests.current++;
    setPending((previous) => ({ ...previous, [name]: { value, request } }));
    const result = await recorder.changeSettings({ [name]: value });
    setPending((previous) => removeAnsweredSettings(previous, name, request));
    if (result.ok) return;
    const failureText = describeRecorderFailure(t, result.failure);
    const reason = formatFailure(failureText);
    show({
      message: t('myDevice.notSet', { why: reason }),
      kind: 'error',
      sticky: failureText.sticky,
    });
  };
  return { settings: withPending(current, pending), change };
}

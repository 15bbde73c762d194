import type { RecorderSettings } from '@linnet/device/session';
import { useRef, useState } from 'react';
import { inOneLine, recorderWords } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { useToast } from '../../ui/toast.tsx';
import { type PendingSettings, withoutAnswered, withPending } from './pending-settings.ts';

/**
 * The settings of a connected recorder, with a setter. A change shows immediately. If the recorder refuses it,
 * it reverts with an error message.
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
    setPending((before) => ({ ...before, [name]: { value, request } }));
    const answer = await recorder.changeSettings({ [name]: value });
    setPending((before) => withoutAnswered(before, name, request));
    if (answer.ok) return;
    const words = recorderWords(t, answer.failure);
    const why = inOneLine(words);
    show({ words: t('myDevice.notSet', { why }), kind: 'error', sticky: words.sticky });
  };
  return { settings: withPending(current, pending), change };
}

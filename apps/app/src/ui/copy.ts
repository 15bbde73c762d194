import { useCallback } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { useToast } from './toast.tsx';

/**
 * Returns a function that copies text to the clipboard, shows the outcome in a toast, and resolves to whether
 * it succeeded.
 */
export function useCopy(): (text: string) => Promise<boolean> {
  const { t } = useTranslation();
  const show = useToast();
  return useCallback(
    async (text) => {
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        // Permission was denied, or there is no clipboard. The browser reports no details.
        show({ message: t('common.copyFailed'), kind: 'error' });
        return false;
      }
      show({ message: t('common.copied') });
      return true;
    },
    [show, t],
  );
}

import { useCallback } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { useToast } from './toast.tsx';

/**
 * Returns a function that copies text to the clipboard, shows the outcome in a toast, and resolves to whether copying
 * succeeded.
 */
export function useCopy(): (text: string) => Promise<boolean> {
  const { t } = useTranslation();
  const show = useToast();
  return useCallback(
    async (text) => {
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        // The user denied permission, or the browser has no clipboard. The error doesn't say which.
        show({ message: t('common.copyFailed'), kind: 'error' });
        return false;
      }
      show({ message: t('common.copied') });
      return true;
    },
    [show, t],
  );
}

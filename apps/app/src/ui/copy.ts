import { useCallback } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { useToast } from './toast.tsx';

/** Puts a text on the clipboard and says so, or that it failed: `copy(text)` tells which. */
export function useCopy(): (text: string) => Promise<boolean> {
  const { t } = useTranslation();
  const show = useToast();
  return useCallback(
    async (text) => {
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        // The browser does not allow it, or has no clipboard for this page, and says no more than that.
        show({ words: t('common.copyFailed'), kind: 'error' });
        return false;
      }
      show({ words: t('common.copied') });
      return true;
    },
    [show, t],
  );
}

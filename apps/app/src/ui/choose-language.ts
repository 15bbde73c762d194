import { chooseLanguage, type InterfaceLanguage, useTranslation } from '../i18n/index.ts';
import { useToast } from './toast.tsx';

/**
 * Returns a function that switches languages. If the translations fail to load, it shows a toast and keeps the current
 * language. Retrying may require a reload, because Chromium requests a failed module only once per document.
 */
export function useChooseLanguage(): (choice: InterfaceLanguage | null) => Promise<void> {
  const { t } = useTranslation();
  const show = useToast();
  return async (choice) => {
    try {
      await chooseLanguage(choice);
    } catch (error) {
      show({ message: t('common.languageFailed'), kind: 'error', sticky: true });
      reportError(error);
    }
  };
}

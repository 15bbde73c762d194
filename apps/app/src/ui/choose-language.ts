import { chooseLanguage, type InterfaceLanguage, useTranslation } from '../i18n/index.ts';
import { useToast } from './toast.tsx';

/**
 * Switches the language, and says so where its words do not come: the one on screen stays. Chromium asks for a file
 * that did not come once only in the life of a page.
 */
export function useChooseLanguage(): (choice: InterfaceLanguage | null) => Promise<void> {
  const { t } = useTranslation();
  const show = useToast();
  return async (choice) => {
    try {
      await chooseLanguage(choice);
    } catch (error) {
      show({ words: t('common.languageFailed'), kind: 'error', sticky: true });
      reportError(error);
    }
  };
}

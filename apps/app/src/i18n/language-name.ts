import { autoLanguage } from '@linnet/contract/languages';
import { useMemo } from 'react';
import { useLanguage, useTranslation } from './index.ts';

/** Returns a function that names a language (BCP-47 or `auto`) in the interface language. */
export function useLanguageName(): (tag: string) => string {
  const { t } = useTranslation();
  const language = useLanguage();
  return useMemo(() => {
    const names = new Intl.DisplayNames(language, { type: 'language' });
    return (tag) => (tag === autoLanguage ? t('steps.findLanguage') : (names.of(tag) ?? tag));
  }, [t, language]);
}

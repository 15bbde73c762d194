import { autoLanguage } from '@linnet/contract/languages';
import { useMemo } from 'react';
import { useLanguage, useTranslation } from './index.ts';

/** Returns a function that names a language (a BCP 47 tag or `auto`) in the interface language. */
export function useLanguageName(): (tag: string) => string {
  const { t } = useTranslation();
  const language = useLanguage();
  return useMemo(() => {
    const displayNames = new Intl.DisplayNames(language, { type: 'language' });
    return (tag) =>
      tag === autoLanguage ? t('steps.findLanguage') : (displayNames.of(tag) ?? tag);
  }, [t, language]);
}

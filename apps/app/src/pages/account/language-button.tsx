import Globe from 'lucide-react/icons/globe';
import { useState } from 'react';
import { interfaceLanguages, useLanguage, useTranslation } from '../../i18n/index.ts';
import { useChooseLanguage } from '../../ui/choose-language.ts';
import { Menu, preloadMenu } from '../../ui/menu.tsx';

/** Switches the interface language. Its label is the current language. */
export function LanguageButton() {
  const { t } = useTranslation();
  const language = useLanguage();
  const chooseLanguage = useChooseLanguage();
  const [anchor, setAnchor] = useState<Element | null>(null);
  const name =
    interfaceLanguages.find((currentLanguage) => currentLanguage.language === language)?.name ??
    language;
  return (
    <>
      <button
        type="button"
        className="language-button"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        aria-label={t('common.named', { what: t('common.language'), which: name })}
        data-testid="switch-language"
        onPointerEnter={preloadMenu}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Globe size={18} aria-hidden="true" />
        {name}
      </button>
      <Menu
        anchor={anchor}
        label={t('common.language')}
        onClose={() => setAnchor(null)}
        items={interfaceLanguages.map((entry) => ({
          kind: 'choice',
          label: entry.name,
          checked: entry.language === language,
          run: () => void chooseLanguage(entry.language),
        }))}
      />
    </>
  );
}

import type { Bcp47 } from '@linnet/contract/languages';
import { languages, toBcp47 } from '@linnet/contract/languages';
import Sparkles from 'lucide-react/icons/sparkles';
import type { ReactNode } from 'react';
import { useTranslation } from '../../../i18n/index.ts';
import { useLanguageName } from '../../../i18n/language-name.ts';
import { useServerInfo } from '../../../page-kit/services-context.ts';
import { Button } from '../../../ui/button.tsx';

/**
 * A form that regenerates the summary from the current transcript, in a different language if the server supports it.
 */
export function RegenerateSummary({
  isBusy,
  isFirst,
  language,
  onLanguage,
  onMake,
  children,
}: {
  isBusy: boolean;
  /** Whether the recording doesn't have a summary with this structure yet. */
  isFirst: boolean;
  /** Null for the spoken language. */
  language: Bcp47 | null;
  onLanguage(language: Bcp47 | null): void;
  onMake(): void;
  /** Further actions, shown before the button. */
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  const serverInfo = useServerInfo();
  const languageName = useLanguageName();
  return (
    <section className="summary-again">
      {!isFirst && <p>{t('summary.againHint')}</p>}
      {serverInfo?.analysis.translates && (
        <label className="summary-language">
          <span>{t('summary.language')}</span>
          <select
            value={language ?? ''}
            onChange={(event) => onLanguage(toBcp47(event.currentTarget.value) ?? null)}
          >
            <option value="">{t('summary.asSpoken')}</option>
            {languages.map(({ bcp47 }) => (
              <option key={bcp47} value={bcp47}>
                {languageName(bcp47)}
              </option>
            ))}
          </select>
        </label>
      )}
      {children}
      <Button
        icon={<Sparkles size={18} aria-hidden="true" />}
        busy={isBusy}
        data-testid="summarize"
        onClick={onMake}
      >
        {t(isBusy ? 'summary.making' : isFirst ? 'summary.make' : 'summary.again')}
      </Button>
    </section>
  );
}

import type { FailureText } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';

/** A failure reported by the server, beside the submit button; the code in small print. */
export function FormFailure({ words }: { words: FailureText }) {
  const { t } = useTranslation();
  return (
    <div className="form-failure" role="alert">
      <p data-testid="error">{words.message}</p>
      <p className="small-print">{t('common.code', { code: words.code })}</p>
    </div>
  );
}

import type { FailureText } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';

/** Shows a failure reported by the server beside the submit button, with the code in small print. */
export function FormFailure({ text }: { text: FailureText }) {
  const { t } = useTranslation();
  return (
    <div className="form-failure" role="alert">
      <p data-testid="error">{text.message}</p>
      <p className="small-print">{t('common.code', { code: text.code })}</p>
    </div>
  );
}

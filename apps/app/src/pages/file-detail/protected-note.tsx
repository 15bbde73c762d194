import { useTranslation } from '../../i18n/index.ts';
import { Button } from '../../ui/button.tsx';
import { useProtect } from '../files/use-protect.ts';

/** Shows that a recording is protected from retention rules, with a button that removes the protection. */
export function ProtectedNote({ record }: { record: { readonly id: string } }) {
  const { t } = useTranslation();
  const protect = useProtect();
  return (
    <p className="detail-note detail-state" data-testid="protected">
      {t('retention.isProtected')}
      <Button data-testid="unprotect" onClick={() => protect(record, false)}>
        {t('retention.unprotect')}
      </Button>
    </p>
  );
}

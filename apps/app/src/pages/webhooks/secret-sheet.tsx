import { useTranslation } from '../../i18n/index.ts';
import { Button } from '../../ui/button.tsx';
import { CopyableText } from '../../ui/copyable-text.tsx';
import { Sheet } from '../../ui/sheet.tsx';

/** Shows a webhook's secret, which can't be shown again. */
export function SecretSheet({ secret, onClose }: { secret: string; onClose(): void }) {
  const { t } = useTranslation();
  return (
    <Sheet title={t('webhooks.secretTitle')} onClose={onClose}>
      <div className="webhook-form">
        <p>{t('webhooks.secretText')}</p>
        <CopyableText text={secret} copyLabel={t('webhooks.copy')} testId="webhook-secret" />
        <Button wide onClick={onClose}>
          {t('keys.close')}
        </Button>
      </div>
    </Sheet>
  );
}

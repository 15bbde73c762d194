import { useTranslation } from '../../i18n/index.ts';
import { Button } from '../../ui/button.tsx';
import { CopyableText } from '../../ui/copyable-text.tsx';
import { Sheet } from '../../ui/sheet.tsx';

/** Shows a new API key, which can't be shown again. */
export function NewKeySheet({ apiKey, onClose }: { apiKey: string; onClose(): void }) {
  const { t } = useTranslation();
  return (
    <Sheet title={t('keys.createdTitle')} onClose={onClose}>
      <div className="key-form">
        <p>{t('keys.createdText')}</p>
        <CopyableText text={apiKey} copyLabel={t('keys.copy')} testId="new-key" />
        <Button wide onClick={onClose}>
          {t('keys.close')}
        </Button>
      </div>
    </Sheet>
  );
}

import Copy from 'lucide-react/icons/copy';
import { useTranslation } from '../../i18n/index.ts';
import { Button } from '../../ui/button.tsx';
import { useCopy } from '../../ui/copy.ts';
import { Sheet } from '../../ui/sheet.tsx';

/** Shows a new API key, for the only time. */
export function NewKeySheet({ apiKey, onClose }: { apiKey: string; onClose(): void }) {
  const { t } = useTranslation();
  const copy = useCopy();
  return (
    <Sheet title={t('keys.createdTitle')} onClose={onClose}>
      <div className="key-form">
        <p>{t('keys.createdText')}</p>
        <code className="key-text" dir="ltr" data-testid="new-key">
          {apiKey}
        </code>
        <Button
          variant="primary"
          wide
          icon={<Copy size={18} />}
          data-testid="copy-key"
          onClick={() => void copy(apiKey)}
        >
          {t('keys.copy')}
        </Button>
        <Button wide onClick={onClose}>
          {t('keys.close')}
        </Button>
      </div>
    </Sheet>
  );
}

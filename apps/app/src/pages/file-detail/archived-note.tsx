import { useTranslation } from '../../i18n/index.ts';
import { Button } from '../../ui/button.tsx';
import { useArchive } from '../files/use-archive.ts';

/** Shows that a recording is archived, with a button that returns it to the list. */
export function ArchivedNote({ record }: { record: { readonly id: string } }) {
  const { t } = useTranslation();
  const archive = useArchive();
  return (
    <p className="detail-note detail-state" data-testid="archived">
      {t('archive.note')}
      <Button data-testid="unarchive" onClick={() => archive([record], false)}>
        {t('archive.unarchive')}
      </Button>
    </p>
  );
}

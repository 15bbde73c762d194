import { useTranslation } from '../../i18n/index.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/notice.tsx';

/** Replaces the list if all recordings are archived, or if the archive is shown and empty. */
export function ArchiveEmpty({ isArchive, onToggle }: { isArchive: boolean; onToggle(): void }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      title={t(isArchive ? 'archive.noneTitle' : 'archive.allTitle')}
      action={
        <Button data-testid="toggle-archive" onClick={onToggle}>
          {t(isArchive ? 'library.showAll' : 'archive.show')}
        </Button>
      }
    >
      {t('archive.hint')}
    </EmptyState>
  );
}

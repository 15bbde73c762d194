import { useTranslation } from '../../i18n/index.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { paths } from '../../page-kit/paths.ts';
import { EmptyState } from '../../ui/notice.tsx';

/** Shown when the recording no longer exists. */
export function NoRecording() {
  const { t } = useTranslation();
  return (
    <EmptyState
      title={t('detail.notFound')}
      action={
        <PageLink to={paths.files} transition="pop" replace className="button" data-look="primary">
          {t('detail.toFiles')}
        </PageLink>
      }
    >
      {t('detail.notFoundHint')}
    </EmptyState>
  );
}

import { useTranslation } from '../../i18n/index.ts';
import { GoLink } from '../../page-kit/navigation.tsx';
import { paths } from '../../page-kit/paths.ts';
import { Empty } from '../../ui/notice.tsx';

/** Shown when the recording no longer exists. */
export function NoRecording() {
  const { t } = useTranslation();
  return (
    <Empty
      title={t('detail.notFound')}
      action={
        <GoLink to={paths.files} transition="pop" replace className="button" data-look="primary">
          {t('detail.toFiles')}
        </GoLink>
      }
    >
      {t('detail.notFoundHint')}
    </Empty>
  );
}

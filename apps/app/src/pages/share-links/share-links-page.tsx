import { describeFailure } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Page } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServerData } from '../../page-kit/server-data.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, LoadingPlaceholder, Notice } from '../../ui/notice.tsx';
import { LinkList } from './link-list.tsx';

/** Lists the links to all recordings. */
export default function ShareLinksPage() {
  const { t } = useTranslation();
  const { shareLinks } = useServices();
  const { data, reload } = useServerData(shareLinks.list);
  return (
    <Page title={t('shareLinks.title')} parent={paths.personalInformation}>
      <p className="share-lead">{t('shareLinks.lead', { label: t('export.open') })}</p>
      {data.status === 'waiting' && <LoadingPlaceholder lines={3} />}
      {data.status === 'failed' && (
        <Notice
          message={t('shareLinks.failed')}
          detail={describeFailure(t, data.failure).message}
          action={<Button onClick={() => void reload()}>{t('common.retry')}</Button>}
        />
      )}
      {data.status === 'ready' && data.value.length === 0 && (
        <EmptyState title={t('shareLinks.empty')} />
      )}
      {data.status === 'ready' && data.value.length > 0 && (
        <LinkList
          links={data.value}
          label={t('shareLinks.title')}
          namesRecordings
          onChanged={reload}
        />
      )}
    </Page>
  );
}

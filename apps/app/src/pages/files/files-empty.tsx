import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServerInfo, useServices, useStore } from '../../page-kit/services-context.ts';
import { EmptyState } from '../../ui/notice.tsx';

/** The list's empty state, with the only action available. */
export function FilesEmpty() {
  const { t } = useTranslation();
  const services = useServices();
  const language = useLanguage();
  const serverInfo = useServerInfo();
  const link = useStore(services.recorder.link);
  const recorder = useStore(services.recorders.current);
  if (link.status === 'connected' || link.status === 'connecting') {
    return <EmptyState title={t('files.emptyTitle')}>{t('files.emptyBound')}</EmptyState>;
  }
  const hasRecorder = link.status !== 'none';
  if (!hasRecorder && recorder !== 'linnet') {
    // Automatic transcription assumes that recordings are in the app's language.
    const isTranscribed =
      serverInfo?.languages.some((known) => known.language === language) ?? true;
    return (
      <EmptyState
        title={t('files.emptyTitle')}
        action={
          <PageLink to={paths.deviceConnect} className="button" data-look="plain">
            {t('files.connect')}
          </PageLink>
        }
      >
        {t(isTranscribed ? 'files.emptyHere' : 'files.emptyHereNotTranscribed')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={t('files.emptyTitle')}
      action={
        <PageLink to={paths.deviceConnect} className="button" data-look="primary">
          {hasRecorder ? t('connect.reconnect', { name: link.name }) : t('files.connect')}
        </PageLink>
      }
    >
      {t(hasRecorder ? 'files.emptyLost' : 'files.emptyUnbound')}
    </EmptyState>
  );
}

import { useEffect } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { NotConnected } from '../../page-kit/not-connected.tsx';
import { Page } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { LoadingPlaceholder } from '../../ui/notice.tsx';
import { ListFailedNotice } from './list-failed-notice.tsx';
import { SessionList } from './session-list.tsx';
import { WifiCard } from './wifi-card.tsx';
import './device-files.css';

/** Lists the sessions stored on the recorder. */
export default function DeviceFilesPage() {
  const { t } = useTranslation();
  const { recorder } = useServices();
  const link = useStore(recorder.link);
  const isConnected = link.status === 'connected';
  const sessions = isConnected ? link.recorder.sessions : null;

  useEffect(() => {
    if (isConnected) void recorder.listSessions();
  }, [isConnected, recorder]);

  return (
    <Page title={t('sessions.title')} parent={paths.files}>
      <WifiCard link={link} />
      {link.status === 'hotspot' ? null : !isConnected ? (
        <NotConnected link={link} title={t('sessions.notConnected')}>
          {t('sessions.notConnectedHint')}
        </NotConnected>
      ) : (
        <>
          <ListFailedNotice />
          {sessions ? (
            <SessionList sessions={sessions} onChanged={() => void recorder.listSessions()} />
          ) : (
            !link.recorder.listFailure && <LoadingPlaceholder lines={4} />
          )}
        </>
      )}
    </Page>
  );
}

import { useCallback, useEffect, useState } from 'react';
import { describeRecorderFailure, formatFailure } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { NotConnected } from '../../page-kit/not-connected.tsx';
import { Page } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { RecorderFailure } from '../../ports/recorder.ts';
import { Button } from '../../ui/button.tsx';
import { LoadingPlaceholder, Notice } from '../../ui/notice.tsx';
import { SessionList } from './session-list.tsx';
import { WifiCard } from './wifi-card.tsx';
import './device-files.css';

/** Lists the sessions stored on the recorder. */
export default function DeviceFilesPage() {
  const { t } = useTranslation();
  const { recorder } = useServices();
  const link = useStore(recorder.link);
  const [failure, setFailure] = useState<RecorderFailure | null>(null);
  const isConnected = link.status === 'connected';
  const sessions = isConnected ? link.recorder.sessions : null;

  const listSessions = useCallback(async () => {
    setFailure(null);
    const result = await recorder.listSessions();
    if (!result.ok) setFailure(result.failure);
  }, [recorder]);
  useEffect(() => {
    if (isConnected) void listSessions();
  }, [isConnected, listSessions]);

  const failureText = failure && describeRecorderFailure(t, failure);
  return (
    <Page title={t('sessions.title')} parent={paths.files}>
      <WifiCard link={link} />
      {link.status === 'hotspot' ? null : !isConnected ? (
        <NotConnected link={link} title={t('sessions.notConnected')}>
          {t('sessions.notConnectedHint')}
        </NotConnected>
      ) : (
        <>
          {failureText && (
            <Notice
              message={t('sessions.listFailed')}
              detail={formatFailure(failureText)}
              code={failureText.code}
              action={<Button onClick={() => void listSessions()}>{t('common.retry')}</Button>}
            />
          )}
          {sessions ? (
            <SessionList sessions={sessions} onChanged={() => void listSessions()} />
          ) : (
            !failureText && <LoadingPlaceholder lines={4} />
          )}
        </>
      )}
    </Page>
  );
}

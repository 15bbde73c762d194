import { useCallback, useEffect, useState } from 'react';
import { inOneLine, recorderWords } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { GoLink } from '../../page-kit/navigation.tsx';
import { Page } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { RecorderFailure } from '../../ports/recorder.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Notice, Waiting } from '../../ui/notice.tsx';
import { RecorderDrawing } from '../../ui/recorder.tsx';
import { SessionList } from './session-list.tsx';
import { WifiCard } from './wifi-card.tsx';
import './device-files.css';

/** The recordings stored on the recorder. */
export default function DeviceFilesPage() {
  const { t } = useTranslation();
  const { recorder } = useServices();
  const link = useStore(recorder.link);
  const [failure, setFailure] = useState<RecorderFailure | null>(null);
  const connected = link.status === 'connected';
  const sessions = connected ? link.recorder.sessions : null;

  const list = useCallback(async () => {
    setFailure(null);
    const answer = await recorder.listSessions();
    if (!answer.ok) setFailure(answer.failure);
  }, [recorder]);
  useEffect(() => {
    if (connected) void list();
  }, [connected, list]);

  const words = failure && recorderWords(t, failure);
  return (
    <Page title={t('sessions.title')} parent={paths.files}>
      <WifiCard link={link} />
      {link.status === 'hotspot' ? null : !connected ? (
        <Empty
          title={t('sessions.notConnected')}
          drawing={<RecorderDrawing face="off" />}
          action={
            <GoLink to={paths.deviceConnect} className="button" data-look="primary">
              {link.status === 'none'
                ? t('files.connect')
                : t('connect.reconnect', { name: link.name })}
            </GoLink>
          }
        >
          {t('sessions.notConnectedHint')}
        </Empty>
      ) : (
        <>
          {words && (
            <Notice
              what={t('sessions.listFailed')}
              means={inOneLine(words)}
              code={words.code}
              action={<Button onClick={() => void list()}>{t('common.retry')}</Button>}
            />
          )}
          {sessions ? (
            <SessionList sessions={sessions} onChanged={() => void list()} />
          ) : (
            !words && <Waiting lines={4} />
          )}
        </>
      )}
    </Page>
  );
}

import { useEffect, useState } from 'react';
import { formatPercentage, formatSize } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { joinList } from '../../i18n/joined.ts';
import { NavRow } from '../../page-kit/nav-row.tsx';
import { PageLink } from '../../page-kit/navigation.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { ConnectedRecorder } from '../../ports/recorder.ts';
import { Battery, RecorderDrawing, StorageRing } from '../../ui/recorder.tsx';

/** Shows the connected recorder's battery and storage as graphics. */
function RecorderStatus({ recorder }: { recorder: ConnectedRecorder }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { battery, storage } = recorder;
  const batteryText = t(battery.charging ? 'me.charging' : 'me.battery', {
    percent: formatPercentage(battery.level, language),
  });
  const freeSpaceText = t('me.free', {
    size: formatSize(storage.free, language),
    total: formatSize(storage.totalSpace, language),
  });
  return (
    <div className="vitals">
      <p>
        <Battery level={battery.level} charging={battery.charging} label={batteryText} />
        <span aria-hidden="true">{batteryText}</span>
      </p>
      <p>
        <StorageRing used={storage.useRate} full={storage.isFull} label={freeSpaceText} size={28} />
        <span aria-hidden="true">{freeSpaceText}</span>
      </p>
      {storage.isFull && <p className="vitals-full">{t('me.full')}</p>}
    </div>
  );
}

/**
 * Prompts the user to connect a recorder, and lists the account's recorders, which may have been paired on another
 * device.
 */
function UnknownRecorder() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { recorder } = useServices();
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    // If the names fail to load, the card shows only the prompt.
    void recorder.boundNames().then((result) => result.ok && setNames(result.data));
  }, [recorder]);
  return (
    <section className="section">
      <h2 className="section-title">{t('me.recorder')}</h2>
      <div className="card recorder-none">
        <RecorderDrawing face="off" height={112} />
        <p>
          {names.length > 0
            ? t('me.boundElsewhere', { names: joinList(names, language) })
            : t('files.emptyUnbound')}
        </p>
        <PageLink to={paths.deviceConnect} className="button" data-look="primary">
          {t('files.connect')}
        </PageLink>
      </div>
    </section>
  );
}

/** Shows the state of the user's recorder with an illustration, and links to its pages. */
export function RecorderCard() {
  const { t } = useTranslation();
  const { recorder } = useServices();
  const link = useStore(recorder.link);

  if (link.status === 'none') return <UnknownRecorder />;

  const connected = link.status === 'connected' ? link.recorder : null;
  return (
    <section className="section">
      <h2 className="section-title">{t('me.recorder')}</h2>
      <div className="card">
        <div className="recorder-card">
          <RecorderDrawing
            face={
              connected ? (connected.recording.state === 'recording' ? 'recording' : 'idle') : 'off'
            }
            height={132}
          />
          <div className="recorder-words">
            <h3 dir="auto">{link.name}</h3>
            <p className="recorder-link" data-testid="connected" data-status={link.status}>
              <span className="link-dot" aria-hidden="true" data-status={link.status} />
              {t(
                connected
                  ? 'me.connected'
                  : link.status === 'connecting'
                    ? 'me.connecting'
                    : 'me.disconnected',
              )}
            </p>
            {connected && <RecorderStatus recorder={connected} />}
          </div>
        </div>
        {connected ? (
          <NavRow to={paths.deviceFiles} label={t('me.openSessions')} />
        ) : (
          <NavRow to={paths.deviceConnect} label={t('connect.reconnect', { name: link.name })} />
        )}
        <NavRow to={paths.myDevice} label={t('me.openDevice')} />
      </div>
    </section>
  );
}

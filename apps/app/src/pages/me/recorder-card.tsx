import ChevronRight from 'lucide-react/icons/chevron-right';
import Link2Off from 'lucide-react/icons/link-2-off';
import { useState } from 'react';
import { GoLink } from '../../app-shell/navigation.tsx';
import { paths } from '../../app-shell/pages.ts';
import { useServices, useStore } from '../../app-shell/services-context.ts';
import { recorderWords } from '../../i18n/failures.ts';
import { percentage, size } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import type { ConnectedRecorder } from '../../services.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { Battery, RecorderDrawing, StorageRing } from '../../ui/recorder.tsx';
import { useToast } from '../../ui/toast.tsx';

/** Battery and storage of a recorder that is connected, drawn. */
function Vitals({ recorder }: { recorder: ConnectedRecorder }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { battery, storage, info } = recorder;
  const batteryWords = t(battery.charging ? 'me.charging' : 'me.battery', {
    percent: percentage(battery.level, language),
  });
  const freeWords = t('me.free', {
    size: size(storage.free, language),
    total: size(storage.totalSpace, language),
  });
  return (
    <div className="vitals">
      <p>
        <Battery level={battery.level} charging={battery.charging} label={batteryWords} />
        <span aria-hidden="true">{batteryWords}</span>
      </p>
      <p>
        <StorageRing used={storage.useRate} full={storage.isFull} label={freeWords} size={28} />
        <span aria-hidden="true">{freeWords}</span>
      </p>
      {storage.isFull && <p className="vitals-full">{t('me.full')}</p>}
      <p className="small-print">
        <bdi>{t('me.firmware', { version: info.firmwareVersion })}</bdi>
        {' · '}
        <bdi>{t('me.serial', { sn: info.sn })}</bdi>
      </p>
    </div>
  );
}

/** My recorder: drawn as it is, with the ways on from it. */
export function RecorderCard() {
  const { t } = useTranslation();
  const { recorder } = useServices();
  const link = useStore(recorder.link);
  const show = useToast();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);

  if (link.status === 'none') {
    return (
      <section className="section">
        <h2 className="section-title">{t('me.recorder')}</h2>
        <div className="card recorder-none">
          <RecorderDrawing face="off" height={112} />
          <p>{t('files.emptyUnbound')}</p>
          <GoLink to={paths.deviceConnect} className="button" data-look="primary">
            {t('files.connect')}
          </GoLink>
        </div>
      </section>
    );
  }

  const connected = link.status === 'connected' ? link.recorder : null;
  const unbind = async () => {
    setBusy(true);
    const answer = await recorder.unbind();
    setBusy(false);
    setAsking(false);
    if (answer.ok) {
      show({ words: t('me.unbound', { name: link.name }) });
      return;
    }
    const words = recorderWords(t, answer.failure);
    const sentence = words.todo ? `${words.what}. ${words.todo}` : words.what;
    show({ words: sentence, kind: 'error', sticky: words.sticky });
  };

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
            {connected && <Vitals recorder={connected} />}
          </div>
        </div>
        {connected ? (
          <GoLink to={paths.deviceFiles} className="line">
            <span className="line-words">{t('me.openSessions')}</span>
            <span className="line-end">
              <ChevronRight className="turns" size={18} aria-hidden="true" />
            </span>
          </GoLink>
        ) : (
          <GoLink to={paths.deviceConnect} className="line">
            <span className="line-words">{t('connect.reconnect', { name: link.name })}</span>
            <span className="line-end">
              <ChevronRight className="turns" size={18} aria-hidden="true" />
            </span>
          </GoLink>
        )}
        <button
          type="button"
          className="line"
          onClick={() =>
            connected ? setAsking(true) : show({ words: t('me.unbindNeedsLink'), kind: 'error' })
          }
        >
          <span className="line-words">{t('me.unbind')}</span>
          <span className="line-end">
            <Link2Off size={18} aria-hidden="true" />
          </span>
        </button>
      </div>
      {asking && (
        <Confirm
          title={t('me.unbindTitle', { name: link.name })}
          go={t('me.unbind')}
          danger
          busy={busy}
          onCancel={() => setAsking(false)}
          onGo={() => void unbind()}
        >
          {t('me.unbindText')}
        </Confirm>
      )}
    </section>
  );
}

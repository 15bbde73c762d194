import { useState } from 'react';
import { GoLink } from '../../app-shell/navigation.tsx';
import { paths } from '../../app-shell/pages.ts';
import { useServices } from '../../app-shell/services-context.ts';
import { recorderWords } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import type { LinkState, RecorderFailure } from '../../services.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RecorderDrawing } from '../../ui/recorder.tsx';

/** The recorder that is bound here already: connected, on its way, or a tap away. */
export function Reconnect({
  link,
  onAnother,
}: {
  link: Exclude<LinkState, { status: 'none' }>;
  onAnother(): void;
}) {
  const { t } = useTranslation();
  const { recorder } = useServices();
  const [failure, setFailure] = useState<RecorderFailure | null>(null);
  const words = failure && link.status === 'idle' ? recorderWords(t, failure) : null;
  const connect = async () => {
    setFailure(null);
    const answer = await recorder.reconnect();
    if (!answer.ok) setFailure(answer.failure);
  };
  return (
    <>
      <div className="connect-hero" role="status">
        <span className="connect-waves" data-still={link.status !== 'connecting' || undefined}>
          <span />
          <span />
          <span />
          <RecorderDrawing
            face={
              link.status === 'connected'
                ? 'bound'
                : link.status === 'connecting'
                  ? 'searching'
                  : 'off'
            }
          />
        </span>
        <h2 className="display" dir="auto">
          {link.status === 'connecting'
            ? t('connect.reconnecting', { name: link.name })
            : link.name}
        </h2>
        <p>{link.status === 'connected' ? t('me.connected') : null}</p>
        {link.status === 'idle' && <p>{t(`connect.lost.${link.why}`)}</p>}
      </div>
      {words && <Notice what={words.what} means={words.todo} code={words.code} />}
      <div className="connect-actions">
        {link.status === 'connected' ? (
          <GoLink to={paths.deviceFiles} className="button" data-look="primary">
            {t('connect.toSessions')}
          </GoLink>
        ) : (
          <Button
            look="primary"
            busy={link.status === 'connecting'}
            data-testid="reconnect"
            onClick={() => void connect()}
          >
            {t('connect.reconnect', { name: link.name })}
          </Button>
        )}
        <Button look="quiet" onClick={onAnother}>
          {t('connect.another')}
        </Button>
      </div>
    </>
  );
}

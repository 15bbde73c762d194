import ChevronRight from 'lucide-react/icons/chevron-right';
import { useState } from 'react';
import { disconnectedReason } from '../../i18n/disconnected-reason.ts';
import { describeRecorderFailure } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { Section } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices } from '../../page-kit/services-context.ts';
import type { LinkState, RecorderFailure } from '../../ports/recorder.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RecorderDrawing } from '../../ui/recorder.tsx';
import { joinPath } from '../wifi/join-path.ts';

/** Shows the recorder bound to this account, with its connection state and a reconnect button. */
export function Reconnect({
  link,
  onBindAgain,
  onAnother,
}: {
  link: Exclude<LinkState, { status: 'none' }>;
  onBindAgain(): void;
  onAnother(): void;
}) {
  const { t } = useTranslation();
  const { recorder } = useServices();
  const [failure, setFailure] = useState<RecorderFailure | null>(null);
  const [isForgetting, setForgetting] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const isOff = link.status !== 'connected' && link.status !== 'connecting';
  const failureText = failure && isOff ? describeRecorderFailure(t, failure) : null;
  const isSearching = link.status === 'connecting' || link.status === 'reconnecting';
  const reason = disconnectedReason(link);
  const otherRecorders = recorder.known().filter(({ sn }) => sn !== link.sn);
  const connect = async (sn?: string) => {
    setFailure(null);
    const result = await recorder.reconnect(sn);
    if (!result.ok) setFailure(result.failure);
  };
  const forget = async () => {
    setBusy(true);
    const result = await recorder.forget(link.sn);
    setBusy(false);
    setForgetting(false);
    if (!result.ok) setFailure(result.failure);
  };
  return (
    <>
      <div className="connect-hero" role="status">
        <span className="connect-waves" data-still={!isSearching || undefined}>
          <span />
          <span />
          <span />
          <RecorderDrawing
            face={link.status === 'connected' ? 'bound' : isSearching ? 'searching' : 'off'}
          />
        </span>
        <h2 className="display" dir="auto">
          {link.status === 'connecting'
            ? t('connect.reconnecting', { name: link.name })
            : link.name}
        </h2>
        <p>{link.status === 'connected' ? t('me.connected') : null}</p>
        {reason && <p data-testid="link-why">{t(`connect.lost.${reason}`)}</p>}
      </div>
      {failureText && (
        <Notice message={failureText.message} detail={failureText.advice} code={failureText.code} />
      )}
      <div className="connect-actions">
        {link.status === 'connected' ? (
          <PageLink to={paths.deviceFiles} className="button" data-look="primary">
            {t('connect.toSessions')}
          </PageLink>
        ) : reason === 'unbound' ? (
          <>
            <Button variant="primary" data-testid="bind-again" onClick={onBindAgain}>
              {t('connect.bindAgain')}
            </Button>
            <Button variant="quiet" data-testid="forget" onClick={() => setForgetting(true)}>
              {t('connect.forget', { name: link.name })}
            </Button>
          </>
        ) : link.status === 'hotspot' ? (
          <PageLink to={joinPath(link.joining)} className="button" data-look="primary">
            {t('connect.toNetwork')}
          </PageLink>
        ) : (
          <Button
            variant="primary"
            busy={link.status === 'connecting'}
            data-testid="reconnect"
            onClick={() => void connect()}
          >
            {t('connect.reconnect', { name: link.name })}
          </Button>
        )}
        <Button variant="quiet" onClick={onAnother}>
          {t('connect.another')}
        </Button>
      </div>
      {isForgetting && (
        <Confirm
          title={t('connect.forgetTitle', { name: link.name })}
          confirmLabel={t('connect.forget', { name: link.name })}
          danger
          busy={isBusy}
          onCancel={() => setForgetting(false)}
          onConfirm={() => void forget()}
        >
          {t('connect.forgetText')}
        </Confirm>
      )}
      {otherRecorders.length > 0 && (
        <Section title={t('connect.others')}>
          {otherRecorders.map(({ sn, name }) => (
            <button
              key={sn}
              type="button"
              className="line found-line"
              data-testid="known-recorder"
              data-sn={sn}
              onClick={() => void connect(sn)}
            >
              <RecorderDrawing face="off" height={48} />
              <span className="line-words">
                <span dir="auto">{name}</span>
                <bdi>{sn}</bdi>
              </span>
              <ChevronRight className="turns" size={20} aria-hidden="true" />
            </button>
          ))}
        </Section>
      )}
    </>
  );
}

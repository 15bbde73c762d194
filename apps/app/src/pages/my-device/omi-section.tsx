import { useState } from 'react';
import { describeRecorderFailure } from '../../i18n/failures.ts';
import { formatPercentage } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { Section } from '../../page-kit/page.tsx';
import { useSaveSetting } from '../../page-kit/saving.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { OmiState } from '../../ports/omi.ts';
import type { RecorderFailure } from '../../ports/recorder.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Battery } from '../../ui/recorder.tsx';
import { SwitchLine } from '../../ui/switch-line.tsx';

type PresentState = Exclude<OmiState, { status: 'none' }>;

/** The state of an Omi, with its battery and firmware while it's connected. */
function OmiFacts({ omi }: { omi: PresentState }) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (omi.status !== 'connected') {
    return <p data-testid="omi-link">{t(`connection.state.${omi.status}`)}</p>;
  }
  const { info, power, transfer } = omi;
  const charge =
    power.level !== null &&
    t(power.isCharging ? 'me.charging' : 'me.battery', {
      percent: formatPercentage(power.level, language),
    });
  return (
    <>
      <p data-testid="omi-link">{t('me.connected')}</p>
      {power.level !== null && charge && (
        <p className="device-battery" data-testid="omi-battery">
          <Battery level={power.level} charging={power.isCharging} label={charge} />
          <span aria-hidden="true">{charge}</span>
        </p>
      )}
      {transfer !== null && (
        <p role="status" data-testid="omi-transfer">
          {t('state.fetching', { percent: formatPercentage(transfer, language) })}
        </p>
      )}
      <dl className="device-facts">
        <div className="line">
          <dt>{t('myDevice.model')}</dt>
          <dd>
            <bdi>{info.model}</bdi>
          </dd>
        </div>
        <div className="line">
          <dt>{t('myDevice.firmware')}</dt>
          <dd>
            <bdi>{info.firmware}</bdi>
          </dd>
        </div>
      </dl>
    </>
  );
}

/**
 * Lets the owner of an Omi apply the storage setting to it: an Omi is found without proof of whose it is, so nothing is
 * deleted from it unasked. Shown only if the setting doesn't keep recordings on recorders.
 */
function OmiStorage() {
  const { t } = useTranslation();
  const { mayDelete, setMayDelete } = useServices().omi;
  const isDeleting = useStore(mayDelete);
  const setting = useSaveSetting();
  const [isAsking, setAsking] = useState(false);
  if (setting?.devcieSave !== 0) return null;
  return (
    <>
      <SwitchLine
        label={t('storage.location.places.recorder')}
        hint={t(`storage.location.${isDeleting ? 'off' : 'on'}.recorder`)}
        checked={!isDeleting}
        testId="omi-keep"
        onChange={(keeps) => (keeps ? setMayDelete(false) : setAsking(true))}
      />
      {isAsking && (
        <Confirm
          title={t('storage.location.offTitle.recorder')}
          confirmLabel={t('storage.location.offGo')}
          danger
          onCancel={() => setAsking(false)}
          onConfirm={() => {
            setMayDelete(true);
            setAsking(false);
          }}
        >
          {t('storage.location.off.recorder')}
        </Confirm>
      )}
    </>
  );
}

/** Shows the account's Omi, and connects, disconnects or removes it. */
export function OmiSection() {
  const { t } = useTranslation();
  const service = useServices().omi;
  const omi = useStore(service.state);
  const [failure, setFailure] = useState<RecorderFailure | null>(null);
  const [isForgetting, setForgetting] = useState(false);
  if (omi.status === 'none') return null;
  const { name } = omi;
  const connect = async () => {
    setFailure(null);
    const outcome = await service.reconnect();
    if (!outcome.ok) setFailure(outcome.failure);
  };
  const failureText = failure && describeRecorderFailure(t, failure);
  return (
    <Section title={name}>
      <div className="omi" data-testid="omi" data-status={omi.status}>
        <OmiFacts omi={omi} />
        {failureText && (
          <Notice
            message={failureText.message}
            detail={failureText.advice}
            code={failureText.code}
          />
        )}
        <p>{t('connect.omiNotice')}</p>
        <OmiStorage />
        <div className="omi-actions">
          {omi.status === 'connected' ? (
            <Button data-testid="omi-disconnect" onClick={() => void service.disconnect()}>
              {t('connection.disconnect')}
            </Button>
          ) : (
            <Button
              busy={omi.status === 'connecting'}
              data-testid="omi-connect"
              onClick={() => void connect()}
            >
              {t('connect.reconnect', { name })}
            </Button>
          )}
          <Button variant="quiet" data-testid="omi-forget" onClick={() => setForgetting(true)}>
            {t('connect.forget', { name })}
          </Button>
        </div>
      </div>
      {isForgetting && (
        <Confirm
          title={t('connect.forgetTitle', { name })}
          confirmLabel={t('connect.forget', { name })}
          danger
          onCancel={() => setForgetting(false)}
          onConfirm={() => void service.forget()}
        >
          {t('connect.forgetText')}
        </Confirm>
      )}
    </Section>
  );
}

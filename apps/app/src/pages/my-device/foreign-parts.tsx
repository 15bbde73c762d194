/** Components shared by the My recorder page's sections for third-party recorders. */
import { useState } from 'react';
import { describeRecorderFailure } from '../../i18n/failures.ts';
import { formatPercentage } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import type { ForeignDisconnected, ForeignService } from '../../ports/foreign.ts';
import type { RecorderFailure } from '../../ports/recorder.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Battery } from '../../ui/recorder.tsx';

export function RecorderFailureNotice({ failure }: { failure: RecorderFailure }) {
  const { t } = useTranslation();
  const { message, advice, code } = describeRecorderFailure(t, failure);
  return <Notice message={message} detail={advice} code={code} />;
}

/** Shows the battery level. */
export function BatteryLine({
  level,
  isCharging,
  testId,
}: {
  /** The charge in percent. */
  level: number;
  isCharging: boolean;
  testId: string;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const charge = t(isCharging ? 'me.charging' : 'me.battery', {
    percent: formatPercentage(level, language),
  });
  return (
    <p className="device-battery" data-testid={testId}>
      <Battery level={level} charging={isCharging} label={charge} />
      <span aria-hidden="true">{charge}</span>
    </p>
  );
}

/** Connects, disconnects and removes a recorder. */
export function ForeignActions({
  service,
  name,
  status,
  testId,
}: {
  service: Pick<ForeignService<unknown>, 'reconnect' | 'disconnect' | 'forget'>;
  name: string;
  /** `key_needed`: it can't connect until the user enters its key. */
  status: ForeignDisconnected['status'] | 'connected' | 'key_needed';
  /** Prefix of the test IDs. */
  testId: string;
}) {
  const { t } = useTranslation();
  const [failure, setFailure] = useState<RecorderFailure | null>(null);
  const [isForgetting, setForgetting] = useState(false);
  const connect = async () => {
    setFailure(null);
    const outcome = await service.reconnect();
    if (!outcome.ok) setFailure(outcome.failure);
  };
  return (
    <>
      {failure && <RecorderFailureNotice failure={failure} />}
      <div className="foreign-actions">
        {status === 'connected' ? (
          <Button data-testid={`${testId}-disconnect`} onClick={() => void service.disconnect()}>
            {t('connection.disconnect')}
          </Button>
        ) : status === 'key_needed' ? null : (
          <Button
            busy={status === 'connecting'}
            data-testid={`${testId}-connect`}
            onClick={() => void connect()}
          >
            {t('connect.reconnect', { name })}
          </Button>
        )}
        <Button
          variant="quiet"
          data-testid={`${testId}-forget`}
          onClick={() => setForgetting(true)}
        >
          {t('connect.forget', { name })}
        </Button>
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
    </>
  );
}

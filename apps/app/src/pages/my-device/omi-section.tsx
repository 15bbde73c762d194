import { useState } from 'react';
import { formatPercentage } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { Section } from '../../page-kit/page.tsx';
import { useStorageSetting } from '../../page-kit/saving.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { OmiState } from '../../ports/omi.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { SwitchLine } from '../../ui/switch-line.tsx';
import { BatteryLine, ForeignActions } from './foreign-parts.tsx';

type AddedState = Exclude<OmiState, { status: 'none' }>;

/** The state of an Omi, with its battery and firmware while it's connected. */
function OmiFacts({ omi }: { omi: AddedState }) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (omi.status !== 'connected') {
    return <p data-testid="omi-link">{t(`connection.state.${omi.status}`)}</p>;
  }
  const { info, power, transfer } = omi;
  return (
    <>
      <p data-testid="omi-link">{t('me.connected')}</p>
      {power.level !== null && (
        <BatteryLine level={power.level} isCharging={power.isCharging} testId="omi-battery" />
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
 * Lets the user apply the storage setting to the Omi. An Omi connects without proof of ownership, so nothing is deleted
 * from it without the user's consent. Shown only if the setting doesn't keep recordings on recorders.
 */
function OmiStorage() {
  const { t } = useTranslation();
  const { mayDelete, setMayDelete } = useServices().omi;
  const isDeleting = useStore(mayDelete);
  const setting = useStorageSetting();
  const [isAsking, setAsking] = useState(false);
  if (setting?.devcieSave !== 0) return null;
  return (
    <>
      <SwitchLine
        label={t('storage.location.places.recorder')}
        hint={t(`storage.location.${isDeleting ? 'off' : 'on'}.recorder`)}
        checked={!isDeleting}
        testId="omi-keep"
        onChange={(isKept) => (isKept ? setMayDelete(false) : setAsking(true))}
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
  if (omi.status === 'none') return null;
  const { name, status } = omi;
  return (
    <Section title={name}>
      <div className="foreign" data-testid="omi" data-status={status}>
        <OmiFacts omi={omi} />
        <p>{t('connect.omiNotice')}</p>
        <OmiStorage />
        <ForeignActions service={service} name={name} status={status} testId="omi" />
      </div>
    </Section>
  );
}

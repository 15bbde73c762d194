import Cpu from 'lucide-react/icons/cpu';
import { formatPercentage } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { NavRow } from '../../page-kit/nav-row.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { ConnectedRecorder } from '../../ports/recorder.ts';

/** Shows the firmware version and any available update. Links to the update page if the recorder can be updated. */
export function FirmwareLine({ device }: { device: ConnectedRecorder }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { firmware } = useServices().recorder;
  const offered = useStore(firmware.offered);
  const update = useStore(firmware.update);
  const version = device.info.firmwareVersion;
  const latestVersion = offered.status === 'found' ? offered.firmware.version : null;
  const isReady = latestVersion !== null && latestVersion !== version;
  const hint =
    update.status === 'sending'
      ? t('myDevice.firmwareUpdating', { percent: formatPercentage(update.percent, language) })
      : latestVersion === null
        ? null
        : isReady
          ? t('myDevice.firmwareReady', { version: latestVersion })
          : t('myDevice.firmwareNewest');
  if (!device.capabilities.updatesFirmware) {
    return (
      <p className="card line">
        <Cpu size={20} aria-hidden="true" />
        <span className="line-words">{t('myDevice.firmware')}</span>
        <bdi className="line-end tabular" data-testid="firmware-version">
          {version}
        </bdi>
      </p>
    );
  }
  return (
    <div className="card">
      <NavRow
        to={paths.upgrade}
        icon={Cpu}
        label={t('myDevice.firmware')}
        hint={isReady ? <span className="firmware-ready">{hint}</span> : hint}
        end={<span data-testid="firmware-version">{version}</span>}
        testId="to-upgrade"
      />
    </div>
  );
}

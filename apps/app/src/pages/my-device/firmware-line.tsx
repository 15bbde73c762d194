import Cpu from 'lucide-react/icons/cpu';
import { percentage } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { NavRow } from '../../page-kit/nav-row.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';

/** The firmware version and any available update, with a link to the update page. */
export function FirmwareLine({ version }: { version: string }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { firmware } = useServices().recorder;
  const offered = useStore(firmware.offered);
  const update = useStore(firmware.update);
  const found = offered.status === 'found' ? offered.firmware.version : null;
  const isReady = found !== null && found !== version;
  const words =
    update.status === 'sending'
      ? t('myDevice.firmwareUpdating', { percent: percentage(update.percent, language) })
      : found === null
        ? null
        : isReady
          ? t('myDevice.firmwareReady', { version: found })
          : t('myDevice.firmwareNewest');
  return (
    <div className="card">
      <NavRow
        to={paths.upgrade}
        icon={Cpu}
        label={t('myDevice.firmware')}
        hint={isReady ? <span className="firmware-ready">{words}</span> : words}
        end={<span data-testid="firmware-version">{version}</span>}
        testId="to-upgrade"
      />
    </div>
  );
}

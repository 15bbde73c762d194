import ChevronRight from 'lucide-react/icons/chevron-right';
import Cpu from 'lucide-react/icons/cpu';
import { GoLink } from '../../app-shell/navigation.tsx';
import { paths } from '../../app-shell/pages.ts';
import { useServices, useStore } from '../../app-shell/services-context.ts';
import { percentage } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';

/** What the recorder runs, whether there is something else for it, and the way there. */
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
      <GoLink to={paths.upgrade} className="line" data-testid="to-upgrade" data-ready={isReady}>
        <Cpu size={20} aria-hidden="true" />
        <span className="line-words">
          <span>{t('myDevice.firmware')}</span>
          {words && <span className={isReady ? 'firmware-ready' : undefined}>{words}</span>}
        </span>
        <span className="line-end">
          <bdi className="tabular" data-testid="firmware-version">
            {version}
          </bdi>
          <ChevronRight className="turns" size={18} aria-hidden="true" />
        </span>
      </GoLink>
    </div>
  );
}

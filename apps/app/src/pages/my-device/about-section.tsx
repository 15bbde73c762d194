import type { RecorderInfo } from '@linnet/device/session';
import Copy from 'lucide-react/icons/copy';
import { useTranslation } from '../../i18n/index.ts';
import { Section } from '../../page-kit/page.tsx';
import { IconButton } from '../../ui/button.tsx';
import { useCopy } from '../../ui/copy.ts';

/** Shows the recorder's model, serial number and address. */
export function AboutSection({ info }: { info: RecorderInfo }) {
  const { t } = useTranslation();
  const copy = useCopy();
  return (
    <Section title={t('myDevice.about')}>
      <dl className="device-facts">
        <div className="line">
          <dt>{t('myDevice.serial')}</dt>
          <dd>
            <bdi data-testid="serial">{info.sn}</bdi>
            <IconButton label={t('myDevice.copySerial')} onClick={() => void copy(info.sn)}>
              <Copy size={18} />
            </IconButton>
          </dd>
        </div>
        <div className="line">
          <dt>{t('myDevice.model')}</dt>
          <dd>
            <bdi>{info.projectCode}</bdi>
          </dd>
        </div>
        <div className="line">
          <dt>{t('myDevice.address')}</dt>
          <dd>
            <bdi className="tabular">{info.mac}</bdi>
          </dd>
        </div>
      </dl>
    </Section>
  );
}

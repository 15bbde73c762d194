import type { RecorderInfo } from '@linnet/device/session';
import Copy from 'lucide-react/icons/copy';
import { Section } from '../../app-shell/page.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { IconButton } from '../../ui/button.tsx';
import { useToast } from '../../ui/toast.tsx';

/** Which recorder it is. */
export function AboutSection({ info }: { info: RecorderInfo }) {
  const { t } = useTranslation();
  const show = useToast();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(info.sn);
      show({ words: t('myDevice.copied') });
    } catch {
      // The browser does not allow it, and says no more than that.
      show({ words: t('myDevice.copyFailed'), kind: 'error' });
    }
  };
  return (
    <Section title={t('myDevice.about')}>
      <dl className="device-facts">
        <div className="line">
          <dt>{t('myDevice.serial')}</dt>
          <dd>
            <bdi data-testid="serial">{info.sn}</bdi>
            <IconButton label={t('myDevice.copySerial')} onClick={() => void copy()}>
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

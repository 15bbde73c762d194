import { useTranslation } from '../../i18n/index.ts';
import { GoLink } from '../../page-kit/navigation.tsx';
import { paths } from '../../page-kit/paths.ts';
import { Empty } from '../../ui/notice.tsx';
import { RecorderDrawing } from '../../ui/recorder.tsx';

/** Shown while the recorder's hotspot is off. */
export function NoNetwork() {
  const { t } = useTranslation();
  return (
    <Empty
      title={t('wifi.gone')}
      drawing={<RecorderDrawing face="off" />}
      action={
        <GoLink to={paths.wifiTransmission} replace className="button" data-look="primary">
          {t('wifi.toChoice')}
        </GoLink>
      }
    >
      {t('wifi.goneHint')}
    </Empty>
  );
}

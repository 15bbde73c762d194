import { useTranslation } from '../../i18n/index.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { paths } from '../../page-kit/paths.ts';
import { EmptyState } from '../../ui/notice.tsx';
import { RecorderDrawing } from '../../ui/recorder.tsx';

/** Shown while the recorder's hotspot is off. */
export function NoNetwork() {
  const { t } = useTranslation();
  return (
    <EmptyState
      title={t('wifi.gone')}
      drawing={<RecorderDrawing face="off" />}
      action={
        <PageLink to={paths.wifiTransmission} replace className="button" data-look="primary">
          {t('wifi.toChoice')}
        </PageLink>
      }
    >
      {t('wifi.goneHint')}
    </EmptyState>
  );
}

import { formatCount, formatPercentage, formatSize } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import type { ConnectedRecorder } from '../../ports/recorder.ts';
import { StorageChart } from '../../ui/space-picture.tsx';
import { type SpacePart, spaceParts } from './space.ts';

/** Usage thresholds in percent for storage warnings. */
const FILLING_UP_PERCENT = 80;
const ALMOST_FULL_PERCENT = 95;

/** Warns if the recorder is full or nearly full. */
function StorageWarning({ storage }: Pick<ConnectedRecorder, 'storage'>) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (storage.isFull) return <p className="space-full">{t('me.full')}</p>;
  const usedPercent = 100 - (100 * storage.free) / Math.max(1, storage.totalSpace);
  if (usedPercent < FILLING_UP_PERCENT) return null;
  const messageKey = usedPercent < ALMOST_FULL_PERCENT ? 'me.fillingUp' : 'me.almostFull';
  return (
    <p className="space-full" role="status" data-testid="storage-warning">
      {t(messageKey, { percent: formatPercentage(Math.floor(usedPercent), language) })}
    </p>
  );
}

/**
 * Shows how the recorder's storage is used: sessions also on the phone, sessions only on the recorder, and
 * free space.
 */
export function RecorderSpace({ device }: { device: ConnectedRecorder }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { storage } = device;
  const amount = ({ name, bytes, recordings }: SpacePart) => {
    if (recordings !== null) {
      return t('myDevice.holds', {
        count: recordings,
        formatted: formatCount(recordings, language),
        size: formatSize(bytes, language),
      });
    }
    return name === 'free'
      ? t('myDevice.ofTotal', {
          size: formatSize(bytes, language),
          total: formatSize(storage.totalSpace, language),
        })
      : formatSize(bytes, language);
  };
  return (
    <>
      <StorageChart
        parts={spaceParts(device).map((part) => ({
          name: part.name,
          bytes: part.bytes,
          label: t(`myDevice.parts.${part.name}`),
          amount: amount(part),
        }))}
        label={t('myDevice.spaceRing', {
          free: formatSize(storage.free, language),
          total: formatSize(storage.totalSpace, language),
        })}
        figure={formatPercentage((100 * storage.free) / Math.max(1, storage.totalSpace), language)}
        figureLabel={t('myDevice.freeShare')}
      />
      <StorageWarning storage={storage} />
    </>
  );
}

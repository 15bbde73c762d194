import { count, percentage, size } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import type { ConnectedRecorder } from '../../services.ts';
import { SpacePicture } from '../../ui/space-picture.tsx';
import { type SpacePart, spaceParts } from './space.ts';

/** What fills the recorder: what is safe here too, what is there alone, and what is free. */
export function RecorderSpace({ device }: { device: ConnectedRecorder }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { storage } = device;
  const amount = ({ name, bytes, recordings }: SpacePart) => {
    if (recordings !== null) {
      return t('myDevice.holds', {
        count: recordings,
        formatted: count(recordings, language),
        size: size(bytes, language),
      });
    }
    return name === 'free'
      ? t('myDevice.ofTotal', {
          size: size(bytes, language),
          total: size(storage.totalSpace, language),
        })
      : size(bytes, language);
  };
  return (
    <>
      <SpacePicture
        parts={spaceParts(device).map((part) => ({
          name: part.name,
          bytes: part.bytes,
          words: t(`myDevice.parts.${part.name}`),
          amount: amount(part),
        }))}
        label={t('myDevice.spaceRing', {
          free: size(storage.free, language),
          total: size(storage.totalSpace, language),
        })}
        figure={percentage((100 * storage.free) / Math.max(1, storage.totalSpace), language)}
        figureWords={t('myDevice.freeShare')}
      />
      {storage.isFull && <p className="space-full">{t('me.full')}</p>}
    </>
  );
}

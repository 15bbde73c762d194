import { downloadCandidate, findPhoneCopySurvivor } from '@linnet/sync';
import Cloud from 'lucide-react/icons/cloud';
import Download from 'lucide-react/icons/download';
import HardDrive from 'lucide-react/icons/hard-drive';
import Smartphone from 'lucide-react/icons/smartphone';
import Trash2 from 'lucide-react/icons/trash-2';
import X from 'lucide-react/icons/x';
import { useState } from 'react';
import { formatPercentage, formatSize } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { vibrate } from '../../../page-kit/media.ts';
import { Section } from '../../../page-kit/page.tsx';
import { useAttemptSave, useStorageSetting } from '../../../page-kit/saving.ts';
import { useServices } from '../../../page-kit/services-context.ts';
import { IconButton } from '../../../ui/button.tsx';
import { ProgressRing } from '../../../ui/ring.tsx';
import { useToast } from '../../../ui/toast.tsx';
import type { OpenRecord } from '../open-record.ts';

const places = [
  { place: 'recorder', icon: <HardDrive size={20} aria-hidden="true" /> },
  { place: 'phone', icon: <Smartphone size={20} aria-hidden="true" /> },
  { place: 'cloud', icon: <Cloud size={20} aria-hidden="true" /> },
] as const;

/**
 * Returns a copy's size in bytes. The phone's copy includes the denoised version, which is as large as the original.
 */
function bytesAt(record: OpenRecord, place: keyof OpenRecord['copies']): number {
  const copy = record.copies[place];
  if (copy.status === 'absent') return 0;
  const hasDenoised = place === 'phone' && record.local_noise_file !== '';
  return copy.bytes + (hasDenoised ? record.audioBytes : 0);
}

/** Shows a download's progress, with a cancel button. */
function Downloading({ id, fraction }: { id: string; fraction: number }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library } = useServices();
  const trySave = useAttemptSave();
  const percent = Math.floor(fraction * 100);
  const progressText = t('audio.downloading', { percent: formatPercentage(percent, language) });
  return (
    <div className="line" data-testid="downloading">
      <ProgressRing percent={percent} label={progressText} />
      <span className="line-words">
        <span className="tabular">{progressText}</span>
        <progress max={1} value={fraction} aria-hidden="true" />
      </span>
      <IconButton
        label={t('common.cancel')}
        data-testid="download-cancel"
        onClick={() => void trySave(library.cancelDownload(id))}
      >
        <X size={20} />
      </IconButton>
    </div>
  );
}

/** A button that downloads the audio to this phone or removes it from the phone. */
function PhoneAction({ record }: { record: OpenRecord }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library, phoneSpace } = useServices();
  const setting = useStorageSetting();
  const show = useToast();
  const trySave = useAttemptSave();
  const [isBusy, setBusy] = useState(false);

  if (record.movement?.step === 'download') {
    return <Downloading id={record.id} fraction={record.movement.fraction} />;
  }
  const download = () => void trySave(library.download(record.id));
  if (downloadCandidate(record)) {
    return (
      <button type="button" className="line" data-testid="download" onClick={download}>
        <Download size={20} aria-hidden="true" />
        <span className="line-words">
          <span>{t('audio.download')}</span>
          <span>{t('audio.downloadHint')}</span>
        </span>
      </button>
    );
  }
  if (!setting || !findPhoneCopySurvivor(record.copies, setting)) return null;
  const remove = async () => {
    setBusy(true);
    vibrate('delete');
    const result = await phoneSpace.free([record.id], { fromRecordingPage: true });
    setBusy(false);
    if (!result.ok) {
      const messageKey =
        result.code === 'server' ? 'storage.space.notFreed' : 'storage.space.notNoted';
      show({ message: t(messageKey), kind: 'error' });
    } else if (result.retained.length > 0) {
      const [retainedReason] = result.retained;
      show({ message: t(`audio.stays.${retainedReason?.reason ?? 'failed'}`), kind: 'error' });
    } else {
      show({
        message: t('audio.removed', { size: formatSize(result.bytes, language) }),
        action: { label: t('common.undo'), run: download },
      });
    }
  };
  return (
    <button
      type="button"
      className="line"
      data-testid="remove-from-phone"
      disabled={isBusy}
      onClick={() => void remove()}
    >
      <Trash2 size={20} aria-hidden="true" />
      <span className="line-words">
        <span>{t('audio.remove')}</span>
        <span>{t('audio.removeHint')}</span>
      </span>
    </button>
  );
}

/** Lists where a recording's audio is stored, with actions for this phone. */
export function CopiesSection({ record }: { record: OpenRecord }) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <Section title={t('audio.where')}>
      {places.map(({ place, icon }) => {
        const copy = record.copies[place];
        const percentText =
          copy.status === 'partial' && record.audioBytes > 0
            ? formatPercentage((100 * copy.bytes) / record.audioBytes, language)
            : formatPercentage(0, language);
        return (
          <div
            className="line"
            key={place}
            data-testid={`copy-${place}`}
            data-status={copy.status}
            data-there={copy.status !== 'absent' || undefined}
          >
            {icon}
            <span className="line-words">
              <span>{t(`steps.places.${place}`)}</span>
              <span>
                {copy.status === 'partial'
                  ? t('audio.partial', { percent: percentText })
                  : t(`audio.${copy.status}`)}
              </span>
            </span>
            {copy.status !== 'absent' && (
              <bdi className="line-end tabular">{formatSize(bytesAt(record, place), language)}</bdi>
            )}
          </div>
        );
      })}
      <PhoneAction record={record} />
    </Section>
  );
}

import type { AudioStoreErrorCode, AudioVersion } from '@linnet/sync';
import AudioLines from 'lucide-react/icons/audio-lines';
import Lock from 'lucide-react/icons/lock';
import Trash2 from 'lucide-react/icons/trash-2';
import X from 'lucide-react/icons/x';
import { formatPercentage, formatSize } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { vibrate } from '../../../page-kit/media.ts';
import { MembershipLink } from '../../../page-kit/membership-link.tsx';
import { useMember, useServices, useStore } from '../../../page-kit/services-context.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { SegmentedControl } from '../../../ui/choice.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ProgressRing } from '../../../ui/ring.tsx';
import { useToast } from '../../../ui/toast.tsx';
import type { OpenRecord } from '../open-record.ts';

function Working({ record, fraction }: { record: OpenRecord; fraction: number }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { denoiser } = useServices();
  const percent = Math.floor(fraction * 100);
  const progressText = t('audio.noise.working', { percent: formatPercentage(percent, language) });
  return (
    <div className="line" data-testid="noise-working">
      <ProgressRing percent={percent} label={progressText} />
      <span className="line-words">
        <span className="tabular">{progressText}</span>
        <span>{t('audio.noise.workingHint')}</span>
      </span>
      <IconButton
        label={t('common.cancel')}
        data-testid="noise-cancel"
        onClick={() => denoiser.cancel(record.id)}
      >
        <X size={20} />
      </IconButton>
    </div>
  );
}

/** The selected audio version, and a function to change it. */
export type VersionChoice = {
  readonly record: OpenRecord;
  readonly audioVersion: AudioVersion;
  onSelectVersion(version: AudioVersion): void;
};

function Versions({ record, audioVersion, onSelectVersion }: VersionChoice) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { denoiser } = useServices();
  const show = useToast();
  async function remove(): Promise<void> {
    vibrate('delete');
    await denoiser.remove(record.id);
    show({
      message: t('audio.noise.deleted'),
      action: { label: t('common.undo'), run: () => void denoiser.restore(record.id) },
    });
  }
  return (
    <>
      <div className="noise-versions" data-testid="noise-versions">
        <SegmentedControl
          label={t('audio.noise.which')}
          value={audioVersion}
          options={[
            { value: 'original', label: t('audio.noise.original') },
            { value: 'cleaner', label: t('audio.noise.cleaner') },
          ]}
          onChange={onSelectVersion}
        />
      </div>
      <button
        type="button"
        className="line"
        data-testid="noise-delete"
        onClick={() => void remove()}
      >
        <Trash2 size={20} aria-hidden="true" />
        <span className="line-words">
          <span>{t('audio.noise.delete')}</span>
          <span>{t('audio.noise.deleteHint')}</span>
        </span>
        <bdi className="line-end tabular">{formatSize(record.audioBytes, language)}</bdi>
      </button>
    </>
  );
}

function Failed({ code, onRetry }: { code: AudioStoreErrorCode; onRetry(): void }) {
  const { t } = useTranslation();
  const isStorageFull = code === 'storage_full';
  return (
    <Notice
      message={t(isStorageFull ? 'audio.noise.full' : 'audio.noise.failed')}
      detail={t(isStorageFull ? 'audio.noise.fullMeans' : 'audio.noise.failedMeans')}
      code={`noise ${code}`}
      action={<Button onClick={onRetry}>{t('common.retry')}</Button>}
    />
  );
}

/** Creates and manages the denoised version, which is computed on the phone and requires membership. */
export function NoiseSection({ record, audioVersion, onSelectVersion }: VersionChoice) {
  const { t } = useTranslation();
  const { denoiser } = useServices();
  const denoising = useStore(denoiser.state).get(record.id);
  const isAllowed = useMember();
  const isOnPhone = record.copies.phone.status === 'verified';
  const start = () => void denoiser.start(record.id);

  if (denoising?.status === 'failed') {
    return (
      <section className="section" data-testid="noise">
        <h2 className="section-title">{t('audio.noise.title')}</h2>
        <Failed code={denoising.code} onRetry={start} />
      </section>
    );
  }
  return (
    <section className="section" data-testid="noise">
      <h2 className="section-title">{t('audio.noise.title')}</h2>
      <div className="card">
        {denoising ? (
          <Working record={record} fraction={denoising.fraction} />
        ) : record.local_noise_file ? (
          <Versions record={record} audioVersion={audioVersion} onSelectVersion={onSelectVersion} />
        ) : isAllowed ? (
          <div className="noise-offer">
            <AudioLines className="noise-icon" size={20} aria-hidden="true" />
            <p>{t(isOnPhone ? 'audio.noise.lead' : 'audio.noise.notHere')}</p>
            {isOnPhone && (
              <Button data-testid="reduce-noise" onClick={start}>
                {t('audio.noise.reduce')}
              </Button>
            )}
          </div>
        ) : (
          <div className="noise-offer" data-testid="noise-locked">
            <Lock
              className="noise-icon"
              size={20}
              role="img"
              aria-label={t('summary.forMembers')}
            />
            <p>{t('audio.noise.locked')}</p>
            <MembershipLink />
          </div>
        )}
      </div>
    </section>
  );
}

import { formatDurationInSentence, formatPercentage, formatSize } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { Page } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { TransferState } from '../../ports/transfer.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/notice.tsx';
import { RecorderDrawing } from '../../ui/recorder.tsx';
import { ProgressRing } from '../../ui/ring.tsx';
import { FileList } from './file-list.tsx';
import { useNextStep } from './use-next-step.ts';
import './wifi.css';

/** Shows a transfer in progress: overall and per-recording percentage, speed, and remaining time. */
export default function TransferProgressPage() {
  const { t } = useTranslation();
  const transfer = useNextStep('transferring');
  return (
    <Page title={t('wifi.underWay')} parent={paths.wifiTransmission} step={transfer.status}>
      {transfer.status === 'transferring' ? (
        <TransferInProgress transfer={transfer} />
      ) : transfer.status === 'joining' ? (
        <NothingInProgress to={paths.wifiJoin} label={t('wifi.joinTitle')} />
      ) : (
        <NothingInProgress to={paths.wifiTransmission} label={t('wifi.toChoice')} />
      )}
    </Page>
  );
}

function NothingInProgress({ to, label }: { to: string; label: string }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      title={t('wifi.none')}
      drawing={<RecorderDrawing face="idle" />}
      action={
        <PageLink to={to} replace className="button" data-look="primary">
          {label}
        </PageLink>
      }
    >
      {t('wifi.noneHint')}
    </EmptyState>
  );
}

function TransferInProgress({
  transfer,
}: {
  transfer: Extract<TransferState, { status: 'transferring' }>;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { recorder } = useServices();
  const isPaused = useStore(recorder.link).status !== 'connected';
  const { files, receivedBytes, totalBytes, rate, medium } = transfer;
  const percent =
    totalBytes === 0 ? 0 : Math.min(99, Math.floor((100 * receivedBytes) / totalBytes));
  const percentText = formatPercentage(percent, language);
  const seconds = rate ? Math.max(1, (totalBytes - receivedBytes) / rate) : null;
  return (
    <>
      <div className="wifi-hero" data-testid="transfer" data-way={medium}>
        <span className="wifi-ring">
          <ProgressRing
            percent={percent}
            paused={isPaused}
            size={208}
            label={t('wifi.progress', { percent: percentText })}
            testId="transfer-progress"
          />
          <span className="wifi-figures" aria-hidden="true">
            <strong className="display tabular">{percentText}</strong>
            <span className="tabular">
              {t('wifi.total', {
                done: formatSize(receivedBytes, language),
                total: formatSize(totalBytes, language),
              })}
            </span>
          </span>
        </span>
        <p role="status">{t(`wifi.over.${medium}`)}</p>
        <p className="tabular wifi-speed">
          {rate !== null && !isPaused && (
            <span data-testid="transfer-speed">
              {t('wifi.speed', { size: formatSize(rate, language) })}
            </span>
          )}
          {seconds !== null && !isPaused && (
            <span data-testid="transfer-left">
              {t('wifi.left', { time: formatDurationInSentence(seconds, language) })}
            </span>
          )}
        </p>
        <p>{t(isPaused ? 'wifi.paused' : 'wifi.meanwhile')}</p>
        <Button data-testid="end-transfer" onClick={() => void recorder.transfer.cancel()}>
          {t(`wifi.stop.${medium}`)}
        </Button>
      </div>
      <FileList files={files} />
    </>
  );
}

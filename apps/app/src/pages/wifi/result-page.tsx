import { useState } from 'react';
import { describeRecorderFailure, formatFailure } from '../../i18n/failures.ts';
import { formatCount } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { PageLink, useNavigateTo } from '../../page-kit/navigation.tsx';
import { Page } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useAttemptSave } from '../../page-kit/saving.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { TransferState } from '../../ports/transfer.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/notice.tsx';
import { RecorderDrawing } from '../../ui/recorder.tsx';
import { useToast } from '../../ui/toast.tsx';
import { FileList } from './file-list.tsx';
import './wifi.css';

/**
 * Shows the result of a transfer: the transferred recordings, the failed recordings with the reasons, and a retry
 * button.
 */
export default function ResultPage() {
  const { t } = useTranslation();
  const transfer = useStore(useServices().recorder.transfer.state);
  return (
    <Page title={t('wifi.result')} parent={paths.wifiTransmission}>
      {transfer.status === 'ended' ? (
        <TransferResult transfer={transfer} />
      ) : (
        <EmptyState
          title={t('wifi.none')}
          drawing={<RecorderDrawing face="idle" />}
          action={
            <PageLink to={paths.wifiTransmission} replace className="button" data-look="primary">
              {t('wifi.toChoice')}
            </PageLink>
          }
        >
          {t('wifi.noneHint')}
        </EmptyState>
      )}
    </Page>
  );
}

function TransferResult({ transfer }: { transfer: Extract<TransferState, { status: 'ended' }> }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const navigateTo = useNavigateTo();
  const show = useToast();
  const trySave = useAttemptSave();
  const { recorder } = useServices();
  const link = useStore(recorder.link);
  const [isBusy, setBusy] = useState(false);
  const { files, end } = transfer;
  const transferredCount = files.filter(({ state }) => state.status === 'received').length;
  const remainingFiles = files.filter(
    ({ state }) => state.status === 'waiting' || state.status === 'failed',
  );

  const retry = async () => {
    setBusy(true);
    try {
      const ids = remainingFiles.map(({ recordId }) => recordId);
      // Retry over Bluetooth, which doesn't require joining a network.
      const result = await recorder.transfer.start(ids, 'bluetooth');
      if (result.ok) {
        void navigateTo(paths.newTransmission, { replace: true });
        return;
      }
      const failureText = describeRecorderFailure(t, result.failure);
      show({ message: formatFailure(failureText), kind: 'error', sticky: failureText.sticky });
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <div
        className="wifi-hero"
        data-testid="transfer-ended"
        data-end={end}
        data-received={transferredCount}
      >
        <RecorderDrawing face={transferredCount > 0 ? 'bound' : 'off'} />
        <div role="status">
          <h2 className="display">
            {transferredCount === 0
              ? t('wifi.noneCame')
              : t('wifi.done', {
                  count: transferredCount,
                  formatted: formatCount(transferredCount, language),
                })}
          </h2>
        </div>
        {(end !== 'done' || transferredCount < files.length) && <p>{t(`wifi.ended.${end}`)}</p>}
        {transferredCount > 0 && (
          <PageLink to={paths.files} className="button" data-look="primary" data-testid="to-files">
            {t('wifi.toFiles')}
          </PageLink>
        )}
        {remainingFiles.length > 0 && (
          <Button
            busy={isBusy}
            disabled={link.status !== 'connected' || !link.recorder.sessions}
            data-testid="bring-rest"
            onClick={() => void trySave(retry())}
          >
            {t('wifi.retry')}
          </Button>
        )}
      </div>
      <FileList files={files} />
    </>
  );
}

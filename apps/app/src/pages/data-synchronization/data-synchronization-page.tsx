import Check from 'lucide-react/icons/check';
import Clock from 'lucide-react/icons/clock';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import RotateCw from 'lucide-react/icons/rotate-cw';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useState } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { formatCount, formatPercentage, formatShortDate } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { recordingName } from '../../i18n/record-name.ts';
import { Page, Section } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useAttemptSave } from '../../page-kit/saving.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { PendingRecord } from '../../ports/pending-work.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { LoadingPlaceholder } from '../../ui/notice.tsx';
import { ProgressRing } from '../../ui/ring.tsx';
import { useToast } from '../../ui/toast.tsx';
import type { ListedRecord } from '../files/row-state.ts';
import { describeProblem } from '../files/state-descriptions.ts';
import { pendingItems } from './pending-items.ts';
import { RejectedEdits } from './rejected-edits.tsx';
import './data-synchronization.css';

/** Maximum number of rows per step. Beyond that, a total is more useful than a list. */
const MAX_ROWS = 30;

const steps = ['fetch', 'upload', 'transcribe', 'download'] as const;

function useWaitReason() {
  const { t } = useTranslation();
  return ({ cause }: PendingRecord): string => {
    if (cause.reason !== 'stopped') return t(`storage.sync.why.${cause.reason}`);
    const failure = 'failure' in cause.problem ? (cause.problem.failure ?? null) : null;
    const state = { kind: 'trouble', ...cause.problem, failure } as const;
    // The server's failure code is more specific than a generic refusal.
    return failure ? describeFailure(t, failure).message : describeProblem(t, state).message;
  };
}

/** Shows a pending recording with its progress as a percentage, or why it is waiting. */
function WaitingRow({ waiting, record }: { waiting: PendingRecord; record: ListedRecord }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library } = useServices();
  const trySave = useAttemptSave();
  const waitReason = useWaitReason();
  const name = recordingName(record, t, language);
  const { movement } = record;
  const isStopped = waiting.cause.reason === 'stopped';
  const fraction =
    movement && 'fraction' in movement && !isStopped
      ? movement.step === 'prepare'
        ? 1
        : movement.fraction
      : null;
  const percent = fraction === null ? null : Math.floor(fraction * 100);
  const text =
    percent === null
      ? waitReason(waiting)
      : t('storage.sync.inProgress', { percent: formatPercentage(percent, language) });
  return (
    <li
      className="line sync-line"
      data-testid="waiting"
      data-record-id={record.id}
      data-why={percent === null ? waiting.cause.reason : 'transferring'}
    >
      <span className="sync-mark">
        {percent !== null ? (
          <ProgressRing percent={percent} label={text} />
        ) : isStopped ? (
          <TriangleAlert className="sync-stopped" size={20} aria-hidden="true" />
        ) : (
          <Clock size={20} aria-hidden="true" />
        )}
      </span>
      <span className="line-words">
        <span dir="auto">{name}</span>
        <span>{text}</span>
      </span>
      {isStopped && (
        <IconButton
          label={t('storage.sync.retry', { name })}
          data-testid="retry-one"
          onClick={() => void trySave(library.retry(record.id))}
        >
          <RotateCw size={20} />
        </IconButton>
      )}
    </li>
  );
}

/** Lists pending transfers between recorder, phone and server, each with its progress or why it is waiting. */
export default function DataSynchronizationPage() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { pendingWork: service, library } = useServices();
  const state = useStore(service.state);
  const records = useStore(library.records);
  const show = useToast();
  const trySave = useAttemptSave();
  const [isBusy, setBusy] = useState(false);

  if (state.status === 'loading' || records.status === 'loading') {
    return (
      <Page title={t('storage.sync.title')} parent={paths.me}>
        <LoadingPlaceholder lines={5} />
      </Page>
    );
  }
  const { changes, pausedUploads, uploadPause } = state.value;
  const byId = new Map(records.value.map((record) => [record.id, record]));
  const { records: waiting, total } = pendingItems(state.value, (id) => byId.has(id));
  const lastSync = service.lastSync();

  const syncNow = async () => {
    setBusy(true);
    try {
      const stoppedCount = waiting.filter(({ cause }) => cause.reason === 'stopped');
      for (const { id } of stoppedCount) await library.retry(id);
      const result = await library.refresh();
      if (!result.ok) show({ message: t('storage.sync.failed'), kind: 'error' });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Page title={t('storage.sync.title')} parent={paths.me}>
      <section className="card sync-head" data-testid="sync-state" data-waiting={total}>
        <span className="sync-picture" data-settled={total === 0 || undefined}>
          {total === 0 ? (
            <Check size={32} aria-hidden="true" />
          ) : (
            <RefreshCw size={28} aria-hidden="true" />
          )}
        </span>
        <div role="status">
          <h2 className="display">
            {total === 0
              ? t('storage.sync.settled')
              : t('storage.sync.waiting', {
                  count: total,
                  formatted: formatCount(total, language),
                })}
          </h2>
          <p data-testid="last-sync">
            {lastSync === null
              ? t('storage.sync.never')
              : t('storage.sync.last', {
                  time: formatShortDate(new Date(lastSync).toISOString(), language),
                })}
          </p>
        </div>
        <Button busy={isBusy} data-testid="sync-now" onClick={() => void trySave(syncNow())}>
          {t('storage.sync.now')}
        </Button>
      </section>
      <RejectedEdits />
      {changes > 0 && (
        <Section title={t('storage.sync.changed')}>
          <p className="line" data-testid="changes">
            {t('storage.sync.changes', {
              count: changes,
              formatted: formatCount(changes, language),
            })}
          </p>
        </Section>
      )}
      {steps.map((step) => {
        const pending = waiting.filter((each) => each.step === step);
        if (pending.length === 0) return null;
        const hiddenCount = pending.length - MAX_ROWS;
        return (
          <Section key={step} title={t(`storage.sync.steps.${step}`)}>
            <ul data-testid={`sync-${step}`}>
              {pending.slice(0, MAX_ROWS).map((item) => {
                const record = byId.get(item.id);
                return record && <WaitingRow key={item.id} waiting={item} record={record} />;
              })}
              {hiddenCount > 0 && (
                <li className="line">
                  {t('storage.sync.more', {
                    count: hiddenCount,
                    formatted: formatCount(hiddenCount, language),
                  })}
                </li>
              )}
            </ul>
          </Section>
        );
      })}
      {pausedUploads > 0 && (
        <p className="page-note" data-testid="at-rest">
          {t('storage.sync.rest', {
            count: pausedUploads,
            formatted: formatCount(pausedUploads, language),
          })}
          <br />
          {t(`storage.sync.rests.${uploadPause ?? 'none'}`)}
        </p>
      )}
    </Page>
  );
}

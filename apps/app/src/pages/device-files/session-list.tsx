import { wholeSeconds } from '@linnet/contract/durations';
import Check from 'lucide-react/icons/check';
import Clock from 'lucide-react/icons/clock';
import Cloud from 'lucide-react/icons/cloud';
import Download from 'lucide-react/icons/download';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { describeRecorderFailure, formatFailure } from '../../i18n/failures.ts';
import {
  formatClock,
  formatCount,
  formatPercentage,
  formatShortDate,
  formatSize,
} from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { vibrate } from '../../page-kit/media.ts';
import { useServices } from '../../page-kit/services-context.ts';
import type { RecorderSessionRow } from '../../ports/recorder.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/notice.tsx';
import { RecorderDrawing } from '../../ui/recorder.tsx';
import { ProgressRing } from '../../ui/ring.tsx';
import { useToast } from '../../ui/toast.tsx';
import { newestFirst } from '../wifi/sessions.ts';

/** Returns the state of a session's transfer, or `recording` while the recorder is still writing to it. */
function sessionState(session: RecorderSessionRow) {
  return session.stillRecording ? 'recording' : session.onPhone.status;
}

/** Returns whether the session is transferred only on request. */
function isManual(session: RecorderSessionRow): boolean {
  return ['stopped', 'cloud'].includes(sessionState(session));
}

/** Returns whether a transfer can be requested. Requesting a queued session moves it to the front of the queue. */
function canTransfer(session: RecorderSessionRow): boolean {
  return isManual(session) || sessionState(session) === 'waiting';
}

/**
 * Returns the translation key of the warning shown before a session is deleted from the recorder, which depends on what
 * other copies there are.
 */
function deletionWarning({ onPhone }: RecorderSessionRow) {
  if (onPhone.status === 'complete') return 'sessions.deleteSafe';
  return onPhone.status === 'cloud' ? 'sessions.deleteCloud' : 'sessions.deleteLast';
}

function SessionLine({
  session,
  onFetch,
  onDelete,
}: {
  session: RecorderSessionRow;
  onFetch(): void;
  onDelete(): void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const state = sessionState(session);
  const startedAt = session.startedAt
    ? formatShortDate(session.startedAt, language)
    : t('sessions.unknownStart');
  const stateText =
    session.onPhone.status === 'transferring' && !session.stillRecording
      ? t('sessions.state.transferring', {
          percent: formatPercentage(session.onPhone.percent, language),
        })
      : state === 'transferring'
        ? ''
        : t(`sessions.state.${state}`);
  return (
    <li
      className="line session"
      data-testid="device-session"
      data-session-id={session.sessionId}
      data-record-id={session.recordId}
      data-state={state}
    >
      <span className="session-mark">
        {session.stillRecording ? (
          <span className="recording-dot" />
        ) : session.onPhone.status === 'transferring' ? (
          <ProgressRing percent={session.onPhone.percent} label={stateText} testId="row-progress">
            {formatCount(Math.round(session.onPhone.percent), language)}
          </ProgressRing>
        ) : session.onPhone.status === 'complete' ? (
          <Check className="session-complete" size={20} aria-hidden="true" />
        ) : session.onPhone.status === 'waiting' ? (
          <Clock size={20} aria-hidden="true" />
        ) : session.onPhone.status === 'cloud' ? (
          <Cloud size={20} aria-hidden="true" />
        ) : (
          <span
            className="session-only-copy"
            data-deleted={state === 'deleted' || undefined}
            aria-hidden="true"
          />
        )}
      </span>
      <span className="line-words">
        <bdi className="tabular">
          {startedAt} · {t(`record.scenes.${session.scene}`)}
        </bdi>
        <span className="session-details tabular">
          {!session.stillRecording && (
            <>
              <bdi>{formatClock(wholeSeconds(session.durationMs / 1000), language)}</bdi> ·{' '}
              <bdi>{formatSize(session.bytes, language)}</bdi> ·{' '}
            </>
          )}
          <bdi>{stateText}</bdi>
        </span>
      </span>
      {canTransfer(session) && (
        <IconButton
          label={t('common.named', { what: t('sessions.fetch'), which: startedAt })}
          onClick={onFetch}
        >
          <Download size={20} />
        </IconButton>
      )}
      {!session.stillRecording && session.onPhone.status !== 'transferring' && (
        <IconButton
          className="session-delete"
          label={t('common.named', { what: t('common.delete'), which: startedAt })}
          onClick={onDelete}
        >
          <Trash2 size={20} />
        </IconButton>
      )}
    </li>
  );
}

/** Lists the sessions on the recorder, newest first, with their actions. */
export function SessionList({
  sessions,
  onChanged,
}: {
  sessions: readonly RecorderSessionRow[];
  onChanged(): void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { recorder } = useServices();
  const show = useToast();
  const [sessionToDelete, setSessionToDelete] = useState<RecorderSessionRow | null>(null);
  const [isBusy, setBusy] = useState(false);

  if (sessions.length === 0) {
    return (
      <EmptyState title={t('sessions.emptyTitle')} drawing={<RecorderDrawing face="idle" />}>
        {t('sessions.emptyHint')}
      </EmptyState>
    );
  }
  const sorted = newestFirst(sessions);
  const bytes = sessions.reduce((sum, session) => sum + session.bytes, 0);

  const deleteSession = async (session: RecorderSessionRow) => {
    setBusy(true);
    try {
      vibrate('delete');
      const result = await recorder.deleteSession(session.sessionId);
      if (result.ok) {
        show({ message: t('sessions.deleted') });
      } else {
        const failureText = describeRecorderFailure(t, result.failure);
        show({
          message: formatFailure(failureText),
          kind: 'error',
          sticky: failureText.sticky,
        });
      }
    } finally {
      setBusy(false);
      setSessionToDelete(null);
    }
    onChanged();
  };

  return (
    <>
      <div className="sessions-head">
        <p>
          {t('sessions.count', {
            count: sessions.length,
            formatted: formatCount(sessions.length, language),
            size: formatSize(bytes, language),
          })}
        </p>
        {sessions.some(isManual) && (
          <Button icon={<Download size={18} />} onClick={() => recorder.fetchSessions('all')}>
            {t('sessions.fetchAll')}
          </Button>
        )}
      </div>
      <ul className="card">
        {sorted.map((session) => (
          <SessionLine
            key={session.sessionId}
            session={session}
            onFetch={() => recorder.fetchSessions([session.sessionId])}
            onDelete={() => setSessionToDelete(session)}
          />
        ))}
      </ul>
      {sessionToDelete && (
        <Confirm
          title={t('sessions.deleteTitle')}
          confirmLabel={t('common.delete')}
          danger
          busy={isBusy}
          onCancel={() => setSessionToDelete(null)}
          onConfirm={() => void deleteSession(sessionToDelete)}
        >
          {t(deletionWarning(sessionToDelete))}
        </Confirm>
      )}
    </>
  );
}

import type { RecorderOperation } from '@linnet/device/session';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useEffect, useState } from 'react';
import { describeRecorderFailure, formatFailure } from '../../i18n/failures.ts';
import { formatShortDate } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { useServices } from '../../page-kit/services-context.ts';
import type { RecorderFailure } from '../../ports/recorder.ts';
import type { Outcome } from '../../ports/store.ts';
import { Button } from '../../ui/button.tsx';
import { LoadingPlaceholder, Notice } from '../../ui/notice.tsx';

/** Why a recording stopped automatically, keyed by the number in the recorder's log (PROTOCOL.md, `recordingEnded`). */
const endReasons = { 1: 'space_full', 3: 'hardware_abnormal', 8: 'battery_empty' } as const;

/** Shows the recorder's own log, which is loaded when the section is opened. */
export function LogSection({
  connected,
  isAvailable,
}: {
  connected: boolean;
  /** Whether the recorder has a log. If loading shows that it has none, the open section stays and shows a message. */
  isAvailable: boolean;
}) {
  const { t } = useTranslation();
  const { recorder } = useServices();
  const [entries, setEntries] = useState<Outcome<
    readonly RecorderOperation[],
    RecorderFailure
  > | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt reloads the log.
  useEffect(() => {
    if (!isOpen || !connected) return;
    let isLatest = true;
    void recorder.readOperations().then((result) => isLatest && setEntries(result));
    return () => {
      isLatest = false;
    };
  }, [isOpen, connected, recorder, attempt]);
  const reload = () => {
    setEntries(null);
    setAttempt(attempt + 1);
  };
  if (!isAvailable && !isOpen) return null;
  return (
    <details
      className="card device-notes"
      data-testid="notes"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="line">
        <span className="line-words">
          <span>{t('myDevice.notes')}</span>
          <span>{t('myDevice.notesHint')}</span>
        </span>
        <ChevronDown size={18} aria-hidden="true" />
      </summary>
      {entries?.ok ? (
        <LogList entries={entries.data} />
      ) : !connected ? (
        <p className="line">{t('myDevice.notesAway')}</p>
      ) : entries ? (
        <LogFailed failure={entries.failure} onRetry={isAvailable ? reload : null} />
      ) : (
        <LoadingPlaceholder lines={3} />
      )}
    </details>
  );
}

function LogFailed({
  failure,
  onRetry,
}: {
  failure: RecorderFailure;
  onRetry: (() => void) | null;
}) {
  const { t } = useTranslation();
  const failureText = describeRecorderFailure(t, failure);
  return (
    <Notice
      message={t('myDevice.notesFailed')}
      detail={formatFailure(failureText)}
      code={failureText.code}
      action={onRetry && <Button onClick={onRetry}>{t('common.retry')}</Button>}
    />
  );
}

function LogList({ entries }: { entries: readonly RecorderOperation[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const reasons: Readonly<Record<number, (typeof endReasons)[keyof typeof endReasons]>> =
    endReasons;
  if (entries.length === 0) return <p className="line">{t('myDevice.notesNone')}</p>;
  return (
    // The list scrolls, so it must be focusable for keyboard users.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <ol className="device-note-list" tabIndex={0} aria-label={t('myDevice.notes')}>
      {entries.map(({ entry, time, operation, detail }) => {
        const reason = operation === 'recordingEnded' ? reasons[detail] : undefined;
        return (
          <li key={entry}>
            <span>{t(reason ? `myDevice.noteEnded.${reason}` : `myDevice.note.${operation}`)}</span>
            <bdi className="tabular">
              {formatShortDate(new Date(time * 1000).toISOString(), language)}
            </bdi>
          </li>
        );
      })}
    </ol>
  );
}

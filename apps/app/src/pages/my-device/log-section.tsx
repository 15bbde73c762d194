import type { RecorderOperation } from '@linnet/device/session';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useEffect, useState } from 'react';
import { inOneLine, recorderWords } from '../../i18n/failures.ts';
import { shortDate } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { useServices } from '../../page-kit/services-context.ts';
import type { RecorderFailure } from '../../ports/recorder.ts';
import type { Outcome } from '../../ports/store.ts';
import { Button } from '../../ui/button.tsx';
import { Notice, Waiting } from '../../ui/notice.tsx';

/**
 * Reasons why a recording ended automatically, by their number in the recorder's log (PROTOCOL.md,
 * `recordingEnded`).
 */
const endReasons = { 1: 'space_full', 3: 'hardware_abnormal', 8: 'battery_empty' } as const;

/** The recorder's own log, loaded when opened. */
export function LogSection({ connected }: { connected: boolean }) {
  const { t } = useTranslation();
  const { recorder } = useServices();
  const [notes, setNotes] = useState<Outcome<readonly RecorderOperation[], RecorderFailure> | null>(
    null,
  );
  const [open, setOpen] = useState(false);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry loads it again
  useEffect(() => {
    if (!open || !connected) return;
    let isLatest = true;
    void recorder.readOperations().then((answer) => isLatest && setNotes(answer));
    return () => {
      isLatest = false;
    };
  }, [open, connected, recorder, tries]);
  const again = () => {
    setNotes(null);
    setTries(tries + 1);
  };
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
      {notes?.ok ? (
        <LogList notes={notes.data} />
      ) : !connected ? (
        <p className="line">{t('myDevice.notesAway')}</p>
      ) : notes ? (
        <LogFailed failure={notes.failure} onRetry={again} />
      ) : (
        <Waiting lines={3} />
      )}
    </details>
  );
}

function LogFailed({ failure, onRetry }: { failure: RecorderFailure; onRetry(): void }) {
  const { t } = useTranslation();
  const words = recorderWords(t, failure);
  return (
    <Notice
      what={t('myDevice.notesFailed')}
      means={inOneLine(words)}
      code={words.code}
      action={<Button onClick={onRetry}>{t('common.retry')}</Button>}
    />
  );
}

function LogList({ notes }: { notes: readonly RecorderOperation[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const reasons: Readonly<Record<number, (typeof endReasons)[keyof typeof endReasons]>> =
    endReasons;
  if (notes.length === 0) return <p className="line">{t('myDevice.notesNone')}</p>;
  return (
    // Scrollable, so it must be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <ol className="device-note-list" tabIndex={0} aria-label={t('myDevice.notes')}>
      {notes.map(({ entry, time, operation, detail }) => {
        const reason = operation === 'recordingEnded' ? reasons[detail] : undefined;
        return (
          <li key={entry}>
            <span>{t(reason ? `myDevice.noteEnded.${reason}` : `myDevice.note.${operation}`)}</span>
            <bdi className="tabular">
              {shortDate(new Date(time * 1000).toISOString(), language)}
            </bdi>
          </li>
        );
      })}
    </ol>
  );
}

/** The page of a recording in progress on another device. */
import type { OtherRecording } from '@linnet/sync';
import { formatClock, formatLongDate, formatSpokenDuration } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { useElapsed } from '../../page-kit/elapsed.ts';
import { liveNote } from '../../page-kit/live-note.ts';
import { LiveTextSection } from '../../page-kit/live-text.tsx';
import { useFocusOnArrival } from '../../page-kit/navigation.tsx';
import { AskLink } from './ask-button.tsx';
import { DetailBar } from './detail-header.tsx';
import './other-recording.css';

/**
 * Shows the text recognized so far, until the recording has been synced to this device and its own page replaces this
 * one.
 */
export function OtherRecordingView({ recording }: { recording: OtherRecording }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const heading = useFocusOnArrival<HTMLHeadingElement>();
  const { startedAt, elapsed: span, text } = recording;
  const elapsed = useElapsed(span);
  const started = new Date(startedAt).toISOString();
  const isPaused = span.to !== null;
  return (
    <main className="detail" data-testid="other-recording-page">
      <title>{`${t('live.otherDevice')} · Linnet`}</title>
      <DetailBar name={t('live.otherDevice')}>
        <AskLink id={recording.id} />
      </DetailBar>
      <header className="detail-head other-recording-head">
        <div className="detail-title">
          <h1 className="display" ref={heading} tabIndex={-1}>
            {t('live.otherDevice')}
          </h1>
        </div>
        <p className="detail-meta">
          <bdi>
            <time dateTime={started}>{formatLongDate(started, language)}</time>
          </bdi>
          <span className="other-recording-time tabular">
            <span className="recording-dot" data-still={isPaused || undefined} aria-hidden="true" />
            <span role="timer" aria-label={formatSpokenDuration(elapsed, language)}>
              {formatClock(elapsed, language)}
            </span>
          </span>
        </p>
      </header>
      <div className="detail-panel other-recording-text">
        <LiveTextSection text={text} note={liveNote('ready', text, !isPaused)} />
      </div>
    </main>
  );
}

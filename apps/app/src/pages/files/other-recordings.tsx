/** The recordings in progress on other devices, above the list. */
import type { LiveText, OtherRecording } from '@linnet/sync';
import { formatClock, formatSpokenDuration, formatTimeOfDay } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { useElapsed } from '../../page-kit/elapsed.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { recordingPath } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { latestWords } from './latest-words.ts';
import type { ListedRecord } from './row-state.ts';
import './other-recordings.css';

/** The last recognized words. Tentative words are dimmed. */
function LatestWords({ text }: { text: LiveText }) {
  const { t } = useTranslation();
  const { settled, tentative } = latestWords(text);
  if (settled === '' && tentative === '') {
    const isListening = text.state.status === 'listening';
    return isListening && <span className="other-row-tentative">{t('live.listening')}</span>;
  }
  return (
    <span lang={text.language} dir="auto">
      {settled} <span className="other-row-tentative">{tentative}</span>
    </span>
  );
}

function OtherRow({ recording, isCurrent }: { recording: OtherRecording; isCurrent: boolean }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { id, startedAt, elapsed: span, text } = recording;
  const elapsed = useElapsed(span);
  return (
    <li
      className="row other-row"
      data-testid="other-recording"
      data-current={isCurrent || undefined}
    >
      <PageLink
        className="row-link"
        to={recordingPath(id)}
        transition="push"
        draggable={false}
        aria-current={isCurrent ? 'page' : undefined}
      >
        <span className="other-row-dot" aria-hidden="true">
          <span className="recording-dot" data-still={span.to !== null || undefined} />
        </span>
        <span className="row-words">
          <span className="row-name">{t('live.otherDevice')}</span>
          <bdi className="row-meta tabular">
            {`${formatTimeOfDay(new Date(startedAt).toISOString(), language)} · `}
            <span aria-hidden="true">{formatClock(elapsed, language)}</span>
            <span className="visually-hidden">{formatSpokenDuration(elapsed, language)}</span>
          </bdi>
          {/* The words change continuously, so they aren't part of the link's name. */}
          <span className="row-preview other-row-words" aria-hidden="true">
            <LatestWords text={text} />
          </span>
        </span>
      </PageLink>
    </li>
  );
}

/**
 * Lists the recordings in progress on other devices.
 * @param records the recordings on this device, which the list below shows
 */
export function OtherRecordings({
  records,
  currentId,
}: {
  records: readonly ListedRecord[];
  currentId: string | null;
}) {
  const { t } = useTranslation();
  const others = useStore(useServices().liveText.others).filter(
    (other) => !records.some(({ id }) => id === other.id),
  );
  if (others.length === 0) return null;
  return (
    <ul className="other-recordings" aria-label={t('live.otherDevice')}>
      {others.map((recording) => (
        <OtherRow key={recording.id} recording={recording} isCurrent={recording.id === currentId} />
      ))}
    </ul>
  );
}

import type { AffectedRecording } from '@linnet/contract';
import { formatClock, formatDay } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { recordingName } from '../../i18n/record-name.ts';

/** A recording that a rule moves, with its date and duration. */
export function AffectedLine({ recording }: { recording: AffectedRecording }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { title, recorded_at: date, total_time: seconds, in_bin: isInBin } = recording;
  return (
    <li className="line" data-testid="affected">
      <span className="line-words">
        <bdi>{recordingName({ title, ai_title: '', create_date: date }, t, language)}</bdi>
        <span>
          <bdi>{formatDay(date, language)}</bdi>
          {' · '}
          <bdi className="tabular">{formatClock(seconds, language)}</bdi>
          {isInBin && ` · ${t('storage.space.inBin')}`}
        </span>
      </span>
    </li>
  );
}

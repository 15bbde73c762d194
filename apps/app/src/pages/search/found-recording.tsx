import type { FoundRecord, FoundText } from '@linnet/sync';
import AlignLeft from 'lucide-react/icons/align-left';
import Hash from 'lucide-react/icons/hash';
import Tag from 'lucide-react/icons/tag';
import UserRound from 'lucide-react/icons/user-round';
import type { ReactNode } from 'react';
import { clock, count, dayName, spokenDuration } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { nameOf } from '../../i18n/record-name.ts';
import { GoLink } from '../../page-kit/navigation.tsx';
import { recordingPath } from '../../page-kit/paths.ts';
import { Marked } from './marked.tsx';

const icons = { tag: Tag, keyword: Hash, speaker: UserRound, summary: AlignLeft } as const;

/** The address of a match: its paragraph, or the tab that contains it. */
function placeOf(id: string, { where, paragraph }: FoundText): string {
  if (paragraph) return recordingPath(id, { paragraph: paragraph.id });
  return recordingPath(id, where === 'tag' || where === 'speaker' ? undefined : { tab: 'summary' });
}

/** A matching recording: its name, and the matching texts with their times. */
export function FoundRecording({
  record,
  words,
  opens,
}: {
  record: FoundRecord;
  /** Case-folded. */
  words: readonly string[];
  /** Whether it is on this phone. */
  opens: boolean;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  // The name is shown once above all matches, highlighted like them.
  const named = record.matches.filter(({ where }) => where === 'name').length;
  const matches = record.matches.filter(({ where }) => where !== 'name');
  const further = record.matchCount - named - matches.length;
  return (
    <li className="found" data-testid="found" data-record-id={record.id}>
      <h2 className="found-head">
        <Line className="found-name" opens={opens} to={recordingPath(record.id)}>
          <bdi className="found-title">
            <Marked text={nameOf(record, t, language)} words={words} />
          </bdi>
          <span className="found-when">
            <bdi>{dayName(record.create_date, language)}</bdi>
            {' · '}
            <bdi className="tabular">{clock(record.record_time, language)}</bdi>
          </span>
        </Line>
      </h2>
      {matches.length > 0 && (
        <ul className="found-matches">
          {matches.map((match, nth) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two tags may be equal, and none moves.
            <li key={nth}>
              <Line className="found-match" opens={opens} to={placeOf(record.id, match)}>
                <Where match={match} />
                <span className="found-text" dir="auto">
                  <Marked text={match.text} words={words} />
                </span>
              </Line>
            </li>
          ))}
        </ul>
      )}
      {further > 0 && (
        <p className="found-further">
          {t('search.further', { count: further, formatted: count(further, language) })}
        </p>
      )}
    </li>
  );
}

/** A link into the recording; plain text if it is not on this phone. */
function Line({
  opens,
  to,
  className,
  children,
}: {
  opens: boolean;
  to: string;
  className: string;
  children: ReactNode;
}) {
  if (!opens) return <span className={className}>{children}</span>;
  return (
    <GoLink className={className} to={to} data-result="">
      {children}
    </GoLink>
  );
}

/** Shown in the margin: when it was said, or where it is written. */
function Where({ match: { where, paragraph } }: { match: FoundText }) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (paragraph) {
    return (
      <span className="found-where">
        <span className="tabular" aria-hidden="true">
          {clock(paragraph.seconds, language)}
        </span>
        <span className="visually-hidden">{spokenDuration(paragraph.seconds, language)}</span>
      </span>
    );
  }
  if (where === 'name' || where === 'paragraph') return <span className="found-where" />;
  const Icon = icons[where];
  return (
    <span className="found-where">
      <Icon size={16} aria-hidden="true" />
      <span className="visually-hidden">{t(`search.${where}`)}</span>
    </span>
  );
}

import type { FoundRecord, FoundText } from '@linnet/sync';
import AlignLeft from 'lucide-react/icons/align-left';
import Flag from 'lucide-react/icons/flag';
import Hash from 'lucide-react/icons/hash';
import StickyNote from 'lucide-react/icons/sticky-note';
import Tag from 'lucide-react/icons/tag';
import UserRound from 'lucide-react/icons/user-round';
import type { ReactNode } from 'react';
import { formatClock, formatCount, formatDay, formatSpokenDuration } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { recordingName } from '../../i18n/record-name.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { recordingPath } from '../../page-kit/paths.ts';
import { HighlightedText } from './highlighted-text.tsx';

const icons = {
  tag: Tag,
  keyword: Hash,
  speaker: UserRound,
  note: StickyNote,
  marker: Flag,
  summary: AlignLeft,
} as const;

/** The tab that contains each kind of match, if it isn't the first tab. */
const tabs: Partial<Record<FoundText['where'], string>> = {
  keyword: 'summary',
  summary: 'summary',
  marker: 'markers',
};

/** Returns a match's path, with its paragraph or the tab that contains it. */
function matchPath(id: string, { where, paragraph }: FoundText): string {
  if (paragraph) return recordingPath(id, { paragraph: paragraph.id });
  const tab = tabs[where];
  return recordingPath(id, tab === undefined ? undefined : { tab });
}

/** Shows a matching recording: its name, and the matching passages with their times. */
export function FoundRecording({
  record,
  terms,
  isOnPhone,
}: {
  record: FoundRecord;
  /** The search words, case-folded. */
  terms: readonly string[];
  /** Whether the recording is on this phone. */
  isOnPhone: boolean;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  // Show the name once, above the matches, with its own matches highlighted.
  const nameMatches = record.matches.filter(({ where }) => where === 'name').length;
  const matches = record.matches.filter(({ where }) => where !== 'name');
  const hiddenMatches = record.matchCount - nameMatches - matches.length;
  return (
    <li className="found" data-testid="found" data-record-id={record.id}>
      <h2 className="found-head">
        <MatchLine className="found-name" isOnPhone={isOnPhone} to={recordingPath(record.id)}>
          <bdi className="found-title">
            <HighlightedText text={recordingName(record, t, language)} terms={terms} />
          </bdi>
          <span className="found-when">
            <bdi>{formatDay(record.create_date, language)}</bdi>
            {' · '}
            <bdi className="tabular">{formatClock(record.record_time, language)}</bdi>
            {record.is_archived === 1 && ` · ${t('archive.archived')}`}
          </span>
        </MatchLine>
      </h2>
      {matches.length > 0 && (
        <ul className="found-matches">
          {matches.map((match, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: matches may be identical, and are never reordered.
            <li key={index}>
              <MatchLine
                className="found-match"
                isOnPhone={isOnPhone}
                to={matchPath(record.id, match)}
              >
                <MatchSource match={match} />
                <span className="found-text" dir="auto">
                  <HighlightedText text={match.text} terms={terms} />
                </span>
              </MatchLine>
            </li>
          ))}
        </ul>
      )}
      {hiddenMatches > 0 && (
        <p className="found-further">
          {t('search.further', {
            count: hiddenMatches,
            formatted: formatCount(hiddenMatches, language),
          })}
        </p>
      )}
    </li>
  );
}

/** A link into the recording, or plain text if the recording isn't on this phone. */
function MatchLine({
  isOnPhone,
  to,
  className,
  children,
}: {
  isOnPhone: boolean;
  to: string;
  className: string;
  children: ReactNode;
}) {
  if (!isOnPhone) return <span className={className}>{children}</span>;
  return (
    <PageLink className={className} to={to} data-result="">
      {children}
    </PageLink>
  );
}

/** Shows where a match comes from, in the margin: its time, or an icon. */
function MatchSource({ match: { where, paragraph } }: { match: FoundText }) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (paragraph) {
    return (
      <span className="found-where">
        <span className="tabular" aria-hidden="true">
          {formatClock(paragraph.seconds, language)}
        </span>
        <span className="visually-hidden">{formatSpokenDuration(paragraph.seconds, language)}</span>
      </span>
    );
  }
  if (where === 'name' || where === 'paragraph') return <span className="found-where" />;
  // A newer server may find matches in fields that this version doesn't know about.
  if (!(where in icons)) return <span className="found-where" />;
  const Icon = icons[where];
  return (
    <span className="found-where">
      <Icon size={16} aria-hidden="true" />
      <span className="visually-hidden">{t(`search.${where}`)}</span>
    </span>
  );
}

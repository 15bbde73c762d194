import type { Quote } from '@linnet/contract';
import { isDel, type NamedRecord } from '@linnet/sync';
import Play from 'lucide-react/icons/play';
import { formatClock, formatCount, formatDay } from '../i18n/format.ts';
import { useLanguage, useTranslation } from '../i18n/index.ts';
import { recordingName } from '../i18n/record-name.ts';
import { PageLink } from './navigation.tsx';
import { recordingPath } from './paths.ts';
import './quote-card.css';

/**
 * A quoted passage with its source. Links to the passage if its recording is on this device, or to the recording if it
 * is still in progress.
 */
export function QuoteCard({
  quote,
  records,
  number,
}: {
  quote: Quote;
  /** The number that the written answer uses to refer to the passage, or null. */
  number: number | null;
  /** The recordings on this device, keyed by server ID, or null until they have loaded. */
  records: ReadonlyMap<string, NamedRecord> | null;
}) {
  const { t } = useTranslation();
  if (quote.client_flag !== undefined) {
    return (
      <PageLink className="quote" to={recordingPath(quote.client_flag)} data-testid="quote">
        <QuoteText quote={quote} record={undefined} number={number} />
      </PageLink>
    );
  }
  const record = records?.get(quote.radio_file_id);
  const isInBin = record?.is_del === isDel.binned;
  if (!record || isInBin) {
    return (
      <div className="quote" data-testid="quote">
        <QuoteText quote={quote} record={record} number={number} />
        {records && <p className="quote-hint">{t(isInBin ? 'ask.inBin' : 'ask.notHere')}</p>}
      </div>
    );
  }
  return (
    <PageLink
      className="quote"
      to={recordingPath(record.id, { paragraph: quote.paragraph_id, play: `${quote.start_time}` })}
      data-testid="quote"
    >
      <QuoteText quote={quote} record={record} number={number} />
    </PageLink>
  );
}

function QuoteText({
  quote,
  record,
  number,
}: {
  quote: Quote;
  record: NamedRecord | undefined;
  number: number | null;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { title, recorded_at: date, start_time: start, speaker, text } = quote;
  const name = recordingName(record ?? { title, ai_title: '', create_date: date }, t, language);
  const time = formatClock(start, language);
  const isLive = quote.client_flag !== undefined;
  return (
    <>
      <blockquote className="quote-text" dir="auto">
        {text}
      </blockquote>
      <span className="quote-source">
        {number !== null && (
          <span className="quote-number tabular">{formatCount(number, language)}</span>
        )}
        <span className="quote-source-time tabular">
          {isLive ? (
            time
          ) : (
            <>
              <Play size={12} fill="currentColor" aria-hidden="true" />
              <span aria-hidden="true">{time}</span>
              <span className="visually-hidden">{t('detail.playFrom', { time })}</span>
            </>
          )}
        </span>
        <span className="quote-source-words">
          <bdi className="quote-source-name">{name}</bdi>
          <span>
            <bdi>{formatDay(date, language)}</bdi>
            {record?.is_archived === 1 && ` · ${t('archive.archived')}`}
            {speaker && (
              <>
                {' · '}
                <bdi>{speaker}</bdi>
              </>
            )}
          </span>
        </span>
      </span>
    </>
  );
}

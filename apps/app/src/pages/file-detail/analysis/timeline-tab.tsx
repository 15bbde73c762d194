import type { SummaryDocument } from '@linnet/contract';
import { dayParts, formatCalendarDay } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import type { TabProps } from '../tab.ts';
import { AnalysisList } from './analysis-list.tsx';
import { groupByDay } from './by-day.ts';
import { PlayTime, SourceLink } from './source-link.tsx';
import { Strip } from './strip.tsx';

/** Lists the dates and times mentioned, in calendar order. */
export function TimelineTab(tab: TabProps) {
  return (
    <AnalysisList name="timeline" tab={tab}>
      {(items) => <Timeline items={items} tab={tab} />}
    </AnalysisList>
  );
}

function Timeline({
  items,
  tab,
}: {
  items: readonly SummaryDocument['timeline'][number][];
  tab: TabProps;
}) {
  const { t } = useTranslation();
  const { record, player, jump } = tab;
  return (
    <>
      <Strip
        peaks={record.peaks}
        duration={player.duration}
        moments={items.map(({ id, start_time }) => ({ id, time: start_time }))}
        onPress={player.playFrom}
      />
      <ol className="timeline">
        {groupByDay(items).map(({ date, events }) => (
          <li key={date} data-testid="timeline-day" data-date={date ?? ''}>
            <Leaf date={date} />
            <ol className="said">
              {events.map(({ id, text, when, start_time, paragraph_id }) => (
                <li key={id} data-testid="understood-item">
                  <div className="timeline-event">
                    <p className="said-text said-short" dir="auto">
                      {text}
                    </p>
                    <p className="timeline-when">
                      <PlayTime time={start_time} onPlay={player.playFrom} />
                      <bdi>{when}</bdi>
                    </p>
                  </div>
                  <SourceLink text={text} paragraph={paragraph_id} onJump={jump} />
                </li>
              ))}
            </ol>
          </li>
        ))}
      </ol>
      <p className="small-print">{t('understood.timelineHint')}</p>
    </>
  );
}

/** A calendar icon with the date, or blank if the day is unknown. */
function Leaf({ date }: { date: string | null }) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (date === null) {
    return (
      <h2 className="leaf" data-blank>
        {t('understood.noDay')}
      </h2>
    );
  }
  const { day, month, weekday, year } = dayParts(date, language);
  return (
    <h2 className="leaf" aria-label={formatCalendarDay(date, language)}>
      <span className="leaf-month">{month}</span>
      <span className="leaf-day display">{day}</span>
      <span className="leaf-weekday">{weekday}</span>
      <span className="leaf-weekday tabular">{year}</span>
    </h2>
  );
}

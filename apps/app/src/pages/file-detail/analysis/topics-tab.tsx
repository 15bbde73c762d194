import type { SummaryDocument } from '@linnet/contract';
import { branchColors } from '@linnet/mind-map/colors';
import { useSyncExternalStore } from 'react';
import { formatClock, formatRoughDuration } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import type { TabProps } from '../tab.ts';
import { AnalysisList } from './analysis-list.tsx';
import { PlayTime, SourceLink } from './source-link.tsx';
import { Strip } from './strip.tsx';

/** Lists the topics in order, each with its section of the recording. */
export function TopicsTab(tab: TabProps) {
  return (
    <AnalysisList name="topics" tab={tab}>
      {(items) => <Topics items={items} tab={tab} />}
    </AnalysisList>
  );
}

function Topics({
  items,
  tab,
}: {
  items: readonly SummaryDocument['topics'][number][];
  tab: TabProps;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { player, record, jump } = tab;
  const topicAt = (time: number) => items.findLast((item) => item.start_time <= time);
  // The selector makes React render only when the topic changes, not whenever the position does.
  const currentTopic = useSyncExternalStore(player.position.subscribe, () => {
    const position = player.position.get();
    return position > 0 ? topicAt(position)?.id : undefined;
  });
  return (
    <>
      <Strip
        peaks={record.peaks}
        duration={player.duration}
        segments={items.map(({ id, start_time, end_time }, index) => ({
          id,
          start: start_time,
          end: end_time,
          color: index % branchColors,
        }))}
        onPress={(time) => player.playFrom(topicAt(time)?.start_time ?? 0)}
      />
      <ol className="said topics">
        {items.map(({ id, text, start_time, end_time, paragraph_id }, index) => (
          <li
            key={id}
            data-testid="understood-item"
            aria-current={id === currentTopic || undefined}
          >
            <PlayTime time={start_time} onPlay={player.playFrom} />
            <div className="topic" data-color={index % branchColors}>
              <p className="topic-name" dir="auto">
                {text}
              </p>
              <p className="small-print tabular">
                {/* Digits have no direction of their own, so the range follows the language. */}
                <span>{`${formatClock(start_time, language)} – ${formatClock(end_time, language)}`}</span>
                <span aria-hidden="true"> · </span>
                <bdi>{formatRoughDuration(end_time - start_time, language)}</bdi>
              </p>
            </div>
            <SourceLink text={text} paragraph={paragraph_id} onJump={jump} />
          </li>
        ))}
      </ol>
      <p className="small-print">{t('understood.topicsHint')}</p>
    </>
  );
}

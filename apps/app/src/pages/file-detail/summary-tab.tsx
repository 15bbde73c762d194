import { useServerFacts } from '../../app-shell/services-context.ts';
import { clock } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { Empty } from '../../ui/notice.tsx';
import type { RowState } from '../files/row-state.ts';
import type { OpenRecord } from './open-record.ts';
import { summaryPoints } from './summary-points.ts';
import type { Player } from './use-player.ts';

/** What it comes down to: the gist, the points with where they were said, the keywords. */
export function SummaryTab({
  record,
  state,
  player,
}: {
  record: OpenRecord;
  state: RowState;
  player: Player;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { facts } = useServerFacts();
  if (state.kind !== 'done') {
    return <Empty title={t('detail.noSummary')}>{t('detail.noSummaryHint')}</Empty>;
  }
  const points = summaryPoints(record);
  if (!record.brief && points.length === 0) {
    return <Empty title={t('detail.nothingToSummarise')} />;
  }
  return (
    <article className="summary" data-testid="summary">
      {facts && <p className="detail-label">{t(`detail.${facts.analysis.kind}`)}</p>}
      {record.brief && (
        <p className="summary-brief" dir="auto">
          {record.brief}
        </p>
      )}
      {points.length > 0 && (
        <section>
          <h2>{t('detail.keyPoints')}</h2>
          <ul className="summary-points">
            {points.map((point) => (
              <li key={point.key}>
                <p dir="auto">{point.text}</p>
                {point.time !== null && (
                  <button
                    type="button"
                    className="paragraph-time tabular"
                    aria-label={t('detail.playFrom', { time: clock(point.time, language) })}
                    onClick={() => player.playFrom(point.time ?? 0)}
                  >
                    {clock(point.time, language)}
                  </button>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {record.keywords.length > 0 && (
        <section>
          <h2>{t('detail.keywords')}</h2>
          <ul className="keywords" data-testid="keywords">
            {record.keywords.map((keyword) => (
              <li key={keyword} dir="auto">
                {keyword}
              </li>
            ))}
          </ul>
        </section>
      )}
    </article>
  );
}

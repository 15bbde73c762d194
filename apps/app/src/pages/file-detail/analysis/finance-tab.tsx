import type { SummaryDocument } from '@linnet/contract';
import { formatCount, formatMoney } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import type { TabProps } from '../tab.ts';
import { AnalysisList } from './analysis-list.tsx';
import { PlayTime, SourceLink } from './source-link.tsx';
import { meaningfulTotals } from './totals.ts';

/** Lists the amounts of money mentioned, with their purposes. */
export function FinanceTab(tab: TabProps) {
  return (
    <AnalysisList name="finance" tab={tab}>
      {(items) => <Finance items={items} tab={tab} />}
    </AnalysisList>
  );
}

function Finance({
  items,
  tab,
}: {
  items: readonly SummaryDocument['finance'][number][];
  tab: TabProps;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const amounts = meaningfulTotals(items);
  return (
    <>
      <ol className="said finance">
        {items.map(({ id, text, amount, currency, purpose, start_time, paragraph_id }) => (
          <li key={id} data-testid="understood-item">
            <PlayTime time={start_time} onPlay={tab.player.playFrom} />
            <div className="finance-words">
              <p className="finance-amount display" data-vague={amount === null || undefined}>
                {amount === null
                  ? t('understood.noFigure')
                  : formatMoney(amount, currency, language)}
                {amount !== null && currency === null && (
                  <span className="small-print">{t('understood.noCurrency')}</span>
                )}
              </p>
              {purpose && (
                <p className="finance-purpose" dir="auto">
                  {purpose}
                </p>
              )}
              <p className="said-quote" dir="auto">
                {text}
              </p>
            </div>
            <SourceLink text={text} paragraph={paragraph_id} onJump={tab.jump} />
          </li>
        ))}
      </ol>
      {amounts.length > 0 && (
        <section className="card finance-sums" data-testid="finance-sums">
          <h2>{t('understood.sums')}</h2>
          <dl>
            {amounts.map(({ currency, total, items }) => (
              <div key={currency}>
                <dt>
                  {t('understood.sumOf', { count: items, formatted: formatCount(items, language) })}
                </dt>
                <dd className="display">{formatMoney(total, currency, language)}</dd>
              </div>
            ))}
          </dl>
          <p className="small-print">{t('understood.sumsHint')}</p>
        </section>
      )}
    </>
  );
}

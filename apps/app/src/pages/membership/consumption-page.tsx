import { getScene, taskStatus } from '@linnet/contract/statuses';
import { useCallback, useEffect, useMemo } from 'react';
import { formatCount, formatEntryDate } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { useLanguageName } from '../../i18n/language-name.ts';
import { formatMinutes } from '../../i18n/plan-name.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { Page } from '../../page-kit/page.tsx';
import { PagedList } from '../../page-kit/paged-list.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { usePages } from '../../page-kit/use-pages.ts';
import type { Consumption } from '../../ports/membership.ts';
import { EmptyState } from '../../ui/notice.tsx';
import { chartDays, monthlyUsage, startOfDayBefore, usageByDay } from './usage.ts';
import { UsageChart } from './usage-chart.tsx';
import './membership.css';
import './usage.css';

function UsageRow({ used }: { used: Consumption }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const languageName = useLanguageName();
  const kind = t(`files.types.${getScene({ ...used, sn: null })}`);
  const minutesText =
    used.status === taskStatus.transcribed
      ? formatMinutes(used.minutes, t, language)
      : t(used.status === taskStatus.failed ? 'used.failed' : 'used.running');
  return (
    <li data-testid="used" data-status={used.status}>
      <strong dir="auto">{used.name || t('used.untitled')}</strong>
      <span className="tabular">{minutesText}</span>
      <span className="used-what">
        <bdi>{kind}</bdi>
        <bdi>{languageName(used.language)}</bdi>
      </span>
      <time dateTime={used.created_at} className="tabular">
        {formatEntryDate(used.created_at, language)}
      </time>
    </li>
  );
}

function MonthTotal({ list, now }: { list: readonly Consumption[]; now: Date }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { minutes, recordings } = monthlyUsage(list, now);
  return (
    <section className="used-month" data-testid="this-month">
      <h2 className="section-title">{t('used.thisMonth')}</h2>
      <strong className="display tabular">{formatMinutes(minutes, t, language)}</strong>
      <span className="tabular">
        {t('used.recordings', { count: recordings, formatted: formatCount(recordings, language) })}
      </span>
    </section>
  );
}

/** Shows usage: transcriptions and their minutes, and totals by day and language. */
export default function ConsumptionPage() {
  const { t } = useTranslation();
  const { membership } = useServices();
  const pages = usePages(useCallback((page: number) => membership.consumption(page), [membership]));
  const { paged, loadMore } = pages;
  const now = useMemo(() => new Date(), []);
  const list = paged.status === 'ready' ? paged.list : null;
  const used = useMemo(() => (list ? usageByDay(list, now) : null), [list, now]);

  // Keep loading pages until every day in the chart is complete.
  const oldest = list?.at(-1)?.created_at;
  const from = Math.min(
    startOfDayBefore(now, chartDays - 1).getTime(),
    new Date(now.getFullYear(), now.getMonth(), 1).getTime(),
  );
  const needsMore =
    paged.status === 'ready' &&
    paged.nextPage === 'idle' &&
    paged.list.length < paged.total &&
    oldest !== undefined &&
    Date.parse(oldest) >= from;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each loaded page may require the next.
  useEffect(() => {
    if (needsMore) loadMore();
  }, [needsMore, list]);

  return (
    <Page title={t('used.title')} parent={paths.me}>
      <PagedList
        pages={pages}
        empty={
          <EmptyState
            title={t('used.empty')}
            action={
              <PageLink to={paths.files} className="button" data-look="plain">
                {t('bin.toFiles')}
              </PageLink>
            }
          >
            {t('used.emptyHint')}
          </EmptyState>
        }
      >
        {(entries) => (
          <>
            <MonthTotal list={entries} now={now} />
            {used && <UsageChart used={used} />}
            <section className="section">
              <h2 className="section-title">{t('used.each')}</h2>
              <ul className="card ledger">
                {entries.map((entry) => (
                  <UsageRow key={entry.id} used={entry} />
                ))}
              </ul>
            </section>
          </>
        )}
      </PagedList>
    </Page>
  );
}

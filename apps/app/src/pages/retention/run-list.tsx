import type { RetentionRun } from '@linnet/contract';
import List from 'lucide-react/icons/list';
import Undo2 from 'lucide-react/icons/undo-2';
import { useCallback, useState } from 'react';
import { useSearchParams } from 'react-router';
import { describeFailure } from '../../i18n/failures.ts';
import { formatCount, formatEntryDate } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { PagedList } from '../../page-kit/paged-list.tsx';
import { useServices } from '../../page-kit/services-context.ts';
import { usePages } from '../../page-kit/use-pages.ts';
import { IconButton } from '../../ui/button.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { useToast } from '../../ui/toast.tsx';
import { AffectedLine } from './affected-line.tsx';
import { RuleText } from './rule-text.tsx';

/** Lists the runs of the rules, with buttons that restore the recordings moved to the recycle bin. */
export function RunList() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { retention } = useServices();
  const show = useToast();
  const pages = usePages(retention.runs);
  const [parameters] = useSearchParams();
  const [shownRun, setShownRun] = useState(parameters.get('run'));
  const [busyRun, setBusyRun] = useState<string | null>(null);

  const undo = async ({ id }: RetentionRun) => {
    setBusyRun(id);
    const result = await retention.undo(id);
    setBusyRun(null);
    if (result.ok) {
      show({ message: t('retention.restored', { number: formatCount(result.data, language) }) });
    } else show({ message: describeFailure(t, result.failure).message, kind: 'error' });
    pages.reload();
  };

  return (
    <section className="section">
      <h2 className="section-title">{t('retention.runs')}</h2>
      <PagedList
        pages={pages}
        lines={3}
        empty={<p className="retention-lead">{t('retention.noRuns')}</p>}
      >
        {(list) => (
          <ul className="card" aria-label={t('retention.runs')}>
            {list.map((run) => (
              <li className="line retention-line" key={run.id} data-testid="run">
                <span className="line-words">
                  <span>
                    <RuleText rule={run} />
                  </span>
                  <span>
                    <time dateTime={run.started_at}>
                      {formatEntryDate(run.started_at, language)}
                    </time>
                    <br />
                    {t('retention.runMoved', {
                      number: formatCount(run.moved, language),
                      left: formatCount(run.in_bin, language),
                    })}
                  </span>
                </span>
                {run.moved > 0 && (
                  <IconButton
                    label={t('retention.show')}
                    data-testid="show-run"
                    onClick={() => setShownRun(run.id)}
                  >
                    <List size={18} />
                  </IconButton>
                )}
                {run.in_bin > 0 && (
                  <IconButton
                    label={t('retention.restore')}
                    data-testid="undo-run"
                    disabled={busyRun !== null}
                    onClick={() => void undo(run)}
                  >
                    <Undo2 className="turns" size={18} />
                  </IconButton>
                )}
              </li>
            ))}
          </ul>
        )}
      </PagedList>
      {shownRun !== null && <RunSheet runId={shownRun} onClose={() => setShownRun(null)} />}
    </section>
  );
}

/** Lists the recordings that a run moved. */
function RunSheet({ runId, onClose }: { runId: string; onClose(): void }) {
  const { t } = useTranslation();
  const { retention } = useServices();
  const pages = usePages(
    useCallback((page: number) => retention.moved(runId, page), [retention, runId]),
  );
  return (
    <Sheet title={t('files.list')} onClose={onClose}>
      <PagedList pages={pages} empty={null}>
        {(list) => (
          <ul className="card" aria-label={t('files.list')}>
            {list.map((recording) => (
              <AffectedLine key={recording.id} recording={recording} />
            ))}
          </ul>
        )}
      </PagedList>
    </Sheet>
  );
}

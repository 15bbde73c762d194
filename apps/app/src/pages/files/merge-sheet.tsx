import type { MergeObstacle } from '@linnet/sync';
import { useEffect, useState } from 'react';
import { formatClock, formatPercentage } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { MergeFailure } from '../../ports/merging.ts';
import { Button } from '../../ui/button.tsx';
import { ProgressRing } from '../../ui/ring.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { getName } from './record-text.ts';
import type { ListedRecord } from './row-state.ts';
import './merge-sheet.css';

export type MergeSheetProps = {
  readonly records: readonly ListedRecord[];
  /** Called with the ID of the new recording. */
  onMerged(id: string): void;
  onClose(): void;
};

/** Shows the recordings to merge in order, or why they can't be merged, and the progress. */
export default function MergeSheet({ records, onMerged, onClose }: MergeSheetProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { merging } = useServices();
  const progress = useStore(merging.progress);
  const [failure, setFailure] = useState<MergeFailure | null>(null);
  const ordered = [...records].sort((a, b) => a.create_date.localeCompare(b.create_date));
  const [checked, setChecked] = useState<{ readonly obstacle: MergeObstacle | null } | null>(null);
  const ids = ordered.map(({ id }) => id).join(' ');
  useEffect(() => {
    let isCurrent = true;
    void merging
      .check(ids.split(' '))
      .then((found) => isCurrent && setChecked({ obstacle: found }));
    return () => {
      isCurrent = false;
    };
  }, [merging, ids]);
  const obstacle = checked?.obstacle ?? null;
  const affected = obstacle && 'ids' in obstacle ? obstacle.ids : null;
  const listed = affected ? ordered.filter(({ id }) => affected.includes(id)) : ordered;
  const merge = async () => {
    setFailure(null);
    const result = await merging.merge(ordered.map(({ id }) => id));
    if (result.ok) onMerged(result.data);
    else setFailure(result.failure);
  };
  const close = () => {
    merging.cancel();
    onClose();
  };
  const percent = progress === null ? null : Math.floor(progress * 100);
  const progressText = t('merge.working', { percent: formatPercentage(percent ?? 0, language) });
  return (
    <Sheet title={t('merge.title')} onClose={close}>
      <p>{t(obstacle ? `merge.${obstacle.code}` : 'merge.description')}</p>
      <ol className="merge-list" data-testid="merge-list">
        {listed.map((record) => (
          <li key={record.id}>
            <span dir="auto">{getName(record, t, language)}</span>
            <span className="tabular">{formatClock(record.record_time, language)}</span>
          </li>
        ))}
      </ol>
      {failure && failure.code !== 'canceled' && <p role="alert">{describe(failure)}</p>}
      {percent !== null && (
        <div className="merge-progress">
          <ProgressRing percent={percent} label={progressText} />
          <span className="tabular">{progressText}</span>
        </div>
      )}
      <div className="merge-actions">
        <Button onClick={close}>{t(obstacle ? 'common.dismiss' : 'common.cancel')}</Button>
        {!obstacle && (
          <Button
            variant="primary"
            busy={progress !== null}
            disabled={checked === null}
            data-testid="merge-start"
            onClick={() => void merge()}
          >
            {t('merge.action')}
          </Button>
        )}
      </div>
    </Sheet>
  );

  function describe({ code }: MergeFailure): string {
    switch (code) {
      case 'file_missing':
      case 'not_audio':
      case 'io_failed':
      case 'canceled':
        return t('merge.failed');
      default:
        return t(`merge.${code}`);
    }
  }
}

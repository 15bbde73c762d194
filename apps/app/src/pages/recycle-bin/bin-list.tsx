import Trash2 from 'lucide-react/icons/trash-2';
import Undo2 from 'lucide-react/icons/undo-2';
import { useMemo } from 'react';
import { formatShortDay } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { IconButton } from '../../ui/button.tsx';
import { rowShape } from '../files/list-entries.ts';
import { RowBody, SelectableRow } from '../files/record-row.tsx';
import { getName } from '../files/record-text.ts';
import { RowList } from '../files/row-list.tsx';
import type { ListedRecord } from '../files/row-state.ts';
import type { PickMode } from '../files/use-selection.ts';
import { ruleText } from '../retention/rule-text.tsx';
import '../files/files.css';

export type BinnedRecord = ListedRecord;

/** Lists the recordings in the recycle bin, with virtual scrolling. */
export function BinList({
  records,
  scroller,
  picked,
  onPick,
  onRestore,
  onDelete,
}: {
  records: readonly BinnedRecord[];
  scroller: HTMLElement;
  /** Null outside selection mode. */
  picked: ReadonlySet<string> | null;
  onPick(id: string, how: PickMode): void;
  onRestore(record: BinnedRecord): void;
  onDelete(record: BinnedRecord): void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const lines = useMemo(
    () => records.map((record) => ({ key: record.id, shape: rowShape(record), record }) as const),
    [records],
  );
  const deletionTime = ({ binned_by: move, binnedAt, update_date }: BinnedRecord) =>
    move
      ? t('bin.movedBy', {
          date: formatShortDay(move.at, language),
          rule: ruleText(move, t, language),
        })
      : t('bin.since', { date: formatShortDay(binnedAt ?? update_date, language) });
  return (
    <RowList
      lines={lines}
      label={t('bin.list')}
      scroller={scroller}
      placeholder={({ record }) => ({
        name: getName(record, t, language),
        meta: deletionTime(record),
      })}
    >
      {({ record }) => {
        const text = { t, language, when: deletionTime(record) };
        const title = getName(record, t, language);
        return picked ? (
          <SelectableRow
            {...text}
            record={record}
            picked={picked.has(record.id)}
            onPick={({ id }, how) => onPick(id, how)}
          />
        ) : (
          <div className="row" data-testid="record-row" data-record-id={record.id}>
            <div className="row-link">
              <RowBody record={record} {...text} />
            </div>
            <span className="bin-row-actions">
              <IconButton
                label={t('bin.recoverThis', { title })}
                data-testid="recover"
                onClick={() => onRestore(record)}
              >
                <Undo2 className="turns" size={20} />
              </IconButton>
              <IconButton
                label={t('bin.deleteThis', { title })}
                data-testid="delete"
                onClick={() => onDelete(record)}
              >
                <Trash2 size={20} />
              </IconButton>
            </span>
          </div>
        );
      }}
    </RowList>
  );
}

import { useVirtualizer } from '@tanstack/react-virtual';
import Trash2 from 'lucide-react/icons/trash-2';
import Undo2 from 'lucide-react/icons/undo-2';
import { useRef } from 'react';
import { shortDay } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { IconButton } from '../../ui/button.tsx';
import { PickableRow, RowBody } from '../files/record-row.tsx';
import { nameOf } from '../files/record-words.ts';
import type { ListedRecord } from '../files/row-state.ts';
import type { PickHow } from '../files/use-selection.ts';
import '../files/files.css';

export type BinnedRecord = ListedRecord;

/** First guess of a row's height, corrected by measuring what was drawn. */
const guess = 98;

/** What lies in the bin; only what is on screen is drawn. */
export function BinList({
  records,
  scroller,
  picked,
  onPick,
  onRecover,
  onDelete,
}: {
  records: readonly BinnedRecord[];
  scroller: HTMLElement;
  /** Null while nothing is being picked. */
  picked: ReadonlySet<string> | null;
  onPick(id: string, how: PickHow): void;
  onRecover(record: BinnedRecord): void;
  onDelete(record: BinnedRecord): void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const list = useRef<HTMLUListElement>(null);
  const virtual = useVirtualizer({
    count: records.length,
    getScrollElement: () => scroller,
    estimateSize: () => guess,
    getItemKey: (index) => records[index]?.id ?? index,
    overscan: 6,
    scrollMargin: list.current?.offsetTop ?? 0,
  });
  return (
    <ul
      ref={list}
      className="record-list"
      aria-label={t('bin.list')}
      style={{ blockSize: virtual.getTotalSize() }}
    >
      {virtual.getVirtualItems().map((item) => {
        const record = records[item.index];
        if (!record) return null;
        const when = t('bin.since', {
          date: shortDay(record.binnedAt ?? record.update_date, language),
        });
        const title = nameOf(record, t, language);
        return (
          <li
            key={item.key}
            ref={virtual.measureElement}
            data-index={item.index}
            className="record-list-item"
            style={{ translate: `0 ${item.start - virtual.options.scrollMargin}px` }}
          >
            {picked ? (
              <PickableRow
                record={record}
                when={when}
                picked={picked.has(record.id)}
                onPick={({ id }, how) => onPick(id, how)}
              />
            ) : (
              <div className="row" data-testid="record-row" data-record-id={record.id}>
                <div className="row-link">
                  <RowBody record={record} when={when} />
                </div>
                <span className="bin-row-actions">
                  <IconButton
                    label={t('bin.recoverThis', { title })}
                    data-testid="recover"
                    onClick={() => onRecover(record)}
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
            )}
          </li>
        );
      })}
    </ul>
  );
}

import { useEffect, useMemo } from 'react';
import { formatMonth } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import type { FilesView } from './files-view.ts';
import { listEntries } from './list-entries.ts';
import { RecordRow, type RowProps, rowPlaceholder } from './record-row.tsx';
import { RowList } from './row-list.tsx';
import type { ListedRecord } from './row-state.ts';

/** The scroll position in pixels, restored the next time the list mounts. */
let savedScrollTop = 0;
/** The row to focus the next time the list mounts. */
let savedRow: string | null = null;
/** The most recently opened row. Becomes {@link savedRow} when the list unmounts. */
let openedRow: string | null = null;

/** Lists recordings with virtual scrolling. */
export function RecordList({
  records,
  sortedBy,
  scroller,
  currentId,
  picked,
  ...actions
}: {
  records: readonly ListedRecord[];
  /** The date that the recordings are sorted by. */
  sortedBy: FilesView['sort'];
  scroller: HTMLElement;
  currentId: string | null;
  /** Null outside selection mode. */
  picked: ReadonlySet<string> | null;
} & Pick<RowProps, 'onMenu' | 'onRename' | 'onMoveToBin' | 'onRetry' | 'onPick'>) {
  const { t } = useTranslation();
  const language = useLanguage();
  const entries = useMemo(() => listEntries(records, sortedBy, new Date()), [records, sortedBy]);

  useEffect(
    () => () => {
      savedRow = openedRow;
    },
    [],
  );

  // Pressing anywhere else closes a swiped-open row.
  useEffect(() => {
    const closeSwiped = ({ target }: PointerEvent) => {
      for (const row of scroller.querySelectorAll('.swipe')) {
        const isOpen = row.scrollLeft !== 0;
        if (isOpen && !row.contains(target as Node)) row.scrollTo({ left: 0, behavior: 'smooth' });
      }
    };
    document.addEventListener('pointerdown', closeSwiped, { capture: true });
    return () => document.removeEventListener('pointerdown', closeSwiped, { capture: true });
  }, [scroller]);

  // Return focus to the row that was opened, once it is rendered.
  useEffect(() => {
    if (!savedRow) return;
    const isNothingFocused = document.activeElement === document.body;
    const row = scroller.querySelector<HTMLElement>(
      `[data-record-id="${CSS.escape(savedRow)}"] .row-link`,
    );
    if (isNothingFocused && row) row.focus({ preventScroll: true });
    if (!isNothingFocused || row) savedRow = null;
  });

  return (
    <RowList
      lines={entries}
      label={t('files.list')}
      scroller={scroller}
      start={savedScrollTop}
      onMove={(offset) => {
        savedScrollTop = offset;
      }}
      onClick={({ target }) => {
        const row = target instanceof Element && target.closest('[data-record-id]');
        openedRow = row ? row.getAttribute('data-record-id') : null;
      }}
      placeholder={(entry) =>
        entry.kind === 'record' ? rowPlaceholder(entry.record, entry.sameDay, t, language) : null
      }
    >
      {(entry, isAtRest) =>
        entry.kind === 'heading' ? (
          <h2 className="record-list-heading">
            {typeof entry.group === 'string'
              ? t(`files.${entry.group}`)
              : formatMonth(entry.group, language)}
          </h2>
        ) : (
          <RecordRow
            record={entry.record}
            sameDay={entry.sameDay}
            current={entry.record.id === currentId}
            picked={picked?.has(entry.record.id) ?? null}
            settled={isAtRest}
            {...actions}
          />
        )
      }
    </RowList>
  );
}

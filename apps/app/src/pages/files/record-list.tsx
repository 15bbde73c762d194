import { measureElement, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { monthName } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import type { FilesView } from './files-view.ts';
import { type ListEntry, listEntries } from './list-entries.ts';
import { RecordRow, type RowProps } from './record-row.tsx';
import type { ListedRecord } from './row-state.ts';

/** How entries look, as far as their height is concerned. */
type Shape = 'heading' | 'plain' | 'withPreview';
const shapeOf = (entry: ListEntry | undefined): Shape => {
  if (entry?.kind !== 'record') return 'heading';
  return entry.record.opening ? 'withPreview' : 'plain';
};

/** Heights in pixels, guessed. */
const guess: Readonly<Record<Shape, number>> = { heading: 44, plain: 76, withPreview: 98 };
/** Heights of the first of each shape that were drawn: a good guess spares correcting all that follow. */
const measured: Partial<Record<Shape, number>> = {};

/** Where the list was left, so that going back finds it there. */
let leftAt = 0;
let leftRow: string | null = null;
/** The row that was opened last; it becomes {@link leftRow} when the list goes away. */
let opened: string | null = null;

/** All recordings; only those on screen are drawn. */
export function RecordList({
  records,
  by,
  scroller,
  currentId,
  picked,
  ...actions
}: {
  records: readonly ListedRecord[];
  /** The date they are sorted by. */
  by: FilesView['sort'];
  scroller: HTMLElement;
  currentId: string | null;
  /** Null while nothing is being picked. */
  picked: ReadonlySet<string> | null;
} & Pick<RowProps, 'onMenu' | 'onRename' | 'onBin' | 'onRetry' | 'onPick'>) {
  const { t } = useTranslation();
  const language = useLanguage();
  const list = useRef<HTMLUListElement>(null);
  const entries = useMemo(() => listEntries(records, by, new Date()), [records, by]);
  // Others of these make the list measure itself anew, all of it: they change with the entries only.
  const measures = useMemo(
    () => ({
      estimateSize: (index: number) => {
        const shape = shapeOf(entries[index]);
        return measured[shape] ?? guess[shape];
      },
      getItemKey: (index: number) => entries[index]?.key ?? index,
    }),
    [entries],
  );
  const virtual = useVirtualizer({
    ...measures,
    count: entries.length,
    getScrollElement: () => scroller,
    measureElement: (element, resized, instance) => {
      const height = measureElement(element, resized, instance);
      measured[shapeOf(entries[instance.indexFromElement(element)])] ??= height;
      return height;
    },
    overscan: 6,
    initialOffset: leftAt,
    onChange: ({ scrollOffset }) => {
      leftAt = scrollOffset ?? leftAt;
    },
    scrollMargin: list.current?.offsetTop ?? 0,
  });

  useEffect(
    () => () => {
      leftRow = opened;
    },
    [],
  );

  // The row one came from has the focus again, as soon as it is drawn.
  useEffect(() => {
    if (!leftRow) return;
    const free = document.activeElement === document.body;
    const row = scroller.querySelector<HTMLElement>(
      `[data-record-id="${CSS.escape(leftRow)}"] .row-link`,
    );
    if (free && row) row.focus({ preventScroll: true });
    if (!free || row) leftRow = null;
  });

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a link's click comes from the keyboard, too.
    <ul
      ref={list}
      className="record-list"
      aria-label={t('files.list')}
      style={{ blockSize: virtual.getTotalSize() }}
      onClick={(event) => {
        const row = event.target instanceof Element && event.target.closest('[data-record-id]');
        opened = row ? row.getAttribute('data-record-id') : null;
      }}
    >
      {virtual.getVirtualItems().map((item) => {
        const entry = entries[item.index];
        if (!entry) return null;
        return (
          <li
            key={item.key}
            ref={virtual.measureElement}
            data-index={item.index}
            className="record-list-item"
            style={{ translate: `0 ${item.start - virtual.options.scrollMargin}px` }}
          >
            {entry.kind === 'heading' ? (
              <h2 className="record-list-heading">
                {typeof entry.group === 'string'
                  ? t(`files.${entry.group}`)
                  : monthName(entry.group, language)}
              </h2>
            ) : (
              <RecordRow
                record={entry.record}
                sameDay={entry.sameDay}
                current={entry.record.id === currentId}
                picked={picked?.has(entry.record.id) ?? null}
                {...actions}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

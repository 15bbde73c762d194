import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import ChevronDown from 'lucide-react/icons/chevron-down';
import ListFilter from 'lucide-react/icons/list-filter';
import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash-2';
import X from 'lucide-react/icons/x';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { type Criteria, noCriteria } from './files-view.ts';
import { matchesView, moveFilter, type SavedFilter } from './saved-filters.ts';
import './filter-bar.css';

/**
 * A row with a chip for each saved filter. Tapping a chip applies its filter, and tapping the active chip opens its
 * menu.
 */
export function SavedFilterRow({
  filters,
  shown,
  focusedId,
  onShow,
  onEdit,
  onMove,
  onRemove,
}: {
  filters: readonly SavedFilter[];
  /** The list's current filters. */
  shown: Criteria;
  /** The filter to focus if the last change removed the focused element, or null. */
  focusedId: string | null;
  onShow(criteria: Criteria): void;
  onEdit(filter: SavedFilter): void;
  onMove(filter: SavedFilter, by: number): void;
  onRemove(filter: SavedFilter): void;
}) {
  const { t } = useTranslation();
  const row = useRef<HTMLFieldSetElement>(null);
  const [menu, setMenu] = useState<{ filter: SavedFilter; anchor: Element } | null>(null);

  // A chip loses focus when it moves in the document, and a new chip can't be focused until it is stored.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect must run again when the filters, and so the chips, change.
  useEffect(() => {
    if (focusedId === null || document.activeElement !== document.body) return;
    const chip = row.current?.querySelector(`[data-filter="${focusedId}"]`);
    if (chip instanceof HTMLElement) chip.focus({ preventScroll: true });
  }, [filters, focusedId]);

  const itemsFor = (filter: SavedFilter): readonly MenuItem[] => [
    {
      kind: 'action',
      label: t('savedFilters.clear'),
      icon: <X size={18} />,
      run: () => onShow(noCriteria),
    },
    {
      kind: 'action',
      label: t('savedFilters.edit'),
      icon: <Pencil size={18} />,
      run: () => onEdit(filter),
    },
    ...([-1, 1] as const).flatMap((by): readonly MenuItem[] =>
      moveFilter(filters, filter.id, by) === null
        ? []
        : [
            {
              kind: 'action',
              label: t(by < 0 ? 'savedFilters.earlier' : 'savedFilters.later'),
              icon: by < 0 ? <ArrowUp size={18} /> : <ArrowDown size={18} />,
              run: () => onMove(filter, by),
            },
          ],
    ),
    {
      kind: 'action',
      label: t('savedFilters.remove'),
      icon: <Trash2 size={18} />,
      danger: true,
      run: () => onRemove(filter),
    },
  ];

  return (
    <>
      <fieldset className="filter-bar" ref={row} data-testid="saved-filters">
        <legend className="visually-hidden">{t('savedFilters.title')}</legend>
        {filters.map((filter) => {
          const isActive = matchesView(filter, shown);
          return (
            <button
              key={filter.id}
              type="button"
              className="chip"
              data-testid="saved-filter"
              data-filter={filter.id}
              data-active={isActive || undefined}
              aria-pressed={isActive}
              {...(isActive && {
                'aria-haspopup': 'menu',
                'aria-expanded': menu?.filter.id === filter.id,
              })}
              onClick={({ currentTarget }) =>
                isActive ? setMenu({ filter, anchor: currentTarget }) : onShow(filter.criteria)
              }
            >
              <ListFilter size={16} aria-hidden="true" />
              <span className="chip-text" dir="auto">
                {filter.name}
              </span>
              {isActive && <ChevronDown size={16} aria-hidden="true" />}
            </button>
          );
        })}
      </fieldset>
      <Menu
        anchor={menu?.anchor ?? null}
        label={menu?.filter.name ?? ''}
        onClose={() => setMenu(null)}
        items={menu ? itemsFor(menu.filter) : []}
      />
    </>
  );
}

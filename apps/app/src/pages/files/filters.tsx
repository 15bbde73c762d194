import { Suspense, useState } from 'react';
import { lazyPage } from '../../ui/lazy-page.ts';
import { type FilesView, hasFilters, noCriteria } from './files-view.ts';
import { FilterBar } from './filter-bar.tsx';
import type { FilterSheetProps } from './filter-sheet.tsx';
import type { ListedRecord } from './row-state.ts';
import { SavedFilterRow } from './saved-filter-row.tsx';
import { isShown, type SavedFilter } from './saved-filters.ts';
import { useSavedFilters } from './use-saved-filters.ts';

const FilterSheet = lazyPage<FilterSheetProps>(() => import('./filter-sheet.tsx'));

/** The saved filters, the filters of the list, and the form that saves them. */
export function Filters({
  view,
  records,
  onChange,
}: {
  view: FilesView;
  /** All records, including archived ones. */
  records: readonly ListedRecord[];
  onChange(changed: Partial<FilesView>): void;
}) {
  const saved = useSavedFilters();
  /** The filter that is edited, or `new`. */
  const [edited, setEdited] = useState<SavedFilter | 'new' | null>(null);
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const isSaved = saved.filters.some((filter) => isShown(filter, view));

  const save: FilterSheetProps['onSave'] = async (filter) => {
    const id = edited !== null && edited !== 'new' ? edited.id : saved.newId();
    if (id === null || !(await saved.save({ ...filter, id }))) return;
    setEdited(null);
    setFocusedId(id);
    onChange(filter.criteria);
  };

  return (
    <>
      {saved.filters.length > 0 && (
        <SavedFilterRow
          filters={saved.filters}
          shown={view}
          focusedId={edited === null ? focusedId : null}
          onShow={(criteria) => {
            setFocusedId(null);
            onChange(criteria);
          }}
          onEdit={setEdited}
          onMove={(filter, by) => {
            setFocusedId(filter.id);
            saved.move(filter, by);
          }}
          onRemove={(filter) => {
            setFocusedId(null);
            onChange(noCriteria);
            saved.remove(filter);
          }}
        />
      )}
      <FilterBar
        view={view}
        records={records}
        onChange={onChange}
        onSave={hasFilters(view) && !isSaved ? () => setEdited('new') : undefined}
      />
      {edited !== null && (
        <Suspense fallback={null}>
          <FilterSheet
            filter={edited === 'new' ? { name: '', criteria: view } : edited}
            isNew={edited === 'new'}
            isFull={edited === 'new' && saved.newId() === null}
            records={records}
            onSave={save}
            onClose={() => setEdited(null)}
          />
        </Suspense>
      )}
    </>
  );
}

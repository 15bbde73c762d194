import { Suspense, useState } from 'react';
import { lazyPage } from '../../ui/lazy-page.ts';
import { type FilesView, hasFilters, noCriteria } from './files-view.ts';
import { FilterBar } from './filter-bar.tsx';
import type { FilterSheetProps } from './filter-sheet.tsx';
import type { ListedRecord } from './row-state.ts';
import { SavedFilterRow } from './saved-filter-row.tsx';
import { matchesView, type SavedFilter } from './saved-filters.ts';
import { useSavedFilters } from './use-saved-filters.ts';

const FilterSheet = lazyPage<FilterSheetProps>(() => import('./filter-sheet.tsx'));

/** Shows the saved filters, the filter bar, and the form for saved filters. */
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
  /** The filter being edited, or `new`. */
  const [editing, setEditing] = useState<SavedFilter | 'new' | null>(null);
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const isSaved = saved.filters.some((filter) => matchesView(filter, view));

  const save: FilterSheetProps['onSave'] = async (filter) => {
    const id = editing !== null && editing !== 'new' ? editing.id : saved.newId();
    if (id === null || !(await saved.save({ ...filter, id }))) return;
    setEditing(null);
    setFocusedId(id);
    onChange(filter.criteria);
  };

  return (
    <>
      {saved.filters.length > 0 && (
        <SavedFilterRow
          filters={saved.filters}
          shown={view}
          focusedId={editing === null ? focusedId : null}
          onShow={(criteria) => {
            setFocusedId(null);
            onChange(criteria);
          }}
          onEdit={setEditing}
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
        onSave={hasFilters(view) && !isSaved ? () => setEditing('new') : undefined}
      />
      {editing !== null && (
        <Suspense fallback={null}>
          <FilterSheet
            filter={editing === 'new' ? { name: '', criteria: view } : editing}
            isNew={editing === 'new'}
            isFull={editing === 'new' && saved.newId() === null}
            records={records}
            onSave={save}
            onClose={() => setEditing(null)}
          />
        </Suspense>
      )}
    </>
  );
}

import { limits } from '@linnet/contract/limits';
import { type FormEvent, useMemo, useState } from 'react';
import { formatCount } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { SubmitButton } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { FilesTotal } from './files-header.tsx';
import { defaultView, filterRecords, hasFilters, selectableRecords } from './files-view.ts';
import { FilterBar } from './filter-bar.tsx';
import type { ListedRecord } from './row-state.ts';
import type { SavedFilter } from './saved-filters.ts';
import './filter-sheet.css';

export type FilterSheetProps = {
  /** The filter to change, or a new one. */
  readonly filter: Omit<SavedFilter, 'id'>;
  readonly isNew: boolean;
  /** Whether the maximum number of filters has been saved. */
  readonly isFull: boolean;
  readonly records: readonly ListedRecord[];
  /** Saves the filter. Resolves once the attempt has ended; the caller closes the sheet. */
  onSave(filter: Omit<SavedFilter, 'id'>): Promise<void>;
  onClose(): void;
};

/** The form for a saved filter: its name, its criteria, and the number of matching recordings. */
export default function FilterSheet(props: FilterSheetProps) {
  const { filter, isNew, isFull, records, onSave, onClose } = props;
  const { t } = useTranslation();
  const language = useLanguage();
  const [name, setName] = useState(filter.name);
  const [view, setView] = useState({ ...defaultView, ...filter.criteria });
  const [isBusy, setBusy] = useState(false);
  const selectable = useMemo(() => selectableRecords(view, records), [view, records]);
  const selected = useMemo(() => filterRecords(view, selectable, new Date()), [view, selectable]);
  const isComplete = name.trim() !== '' && hasFilters(view) && !isFull;

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // The filters' dialogs contain forms, whose submit events also bubble up to here.
    if (event.target !== event.currentTarget || isBusy || !isComplete) return;
    setBusy(true);
    const { sort: _sort, ...criteria } = view;
    await onSave({ name: name.trim(), criteria });
    setBusy(false);
  };

  return (
    <Sheet title={t(isNew ? 'savedFilters.add' : 'savedFilters.edit')} onClose={onClose}>
      <form className="filter-form" onSubmit={submit} noValidate>
        <Field
          label={t('keys.name')}
          value={name}
          maxLength={limits.filters.nameMaxLength}
          dir="auto"
          autoComplete="off"
          data-testid="filter-name"
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <FilterBar
          view={view}
          records={records}
          isSortable={false}
          onChange={(changed) => setView({ ...view, ...changed })}
        />
        <div aria-live="polite">
          <FilesTotal allRecords={selectable} shownRecords={selected} />
        </div>
        {isFull && (
          <Notice
            message={t('savedFilters.full', {
              number: formatCount(limits.filters.count, language),
            })}
          />
        )}
        <SubmitButton busy={isBusy} disabled={!isComplete} data-testid="save-filter">
          {t('common.save')}
        </SubmitButton>
      </form>
    </Sheet>
  );
}

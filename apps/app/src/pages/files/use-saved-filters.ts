import type { Setting } from '@linnet/contract';
import type { DatedSetting } from '@linnet/sync';
import { useMemo } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { useAttemptSave, useSave } from '../../page-kit/saving.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { useToast } from '../../ui/toast.tsx';
import {
  moveFilter,
  newFilterId,
  orderSetting,
  readFilters,
  type SavedFilter,
  toDeletedSetting,
  toFilterSetting,
} from './saved-filters.ts';

const noSettings: readonly DatedSetting[] = [];

/** The account's saved filters, stored as synced settings, with functions to change them. */
export type SavedFilters = {
  readonly filters: readonly SavedFilter[];
  /** Returns the ID for a new filter, or null if there are too many. */
  newId(): string | null;
  /** Adds a filter, or replaces an existing filter with the same ID. Resolves to whether this device could store it. */
  save(filter: SavedFilter): Promise<boolean>;
  /** Moves a filter by a number of positions. */
  move(filter: SavedFilter, by: number): void;
  /** Deletes a filter and shows an Undo button. */
  remove(filter: SavedFilter): void;
};

export function useSavedFilters(): SavedFilters {
  const { t } = useTranslation();
  const { settings } = useServices();
  const all = useStore(settings.all);
  const save = useSave();
  const attempt = useAttemptSave();
  const show = useToast();
  const storedSettings = all.status === 'ready' ? all.value : noSettings;
  const filters = useMemo(() => readFilters(storedSettings), [storedSettings]);
  const write = ({ group_name, config_key, config_value }: Setting) =>
    settings.set(group_name, config_key, config_value);
  return {
    filters,
    newId: () => newFilterId(storedSettings),
    save: (filter) => attempt(write(toFilterSetting(filter))),
    move(filter, offset) {
      const movedFilters = moveFilter(filters, filter.id, offset);
      if (movedFilters) save(() => write(orderSetting(movedFilters)));
    },
    remove(filter) {
      const undo = () => save(() => write(toFilterSetting(filter)));
      save(
        () => write(toDeletedSetting(filter.id)),
        () =>
          show({
            message: t('savedFilters.removed', { name: filter.name }),
            action: { label: t('common.undo'), run: undo },
          }),
      );
    },
  };
}

import { limits } from '@linnet/contract/limits';
import { useMemo } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { useChangeSetting } from '../../page-kit/saving.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { useToast } from '../../ui/toast.tsx';

/** The settings group that syncs recent searches. */
const group = 'search';
const key = 'recent';

/** Maximum number of recent searches. This many fit below the field without scrolling. */
const maxRecent = 8;

/**
 * Adds a search to the front of the list. Drops the oldest searches if there are too many or the list exceeds the size
 * limit of a setting.
 */
export function addRecent(recent: readonly string[], query: string): readonly string[] {
  const search = query.trim().slice(0, limits.search.keywordMaxLength);
  if (search === '') return recent;
  const list = [search, ...recent.filter((each) => each !== search)].slice(0, maxRecent);
  while (JSON.stringify(list).length > limits.setting.valueMaxLength) list.pop();
  return list;
}

/** Parses the stored list. Returns an empty list if it is invalid. */
export function parseRecent(value: string | undefined): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(value ?? '[]');
    return Array.isArray(parsed) ? parsed.filter((each) => typeof each === 'string') : [];
  } catch {
    // Another app version wrote this value. The next search replaces it.
    return [];
  }
}

/** Returns the recent searches that had results, latest first, and functions to change them. */
export function useRecent() {
  const { t } = useTranslation();
  const show = useToast();
  const { settings } = useServices();
  const changeSetting = useChangeSetting();
  const allSettings = useStore(settings.all);
  const value =
    allSettings.status === 'ready'
      ? allSettings.value.find((each) => each.group_name === group && each.config_key === key)
          ?.config_value
      : undefined;
  const recent = useMemo(() => parseRecent(value), [value]);
  const save = (next: readonly string[]) => {
    changeSetting(group, key, JSON.stringify(next));
  };
  return {
    recent,
    remember: (search: string) => {
      const next = addRecent(recent, search);
      if (next !== recent && recent[0] !== search.trim()) save(next);
    },
    forget: (search: string) => save(recent.filter((each) => each !== search)),
    clear() {
      save([]);
      const action = { label: t('common.undo'), run: () => save(recent) };
      show({ message: t('search.cleared'), action });
    },
  };
}

import { limits } from '@linnet/contract/limits';
import { useMemo } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { useChangeSetting } from '../../page-kit/saving.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { useToast } from '../../ui/toast.tsx';

/** Stored as a synced setting. */
const group = 'search';
const key = 'recent';

/** Maximum number of recent searches, which fit below the field without scrolling. */
const maxRecent = 8;

/** Adds a search at the front of the list, within the size limit of a setting. */
export function addRecent(recent: readonly string[], typed: string): readonly string[] {
  const words = typed.trim().slice(0, limits.search.keywordMaxLength);
  if (words === '') return recent;
  const list = [words, ...recent.filter((each) => each !== words)].slice(0, maxRecent);
  while (JSON.stringify(list).length > limits.setting.valueMaxLength) list.pop();
  return list;
}

/** Parses the stored list; empty if invalid. */
export function parseRecent(value: string | undefined): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(value ?? '[]');
    return Array.isArray(parsed) ? parsed.filter((each) => typeof each === 'string') : [];
  } catch {
    // Written by another version of the app; the next search replaces it.
    return [];
  }
}

/** Recent searches that had results, latest first, with functions to change them. */
export function useRecent() {
  const { t } = useTranslation();
  const show = useToast();
  const { settings } = useServices();
  const set = useChangeSetting();
  const all = useStore(settings.all);
  const value =
    all.status === 'ready'
      ? all.value.find((each) => each.group_name === group && each.config_key === key)?.config_value
      : undefined;
  const recent = useMemo(() => parseRecent(value), [value]);
  const save = (next: readonly string[]) => {
    set(group, key, JSON.stringify(next));
  };
  return {
    recent,
    remember: (words: string) => {
      const next = addRecent(recent, words);
      if (next !== recent && recent[0] !== words.trim()) save(next);
    },
    forget: (words: string) => save(recent.filter((each) => each !== words)),
    clear() {
      save([]);
      const action = { label: t('common.undo'), run: () => save(recent) };
      show({ message: t('search.cleared'), action });
    },
  };
}

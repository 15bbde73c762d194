import type { Setting } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import { vocabularySetting } from '@linnet/contract/statuses';
import { toVocabularyEntry } from '@linnet/contract/vocabulary';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { useToast } from '../ui/toast.tsx';
import { useChangeSetting } from './saving.ts';
import { useServices } from './services-context.ts';

const { group, values } = vocabularySetting;
const settingsInGroup = (settings: readonly Setting[]) =>
  settings.filter(({ group_name }) => group_name === group);

/** Returns the names and terms on the list, in no particular order. */
export function listedEntries(settings: readonly Setting[]): string[] {
  return settingsInGroup(settings)
    .filter(({ config_value }) => config_value === values.listed)
    .map(({ config_key }) => config_key);
}

/** The entry for a typed text, or why it can't be added. */
export type EntryCheck =
  | { readonly status: 'new'; readonly entry: string }
  | { readonly status: 'invalid' | 'known' | 'full' };

export function checkEntry(settings: readonly Setting[], text: string): EntryCheck {
  const entry = toVocabularyEntry(text);
  if (entry === null) return { status: 'invalid' };
  const listed = listedEntries(settings);
  if (listed.includes(entry)) return { status: 'known' };
  const storedSettings = settingsInGroup(settings);
  const isStored = storedSettings.some(({ config_key }) => config_key === entry);
  const isFull =
    listed.length >= limits.vocabulary.entries ||
    (!isStored && storedSettings.length >= limits.vocabulary.stored);
  return isFull ? { status: 'full' } : { status: 'new', entry };
}

/**
 * Returns how to handle a correction in a transcript. The first correction to a name or term is remembered. When it is
 * made again, the app offers to add the entry to the vocabulary, unless the user has removed it before. Only a limited
 * number of corrections is remembered, which leaves space for listed entries.
 */
export function reactionTo(
  settings: readonly Setting[],
  entry: string,
): 'remember' | 'offer' | null {
  if (checkEntry(settings, entry).status !== 'new') return null;
  const inGroup = settingsInGroup(settings);
  const storedSetting = inGroup.find(({ config_key }) => config_key === entry);
  if (!storedSetting) {
    const corrected = inGroup.filter(({ config_value }) => config_value === values.corrected);
    return corrected.length < limits.vocabulary.corrected ? 'remember' : null;
  }
  return storedSetting.config_value === values.corrected ? 'offer' : null;
}

interface VocabularyServices {
  /** Returns the current settings, or null if they aren't loaded. */
  readonly readSettings: () => readonly Setting[] | null;
  readonly save: (entry: string, value: string) => void;
  readonly show: (toast: { message: string; action: { label: string; run(): void } }) => void;
  readonly t: TFunction;
}

/** Creates functions that change the vocabulary. Each change shows a toast. */
export function createVocabularyChanges({ readSettings, save, show, t }: VocabularyServices) {
  const set = (entry: string, value: keyof typeof values) => save(entry, values[value]);
  const add = (entry: string) => {
    set(entry, 'listed');
    const action = { label: t('common.undo'), run: () => set(entry, 'removed') };
    show({ message: t('vocabulary.added', { entry }), action });
  };
  return {
    add,
    remove(entry: string) {
      set(entry, 'removed');
      const action = { label: t('common.undo'), run: () => set(entry, 'listed') };
      show({ message: t('vocabulary.removed', { entry }), action });
    },
    /**
     * Remembers a correction, or offers to add the entry if the same correction was made before.
     * @returns whether the entry was offered
     */
    noteCorrection(entry: string): boolean {
      const settings = readSettings();
      const reaction = settings ? reactionTo(settings, entry) : null;
      if (reaction === 'remember') set(entry, 'corrected');
      if (reaction !== 'offer') return false;
      const action = { label: t('vocabulary.add'), run: () => add(entry) };
      show({ message: t('vocabulary.offer', { entry }), action });
      return true;
    },
  };
}

/** Returns functions that change the account's vocabulary (`createVocabularyChanges`). */
export function useChangeVocabulary() {
  const { t } = useTranslation();
  const { settings } = useServices();
  const changeSetting = useChangeSetting();
  const show = useToast();
  return useMemo(
    () =>
      createVocabularyChanges({
        readSettings() {
          const all = settings.all.get();
          return all.status === 'ready' ? all.value : null;
        },
        save: (entry, value) => changeSetting(group, entry, value),
        show,
        t,
      }),
    [t, settings, changeSetting, show],
  );
}

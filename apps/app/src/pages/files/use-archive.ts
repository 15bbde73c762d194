import { formatCount } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { useSave } from '../../page-kit/saving.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { useToast } from '../../ui/toast.tsx';

/** Returns a function that archives recordings or returns them to the list, and shows an Undo button. */
export function useArchive(): (
  records: readonly { readonly id: string }[],
  isOn: boolean,
  onSaved?: () => void,
) => void {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library } = useServices();
  const save = useSave();
  const show = useToast();
  return (records, isOn, onSaved) => {
    const ids = records.map(({ id }) => id);
    if (ids.length === 0) return;
    const counted = { count: ids.length, formatted: formatCount(ids.length, language) };
    save(
      () => library.archive(ids, isOn),
      () => {
        onSaved?.();
        show({
          message: t(isOn ? 'archive.done' : 'bin.recovered', counted),
          action: { label: t('common.undo'), run: () => save(() => library.archive(ids, !isOn)) },
        });
      },
    );
  };
}

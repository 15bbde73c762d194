import { useTranslation } from '../../i18n/index.ts';
import { useSave } from '../../page-kit/saving.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { useToast } from '../../ui/toast.tsx';

/**
 * Returns a function that protects a recording from retention rules or removes the protection, and shows an Undo
 * button.
 */
export function useProtect(): (record: { readonly id: string }, isOn: boolean) => void {
  const { t } = useTranslation();
  const { library } = useServices();
  const save = useSave();
  const show = useToast();
  return ({ id }, isOn) =>
    save(
      () => library.protect([id], isOn),
      () =>
        show({
          message: t(isOn ? 'retention.protectDone' : 'retention.unprotectDone'),
          action: { label: t('common.undo'), run: () => save(() => library.protect([id], !isOn)) },
        }),
    );
}

import { useTranslation } from '../../i18n/index.ts';
import { useSave } from '../../page-kit/saving.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { useToast } from '../../ui/toast.tsx';

/**
 * Returns a function that protects a recording from retention rules or removes the protection, and shows an Undo
 * button.
 */
export function useProtect(): (record: { readonly id: string }, on: boolean) => void {
  const { t } = useTranslation();
  const { library } = useServices();
  const save = useSave();
  const show = useToast();
  return ({ id }, on) =>
    save(
      () => library.protect([id], on),
      () =>
        show({
          message: t(on ? 'retention.protectDone' : 'retention.unprotectDone'),
          action: { label: t('common.undo'), run: () => save(() => library.protect([id], !on)) },
        }),
    );
}

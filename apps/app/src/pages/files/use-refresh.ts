import { useCallback, useState } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { useToast } from '../../ui/toast.tsx';

/** Returns a function that fetches the server's changes and shows the outcome. */
export function useRefresh(): { readonly isRefreshing: boolean; refresh(): void } {
  const { t } = useTranslation();
  const { library } = useServices();
  const show = useToast();
  const [refreshing, setRefreshing] = useState(false);
  const refresh = useCallback(async () => {
    setRefreshing(true);
    try {
      const result = await library.refresh();
      if (result.ok) {
        show({ message: t('library.refreshed') });
      } else {
        const { message, sticky } = describeFailure(t, result.failure);
        show({ message, kind: 'error', sticky });
      }
    } finally {
      setRefreshing(false);
    }
  }, [library, show, t]);
  return { isRefreshing: refreshing, refresh: () => void refresh() };
}

import type { CallFailure } from '@linnet/contract/client';
import type { PlanId } from '@linnet/contract/statuses';
import { useEffect, useState } from 'react';
import { callWords } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { paths } from '../../page-kit/paths.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { useToast } from '../../ui/toast.tsx';
import { useMounted } from '../../ui/use-mounted.ts';

/**
 * Buys: makes an order and goes to its checkout, in this window, since recordings are open in one at a time.
 * `going` is the plan whose checkout is about to open.
 */
export function useCheckout(onFailed: (failure: CallFailure) => void = () => {}) {
  const { t } = useTranslation();
  const { membership } = useServices();
  const show = useToast();
  const [going, setGoing] = useState<PlanId | null>(null);
  const mounted = useMounted();

  // The browser's own way back finds the page as it was left: about to go.
  useEffect(() => {
    const back = (event: PageTransitionEvent) => {
      if (event.persisted) setGoing(null);
    };
    window.addEventListener('pageshow', back);
    return () => window.removeEventListener('pageshow', back);
  }, []);

  async function buy(plan: PlanId): Promise<void> {
    setGoing(plan);
    const outcome = await membership.buy(plan, paths.payResult);
    // Who went on to something else is not taken away from it: the order waits among the purchases.
    if (!mounted.current) return;
    if (outcome.ok) {
      window.location.assign(outcome.data.url);
      return;
    }
    setGoing(null);
    const { what, sticky } = callWords(t, outcome.failure);
    show({ words: what, kind: 'error', sticky });
    onFailed(outcome.failure);
  }
  return { buy, going };
}

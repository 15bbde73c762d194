import type { CallFailure } from '@linnet/contract/client';
import type { PlanId } from '@linnet/contract/statuses';
import { useEffect, useState } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { paths } from '../../page-kit/paths.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { useToast } from '../../ui/toast.tsx';
import { useMounted } from '../../ui/use-mounted.ts';

/**
 * Creates an order and opens its checkout in this window, since only one window at a time can have the
 * recordings open. `going` is the plan whose checkout is about to open.
 */
export function useCheckout(onFailed: (failure: CallFailure) => void = () => {}) {
  const { t } = useTranslation();
  const { membership } = useServices();
  const show = useToast();
  const [going, setGoing] = useState<PlanId | null>(null);
  const mounted = useMounted();

  // A page restored from the back-forward cache would still show the pending checkout.
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
    // If the user has navigated away, the checkout does not open; the order stays among the purchases.
    if (!mounted.current) return;
    if (outcome.ok) {
      window.location.assign(outcome.data.url);
      return;
    }
    setGoing(null);
    const { what, sticky } = describeFailure(t, outcome.failure);
    show({ words: what, kind: 'error', sticky });
    onFailed(outcome.failure);
  }
  return { buy, going };
}

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
 * Creates an order and opens its checkout in this window, because only one window can have the recordings open.
 * @returns `openingPlan`: the plan whose checkout is about to open
 */
export function useCheckout(onFailed: (failure: CallFailure) => void = () => {}) {
  const { t } = useTranslation();
  const { membership } = useServices();
  const show = useToast();
  const [openingPlan, setOpeningPlan] = useState<PlanId | null>(null);
  const mounted = useMounted();

  // A page restored from the back-forward cache would still show the pending checkout.
  useEffect(() => {
    const onPageShow = (event: PageTransitionEvent) => {
      if (event.persisted) setOpeningPlan(null);
    };
    window.addEventListener('pageshow', onPageShow);
    return () => window.removeEventListener('pageshow', onPageShow);
  }, []);

  async function buy(plan: PlanId): Promise<void> {
    setOpeningPlan(plan);
    const outcome = await membership.buy(plan, paths.payResult);
    // If the user has navigated away, the checkout doesn't open. The order remains in the purchase record.
    if (!mounted.current) return;
    if (outcome.ok) {
      window.location.assign(outcome.data.url);
      return;
    }
    setOpeningPlan(null);
    const { message, sticky } = describeFailure(t, outcome.failure);
    show({ message, kind: 'error', sticky });
    onFailed(outcome.failure);
  }
  return { buy, openingPlan };
}

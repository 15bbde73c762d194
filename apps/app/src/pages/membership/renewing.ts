import type { Subscription } from '@linnet/contract';
import type { Membership } from '../../ports/account.ts';

/** The subscription that renews or is past due; null if there is none, so that another may be bought. */
export function renewing(membership: Membership | null): Subscription | null {
  const subscription = membership?.subscription ?? null;
  return subscription?.status === 'canceled' ? null : subscription;
}

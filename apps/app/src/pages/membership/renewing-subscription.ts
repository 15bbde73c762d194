import type { Subscription } from '@linnet/contract';
import type { Membership } from '../../ports/account.ts';

/** Returns the subscription if it is active or past due, or null. It blocks the purchase of another membership. */
export function renewingSubscription(membership: Membership | null): Subscription | null {
  const subscription = membership?.subscription ?? null;
  return subscription?.status === 'canceled' ? null : subscription;
}

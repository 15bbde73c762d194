import { expect, it } from 'vitest';
import type { Membership } from '../../ports/account.ts';
import { renewingSubscription } from './renewing-subscription.ts';

type Status = NonNullable<Membership['subscription']>['status'];

const member = (status: Status | null): Membership => ({
  isVip: true,
  plan: 'monthly',
  expiresAt: null,
  remainingMinutes: 0,
  subscription: status && { plan: 'vip_monthly', status, period_end: '2026-02-03T00:00:00.000Z' },
});

it('renews while active or past due, but not once canceled', () => {
  expect(renewingSubscription(member('active'))?.plan).toBe('vip_monthly');
  expect(renewingSubscription(member('past_due'))?.plan).toBe('vip_monthly');
  expect(renewingSubscription(member('canceled'))).toBeNull();
});

it('does not renew without a subscription, or while unknown', () => {
  expect([renewingSubscription(member(null)), renewingSubscription(null)]).toEqual([null, null]);
});

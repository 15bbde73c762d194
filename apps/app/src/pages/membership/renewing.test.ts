import { expect, it } from 'vitest';
import type { Membership } from '../../ports/account.ts';
import { renewing } from './renewing.ts';

type Status = NonNullable<Membership['subscription']>['status'];

const member = (status: Status | null): Membership => ({
  ...{ isVip: true, plan: 'monthly', expiresAt: null, leftMinutes: 0 },
  subscription: status && { plan: 'vip_monthly', status, period_end: '2026-02-03T00:00:00.000Z' },
});

it('renews while active or past due, but not once canceled', () => {
  expect(renewing(member('active'))?.plan).toBe('vip_monthly');
  expect(renewing(member('past_due'))?.plan).toBe('vip_monthly');
  expect(renewing(member('canceled'))).toBeNull();
});

it('does not renew without a subscription, or while unknown', () => {
  expect([renewing(member(null)), renewing(null)]).toEqual([null, null]);
});

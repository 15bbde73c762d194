import { expect, it } from 'vitest';
import type { Membership } from '../../ports/account.ts';
import { renewing } from './renewing.ts';

type Status = NonNullable<Membership['subscription']>['status'];

const member = (status: Status | null): Membership => ({
  ...{ isVip: true, plan: 'monthly', expiresAt: null, leftMinutes: 0 },
  subscription: status && { plan: 'vip_monthly', status, period_end: '2026-02-03T00:00:00.000Z' },
});

it('renews while it runs or is late, and no more once it was cancelled', () => {
  expect(renewing(member('active'))?.plan).toBe('vip_monthly');
  expect(renewing(member('past_due'))?.plan).toBe('vip_monthly');
  expect(renewing(member('canceled'))).toBeNull();
});

it('does not where nothing was bought, or nothing is known', () => {
  expect([renewing(member(null)), renewing(null)]).toEqual([null, null]);
});

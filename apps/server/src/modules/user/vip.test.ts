import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMonths } from '../../calendar.ts';
import type { VipState } from './vip.ts';
import {
  applyPurchase,
  applyRefund,
  applyRenewal,
  grantVipDays,
  isVip,
  renewalGraceHours,
  resumeDeferredTime,
} from './vip.ts';

const day = 86_400_000;
const toDate = (iso: string) => new Date(`${iso}T10:00:00Z`);
const addMs = (from: Date, ms: number) => new Date(from.getTime() + ms);
const noVip: VipState = {
  vip_plan: null,
  vip_started_at: null,
  vip_expires_at: null,
  vip_renews: false,
  vip_rest_plan: null,
  vip_rest_seconds: 0,
};
const activeTime = (plan: 'trial' | 'granted', from: Date, days: number): VipState => ({
  ...noVip,
  vip_plan: plan,
  vip_started_at: from,
  vip_expires_at: addMs(from, days * day),
});

describe('a membership', () => {
  it('ends on the last day of shorter months if it starts on a 31st', () => {
    let vip = applyPurchase(noVip, 'monthly', 1, toDate('2026-01-31'));
    const ends = [vip.vip_expires_at];
    for (let n = 0; n < 3; n += 1) {
      vip = applyRenewal(vip, 'monthly', 1, vip.vip_expires_at ?? toDate('2026-01-31'));
      ends.push(vip.vip_expires_at);
    }
    expect(ends).toEqual(['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'].map(toDate));
    expect(vip.vip_started_at).toEqual(toDate('2026-01-31'));
  });

  it('counts its months from its start, even if payments are late', () => {
    fc.assert(
      fc.property(
        fc.date({ min: toDate('2024-01-01'), max: toDate('2030-01-01'), noInvalidDate: true }),
        fc.array(fc.integer({ min: 0, max: 40 * day }), { maxLength: 15 }),
        fc.constantFrom(1, 12),
        (from, delays, months) => {
          const plan = months === 1 ? 'monthly' : 'annual';
          let vip = applyPurchase(noVip, plan, months, from);
          for (const delay of delays) {
            vip = applyRenewal(vip, plan, months, addMs(vip.vip_expires_at ?? from, delay));
          }
          expect(vip.vip_expires_at).toEqual(addMonths(from, months * (delays.length + 1)));
          // Refunding all payments ends the membership at its start.
          let refunded = vip;
          for (let n = 0; n <= delays.length; n += 1)
            refunded = applyRefund(refunded, months, from);
          expect(refunded.vip_expires_at).toEqual(from);
        },
      ),
    );
  });

  it('extends a canceled membership that is still active', () => {
    const first = applyPurchase(noVip, 'annual', 12, toDate('2026-01-31'));
    const extended = applyPurchase(first, 'monthly', 1, toDate('2026-06-01'));
    expect(extended).toMatchObject({
      vip_plan: 'monthly',
      vip_started_at: toDate('2026-01-31'),
      vip_expires_at: toDate('2027-02-28'),
    });
  });

  it('starts at its purchase if the previous membership has ended', () => {
    const first = applyPurchase(noVip, 'monthly', 1, toDate('2026-01-01'));
    expect(applyPurchase(first, 'monthly', 1, toDate('2026-02-02'))).toMatchObject({
      vip_started_at: toDate('2026-02-02'),
      vip_expires_at: toDate('2026-03-02'),
    });
  });

  it('stays active for the grace period while its renewal is pending', () => {
    const vip = { ...applyPurchase(noVip, 'monthly', 1, toDate('2026-01-01')), vip_renews: true };
    const end = toDate('2026-02-01');
    const grace = renewalGraceHours * 3_600_000;
    expect(isVip(vip, addMs(end, -1))).toBe(true);
    expect(isVip(vip, addMs(end, grace - 1))).toBe(true);
    expect(isVip(vip, addMs(end, grace))).toBe(false);
    expect(isVip({ ...vip, vip_renews: false }, end)).toBe(false);
  });

  it('ends immediately after a full refund, or loses only the refunded months after a partial one', () => {
    const annual = applyPurchase(noVip, 'annual', 12, toDate('2026-01-01'));
    const now = toDate('2026-03-10');
    expect(applyRefund(annual, 12, now).vip_expires_at).toEqual(now);
    const extended = applyRenewal(annual, 'annual', 12, now);
    expect(applyRefund(extended, 12, now).vip_expires_at).toEqual(toDate('2027-01-01'));
    // A refund after the end has no effect.
    expect(applyRefund(annual, 12, toDate('2027-01-02'))).toEqual(annual);
  });
});

describe('trial and granted time', () => {
  it.each(['trial', 'granted'] as const)('is deferred when a membership is bought (%s)', (plan) => {
    const before = activeTime(plan, toDate('2026-01-01'), 14);
    const vip = applyPurchase(before, 'monthly', 1, toDate('2026-01-05'));
    expect(vip).toMatchObject({
      vip_plan: 'monthly',
      vip_expires_at: toDate('2026-02-05'),
      vip_rest_plan: plan,
      vip_rest_seconds: 10 * 86_400,
    });
    expect(resumeDeferredTime(vip, toDate('2026-02-04'))).toEqual(vip);
    expect(resumeDeferredTime({ ...vip, vip_renews: true }, toDate('2026-02-06'))).toMatchObject({
      vip_plan: 'monthly',
    });
    expect(resumeDeferredTime(vip, toDate('2026-02-06'))).toEqual({
      ...activeTime(plan, toDate('2026-02-06'), 10),
    });
  });

  it('is never lost by purchases, refunds and grants', () => {
    const actions = fc.array(
      fc.oneof(
        fc.record({ do: fc.constant('buy' as const), days: fc.integer({ min: 0, max: 60 }) }),
        fc.record({ do: fc.constant('refund' as const), days: fc.integer({ min: 0, max: 60 }) }),
        fc.record({ do: fc.constant('give' as const), days: fc.integer({ min: 1, max: 60 }) }),
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(actions, (list) => {
        let now = toDate('2026-01-01');
        let vip = activeTime('granted', now, 30);
        const grantedMs = () =>
          vip.vip_rest_seconds * 1000 +
          (vip.vip_plan === 'granted' && vip.vip_expires_at
            ? Math.max(0, vip.vip_expires_at.getTime() - now.getTime())
            : 0);
        for (const action of list) {
          if (action.do === 'give') {
            const before = grantedMs();
            vip = grantVipDays(vip, action.days, now);
            expect(grantedMs()).toBe(before + action.days * day);
            continue;
          }
          const before = grantedMs();
          vip =
            action.do === 'buy' ? applyPurchase(vip, 'monthly', 1, now) : applyRefund(vip, 1, now);
          expect(grantedMs()).toBe(before);
          // Granted time is only used up while no membership is active.
          const isGrantedTimeRunning = vip.vip_plan === 'granted';
          const remainingMs = grantedMs();
          now = addMs(now, action.days * day);
          if (!isGrantedTimeRunning) expect(grantedMs()).toBe(remainingMs);
          vip = resumeDeferredTime(vip, now);
          if (!isGrantedTimeRunning) expect(grantedMs()).toBe(remainingMs);
        }
      }),
    );
  });

  it('extends a trial when granted during it, and is deferred when granted during a membership', () => {
    const trial = activeTime('trial', toDate('2026-01-01'), 14);
    expect(grantVipDays(trial, 30, toDate('2026-01-05'))).toMatchObject({
      vip_plan: 'granted',
      vip_started_at: toDate('2026-01-05'),
      vip_expires_at: addMs(toDate('2026-01-15'), 30 * day),
    });
    const member = applyPurchase(trial, 'monthly', 1, toDate('2026-01-05'));
    expect(grantVipDays(member, 30, toDate('2026-01-06'))).toMatchObject({
      vip_plan: 'monthly',
      vip_expires_at: toDate('2026-02-05'),
      vip_rest_plan: 'granted',
      vip_rest_seconds: 40 * 86_400,
    });
    expect(grantVipDays(noVip, 30, toDate('2026-01-06'))).toMatchObject({
      vip_plan: 'granted',
      vip_expires_at: toDate('2026-02-05'),
    });
  });
});

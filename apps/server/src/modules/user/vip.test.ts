import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMonths } from '../../calendar.ts';
import type { Vip } from './vip.ts';
import {
  buyMonths,
  giveDays,
  isVip,
  renewalGraceHours,
  renewMonths,
  resumeRest,
  takeMonths,
} from './vip.ts';

const day = 86_400_000;
const at = (iso: string) => new Date(`${iso}T10:00:00Z`);
const later = (from: Date, ms: number) => new Date(from.getTime() + ms);
const none: Vip = {
  vip_plan: null,
  vip_started_at: null,
  vip_expires_at: null,
  vip_renews: false,
  vip_rest_plan: null,
  vip_rest_seconds: 0,
};
const running = (plan: 'trial' | 'granted', from: Date, days: number): Vip => ({
  ...none,
  vip_plan: plan,
  vip_started_at: from,
  vip_expires_at: later(from, days * day),
});

describe('a membership', () => {
  it('that began on a 31st ends and renews on the last day of shorter months', () => {
    let vip = buyMonths(none, 'monthly', 1, at('2026-01-31'));
    const ends = [vip.vip_expires_at];
    for (let n = 0; n < 3; n += 1) {
      vip = renewMonths(vip, 'monthly', 1, vip.vip_expires_at ?? at('2026-01-31'));
      ends.push(vip.vip_expires_at);
    }
    expect(ends).toEqual(['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'].map(at));
    expect(vip.vip_started_at).toEqual(at('2026-01-31'));
  });

  it('counts its months from its beginning, however late its payments are', () => {
    fc.assert(
      fc.property(
        fc.date({ min: at('2024-01-01'), max: at('2030-01-01'), noInvalidDate: true }),
        fc.array(fc.integer({ min: 0, max: 40 * day }), { maxLength: 15 }),
        fc.constantFrom(1, 12),
        (from, delays, months) => {
          const plan = months === 1 ? 'monthly' : 'annual';
          let vip = buyMonths(none, plan, months, from);
          for (const late of delays) {
            vip = renewMonths(vip, plan, months, later(vip.vip_expires_at ?? from, late));
          }
          expect(vip.vip_expires_at).toEqual(addMonths(from, months * (delays.length + 1)));
          // And each of its payments can be taken back.
          let back = vip;
          for (let n = 0; n <= delays.length; n += 1) back = takeMonths(back, months, from);
          expect(back.vip_expires_at).toEqual(from);
        },
      ),
    );
  });

  it('that was cancelled and bought anew goes on where it would have ended', () => {
    const first = buyMonths(none, 'annual', 12, at('2026-01-31'));
    const again = buyMonths(first, 'monthly', 1, at('2026-06-01'));
    expect(again).toMatchObject({
      vip_plan: 'monthly',
      vip_started_at: at('2026-01-31'),
      vip_expires_at: at('2027-02-28'),
    });
  });

  it('bought after another was over begins anew', () => {
    const first = buyMonths(none, 'monthly', 1, at('2026-01-01'));
    expect(buyMonths(first, 'monthly', 1, at('2026-02-02'))).toMatchObject({
      vip_started_at: at('2026-02-02'),
      vip_expires_at: at('2026-03-02'),
    });
  });

  it('is on for some days more while its renewal is awaited, and not longer', () => {
    const vip = { ...buyMonths(none, 'monthly', 1, at('2026-01-01')), vip_renews: true };
    const end = at('2026-02-01');
    const grace = renewalGraceHours * 3_600_000;
    expect(isVip(vip, later(end, -1))).toBe(true);
    expect(isVip(vip, later(end, grace - 1))).toBe(true);
    expect(isVip(vip, later(end, grace))).toBe(false);
    expect(isVip({ ...vip, vip_renews: false }, end)).toBe(false);
  });

  it('that is refunded ends now, or earlier by what was refunded', () => {
    const year = buyMonths(none, 'annual', 12, at('2026-01-01'));
    const now = at('2026-03-10');
    expect(takeMonths(year, 12, now).vip_expires_at).toEqual(now);
    const longer = renewMonths(year, 'annual', 12, now);
    expect(takeMonths(longer, 12, now).vip_expires_at).toEqual(at('2027-01-01'));
    // What is over stays as it was.
    expect(takeMonths(year, 12, at('2027-01-02'))).toEqual(year);
  });
});

describe('trial and granted time', () => {
  it.each(['trial', 'granted'] as const)(
    'that runs when a membership is bought (%s) comes after it',
    (plan) => {
      const before = running(plan, at('2026-01-01'), 14);
      const vip = buyMonths(before, 'monthly', 1, at('2026-01-05'));
      expect(vip).toMatchObject({
        vip_plan: 'monthly',
        vip_expires_at: at('2026-02-05'),
        vip_rest_plan: plan,
        vip_rest_seconds: 10 * 86_400,
      });
      expect(resumeRest(vip, at('2026-02-04'))).toEqual(vip);
      expect(resumeRest({ ...vip, vip_renews: true }, at('2026-02-06'))).toMatchObject({
        vip_plan: 'monthly',
      });
      expect(resumeRest(vip, at('2026-02-06'))).toEqual({
        ...running(plan, at('2026-02-06'), 10),
      });
    },
  );

  it('is never lost, whatever is bought, refunded and given in between', () => {
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
        let now = at('2026-01-01');
        let vip = running('granted', now, 30);
        const left = () =>
          vip.vip_rest_seconds * 1000 +
          (vip.vip_plan === 'granted' && vip.vip_expires_at
            ? Math.max(0, vip.vip_expires_at.getTime() - now.getTime())
            : 0);
        for (const action of list) {
          if (action.do === 'give') {
            const before = left();
            vip = giveDays(vip, action.days, now);
            expect(left()).toBe(before + action.days * day);
            continue;
          }
          const before = left();
          vip = action.do === 'buy' ? buyMonths(vip, 'monthly', 1, now) : takeMonths(vip, 1, now);
          expect(left()).toBe(before);
          // Time passes: granted time is only used up while no membership runs.
          const granted = vip.vip_plan === 'granted';
          const rest = left();
          now = later(now, action.days * day);
          if (!granted) expect(left()).toBe(rest);
          vip = resumeRest(vip, now);
          if (!granted) expect(left()).toBe(rest);
        }
      }),
    );
  });

  it('given during a trial takes the trial into it; during a membership it comes after', () => {
    const trial = running('trial', at('2026-01-01'), 14);
    expect(giveDays(trial, 30, at('2026-01-05'))).toMatchObject({
      vip_plan: 'granted',
      vip_started_at: at('2026-01-05'),
      vip_expires_at: later(at('2026-01-15'), 30 * day),
    });
    const member = buyMonths(trial, 'monthly', 1, at('2026-01-05'));
    expect(giveDays(member, 30, at('2026-01-06'))).toMatchObject({
      vip_plan: 'monthly',
      vip_expires_at: at('2026-02-05'),
      vip_rest_plan: 'granted',
      vip_rest_seconds: 40 * 86_400,
    });
    expect(giveDays(none, 30, at('2026-01-06'))).toMatchObject({
      vip_plan: 'granted',
      vip_expires_at: at('2026-02-05'),
    });
  });
});

import { addMonths, dayMs, monthsBetween } from '../../calendar.ts';
import type { Row, Transaction } from '../../db/database.ts';

/**
 * An account's VIP state, as stored in its columns. The functions in this module return the state after a purchase,
 * renewal, refund or grant. A membership always ends a whole number of months after its start, so that its payments and
 * monthly minutes stay in step, whatever the day of the month.
 */
export type VipState = Pick<
  Row<'accounts'>,
  | 'vip_plan'
  | 'vip_started_at'
  | 'vip_expires_at'
  | 'vip_renews'
  | 'vip_rest_plan'
  | 'vip_rest_seconds'
>;
type MembershipPlan = 'monthly' | 'annual';

/**
 * How many hours VIP continues while a renewal's payment is pending. Stripe collects the payment about an hour after
 * the period ends, and retries a declined card for days. The minutes for the new month aren't granted until the renewal
 * is paid.
 */
export const renewalGraceHours = 72;
const renewalGraceMs = renewalGraceHours * 3_600_000;

/** True if VIP is active at a given time. */
export function isVip(vip: VipState, now: Date): boolean {
  if (vip.vip_expires_at === null) return false;
  return vip.vip_expires_at.getTime() + (vip.vip_renews ? renewalGraceMs : 0) > now.getTime();
}

/**
 * Applies the purchase of a membership. A canceled membership that is still active is extended. An active trial or
 * granted time is deferred until the membership has ended.
 */
export function applyPurchase(
  vip: VipState,
  plan: MembershipPlan,
  months: number,
  now: Date,
): VipState {
  const current = resumeDeferredTime(vip, now);
  if (isPaid(current) && isRunning(current, now)) return applyRenewal(current, plan, months, now);
  return {
    ...deferCurrentTime(current, now),
    vip_plan: plan,
    vip_started_at: now,
    vip_expires_at: addMonths(now, months),
  };
}

/** Applies a renewal's payment. The new months follow directly after the previous ones, even if the payment is late. */
export function applyRenewal(
  vip: VipState,
  plan: MembershipPlan,
  months: number,
  now: Date,
): VipState {
  const { vip_started_at: start, vip_expires_at: end } = vip;
  if (!isPaid(vip) || !start || !end) return applyPurchase(vip, plan, months, now);
  return {
    ...vip,
    vip_plan: plan,
    vip_expires_at: addMonths(start, monthsBetween(start, end) + months),
  };
}

/**
 * Applies a refund. The refunded months are removed from the end of the membership, except for any that have already
 * passed.
 */
export function applyRefund(vip: VipState, months: number, now: Date): VipState {
  const { vip_started_at: start, vip_expires_at: end } = vip;
  if (!isPaid(vip) || !start || !end || !isRunning(vip, now)) return vip;
  const newEnd = addMonths(start, Math.max(0, monthsBetween(start, end) - months));
  return { ...vip, vip_renews: false, vip_expires_at: newEnd > now ? newEnd : now };
}

/** Resumes a deferred trial or granted time if the membership has ended. */
export function resumeDeferredTime(vip: VipState, now: Date): VipState {
  if (vip.vip_rest_plan === null || vip.vip_renews || isRunning(vip, now)) return vip;
  return {
    vip_plan: vip.vip_rest_plan,
    vip_started_at: now,
    vip_expires_at: new Date(now.getTime() + vip.vip_rest_seconds * 1000),
    vip_renews: false,
    vip_rest_plan: null,
    vip_rest_seconds: 0,
  };
}

/**
 * Applies days that the operator grants. The days are added to granted time or to a trial, which then becomes granted
 * time. During a membership, they are deferred until it ends.
 */
export function grantVipDays(vip: VipState, days: number, now: Date): VipState {
  const current = resumeDeferredTime(vip, now);
  if (isPaid(current) && (isRunning(current, now) || current.vip_renews)) {
    const seconds = current.vip_rest_seconds + (days * dayMs) / 1000;
    return { ...current, vip_rest_plan: 'granted', vip_rest_seconds: seconds };
  }
  const isGranted = current.vip_plan === 'granted' && isRunning(current, now);
  const start = isRunning(current, now) && current.vip_expires_at ? current.vip_expires_at : now;
  return {
    ...current,
    vip_plan: 'granted',
    vip_started_at: isGranted ? current.vip_started_at : now,
    vip_expires_at: new Date(start.getTime() + days * dayMs),
  };
}

/** Saves an account's VIP state. The transaction must already hold the account's lock. */
export async function saveVip(trx: Transaction, accountId: string, vip: VipState): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({
      vip_plan: vip.vip_plan,
      vip_started_at: vip.vip_started_at,
      vip_expires_at: vip.vip_expires_at,
      vip_renews: vip.vip_renews,
      vip_rest_plan: vip.vip_rest_plan,
      vip_rest_seconds: vip.vip_rest_seconds,
    })
    .where('id', '=', accountId)
    .execute();
}

function isPaid({ vip_plan: plan }: VipState): boolean {
  return plan === 'monthly' || plan === 'annual';
}

function isRunning({ vip_expires_at: end }: VipState, now: Date): boolean {
  return end !== null && end > now;
}

/** Defers the rest of an active trial or granted time. */
function deferCurrentTime(vip: VipState, now: Date): VipState {
  const { vip_plan: plan, vip_expires_at: end } = vip;
  if (end === null || end <= now || (plan !== 'trial' && plan !== 'granted')) return vip;
  const isGranted = plan === 'granted' || vip.vip_rest_plan === 'granted';
  return {
    ...vip,
    vip_rest_plan: isGranted ? 'granted' : 'trial',
    vip_rest_seconds: vip.vip_rest_seconds + Math.ceil((end.getTime() - now.getTime()) / 1000),
  };
}

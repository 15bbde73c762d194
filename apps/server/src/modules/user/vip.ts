import { addMonths, dayMs, monthsBetween } from '../../calendar.ts';
import type { Row, Transaction } from '../../db/database.ts';

/**
 * VIP state as stored in an account's columns, and the effects of events on it. Dates are derived rather than stored
 * twice: a membership ends a whole number of months after its start, whatever the day of the month, so monthly
 * minutes and payments follow the same months.
 */
export type Vip = Pick<
  Row<'accounts'>,
  | 'vip_plan'
  | 'vip_started_at'
  | 'vip_expires_at'
  | 'vip_renews'
  | 'vip_rest_plan'
  | 'vip_rest_seconds'
>;
type Membership = 'monthly' | 'annual';

/**
 * Hours for which VIP continues while a renewal payment is pending: Stripe collects about an hour after the period
 * ends and retries a declined card for days. The month's minutes are granted with the payment.
 */
export const renewalGraceHours = 72;
const graceMs = renewalGraceHours * 3_600_000;

/** Whether VIP is active at the given time. */
export function isVip(vip: Vip, at: Date): boolean {
  if (vip.vip_expires_at === null) return false;
  return vip.vip_expires_at.getTime() + (vip.vip_renews ? graceMs : 0) > at.getTime();
}

/**
 * Applies the purchase of a membership. It extends a canceled membership that is still active; a trial or granted
 * time that is still active is deferred until the membership ends.
 */
export function buyMonths(vip: Vip, plan: Membership, months: number, at: Date): Vip {
  const now = resumeRest(vip, at);
  if (isPaid(now) && runs(now, at)) return renewMonths(now, plan, months, at);
  return {
    ...putOff(now, at),
    vip_plan: plan,
    vip_started_at: at,
    vip_expires_at: addMonths(at, months),
  };
}

/** Applies a paid renewal: its months follow the previous ones, however late the payment is. */
export function renewMonths(vip: Vip, plan: Membership, months: number, at: Date): Vip {
  const { vip_started_at: from, vip_expires_at: until } = vip;
  if (!isPaid(vip) || !from || !until) return buyMonths(vip, plan, months, at);
  return {
    ...vip,
    vip_plan: plan,
    vip_expires_at: addMonths(from, monthsBetween(from, until) + months),
  };
}

/** Applies a refund: removes months from the end of the membership, except those already past. */
export function takeMonths(vip: Vip, months: number, at: Date): Vip {
  const { vip_started_at: from, vip_expires_at: until } = vip;
  if (!isPaid(vip) || !from || !until || !runs(vip, at)) return vip;
  const left = addMonths(from, Math.max(0, monthsBetween(from, until) - months));
  return { ...vip, vip_renews: false, vip_expires_at: left > at ? left : at };
}

/** Resumes deferred time once the membership is over. */
export function resumeRest(vip: Vip, at: Date): Vip {
  if (vip.vip_rest_plan === null || vip.vip_renews || runs(vip, at)) return vip;
  return {
    vip_plan: vip.vip_rest_plan,
    vip_started_at: at,
    vip_expires_at: new Date(at.getTime() + vip.vip_rest_seconds * 1000),
    vip_renews: false,
    vip_rest_plan: null,
    vip_rest_seconds: 0,
  };
}

/** Grants days on an operator's behalf: they extend the active time, follow a membership, and absorb an active trial. */
export function giveDays(vip: Vip, days: number, at: Date): Vip {
  const now = resumeRest(vip, at);
  if (isPaid(now) && (runs(now, at) || now.vip_renews)) {
    const seconds = now.vip_rest_seconds + (days * dayMs) / 1000;
    return { ...now, vip_rest_plan: 'granted', vip_rest_seconds: seconds };
  }
  const granted = now.vip_plan === 'granted' && runs(now, at);
  const from = runs(now, at) && now.vip_expires_at ? now.vip_expires_at : at;
  return {
    ...now,
    vip_plan: 'granted',
    vip_started_at: granted ? now.vip_started_at : at,
    vip_expires_at: new Date(from.getTime() + days * dayMs),
  };
}

/** Saves the VIP state; the transaction must have locked the account. */
export async function saveVip(trx: Transaction, accountId: string, vip: Vip): Promise<void> {
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

function isPaid({ vip_plan: plan }: Vip): boolean {
  return plan === 'monthly' || plan === 'annual';
}

function runs({ vip_expires_at: until }: Vip, at: Date): boolean {
  return until !== null && until > at;
}

function putOff(vip: Vip, at: Date): Vip {
  const { vip_plan: plan, vip_expires_at: until } = vip;
  if (until === null || until <= at || (plan !== 'trial' && plan !== 'granted')) return vip;
  const granted = plan === 'granted' || vip.vip_rest_plan === 'granted';
  return {
    ...vip,
    vip_rest_plan: granted ? 'granted' : 'trial',
    vip_rest_seconds: vip.vip_rest_seconds + Math.ceil((until.getTime() - at.getTime()) / 1000),
  };
}

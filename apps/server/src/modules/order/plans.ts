import type { Plan } from '@linnet/contract';
import type { InterfaceLanguage } from '@linnet/contract/interface-languages';
import { limits } from '@linnet/contract/limits';
import type { PlanId } from '@linnet/contract/statuses';
import { planIds } from '@linnet/contract/statuses';
import { decimalsOf } from '../../currency.ts';
import { fillMinutes, words } from '../../words/index.ts';

/** A subscription that renews every billing period. */
interface Membership {
  readonly kind: 'membership';
  /** Length of a billing period. */
  readonly months: number;
  readonly vipPlan: 'monthly' | 'annual';
}
/** Minutes that are paid for once and don't expire. */
interface Package {
  readonly kind: 'package';
  readonly minutes: number;
}

/** The benefits of each plan, whatever its price. */
export const planTerms = {
  vip_monthly: { kind: 'membership', months: 1, vipPlan: 'monthly' },
  vip_annual: { kind: 'membership', months: 12, vipPlan: 'annual' },
  package_120: { kind: 'package', minutes: 120 },
  package_600: { kind: 'package', minutes: 600 },
  package_3000: { kind: 'package', minutes: 3000 },
} as const satisfies Record<PlanId, Membership | Package>;

/** Returns a plan's name, which appears on checkouts and invoices. */
export function planName(id: PlanId, language: InterfaceLanguage): string {
  const plan: Membership | Package = planTerms[id];
  const texts = words[language].plans;
  return plan.kind === 'package'
    ? fillMinutes(texts.minutes, plan.minutes, language)
    : texts[plan.vipPlan];
}

/** Memberships advertise half their full price (specification, section 9). */
const membershipSaving = 0.5;

/** Each plan's price in the currency's smallest unit. A plan without a price isn't for sale. */
export interface Prices {
  readonly currency: string;
  readonly amounts: Readonly<Partial<Record<PlanId, number>>>;
}

/** Returns the plans for sale, in the order of the contract. */
export function plansFor({ currency, amounts }: Prices): Plan[] {
  return planIds.flatMap((id) => {
    const price = amounts[id];
    if (price === undefined) return [];
    const plan = planTerms[id];
    const common = { id, kind: plan.kind, price, currency };
    if (plan.kind === 'package') {
      return { ...common, months: 0, minutes: plan.minutes, full_price: price };
    }
    return {
      ...common,
      months: plan.months,
      minutes: limits.minutes.vipPerMonth,
      full_price: Math.round(price / (1 - membershipSaving)),
    };
  });
}

/** The largest amount that the database column and Stripe accept. */
const maxAmount = 99_999_999;

/**
 * Parses prices such as `vip_monthly=9.99,package_120=2.99`.
 * @param currency an ISO 4217 code
 * @throws RangeError whose message describes the expected format
 */
export function parsePrices(text: string, currency: string): Prices {
  const decimals = decimalsOf(currency);
  const amounts: Partial<Record<PlanId, number>> = {};
  for (const entry of text.split(',').map((part) => part.trim())) {
    const [, name = '', integerPart = '', fraction = ''] =
      /^(\w+)\s*=\s*(\d{1,9})(?:\.(\d+))?$/.exec(entry) ?? [];
    const id = planIds.find((planId) => planId === name);
    const amount = Number(`${integerPart}${fraction.padEnd(decimals, '0')}`);
    const isValidAmount = fraction.length <= decimals && amount > 0 && amount <= maxAmount;
    if (id === undefined || id in amounts || !isValidAmount) {
      const places = decimals === 0 ? 'no decimals' : `at most ${decimals} decimals`;
      throw new RangeError(
        `prices such as vip_monthly=9, each plan once (${planIds.join(', ')}), with ${places} in ${currency}; not "${entry}"`,
      );
    }
    amounts[id] = amount;
  }
  return { currency, amounts };
}

import type { Plan } from '@linnet/contract';
import type { InterfaceLanguage } from '@linnet/contract/interface-languages';
import { limits } from '@linnet/contract/limits';
import type { PlanId } from '@linnet/contract/statuses';
import { planIds } from '@linnet/contract/statuses';
import { countDecimals } from '../../currency.ts';
import { fillMinutes, words } from '../../words/index.ts';

/** A subscription that renews every billing period. */
interface Membership {
  readonly kind: 'membership';
  /** Length of a billing period in months. */
  readonly months: number;
  readonly vipPlan: 'monthly' | 'annual';
}
/** Minutes bought with a single payment. They don't expire. */
interface Package {
  readonly kind: 'package';
  readonly minutes: number;
}

/** Each plan's benefits, regardless of its price. */
export const planTerms = {
  vip_monthly: { kind: 'membership', months: 1, vipPlan: 'monthly' },
  vip_annual: { kind: 'membership', months: 12, vipPlan: 'annual' },
  package_120: { kind: 'package', minutes: 120 },
  package_600: { kind: 'package', minutes: 600 },
  package_3000: { kind: 'package', minutes: 3000 },
} as const satisfies Record<PlanId, Membership | Package>;

/** Returns a plan's name as it appears on checkouts and invoices. */
export function planName(id: PlanId, language: InterfaceLanguage): string {
  const plan: Membership | Package = planTerms[id];
  const texts = words[language].plans;
  return plan.kind === 'package'
    ? fillMinutes(texts.minutes, plan.minutes, language)
    : texts[plan.vipPlan];
}

/** Amounts of money by plan. */
type Amounts = Readonly<Partial<Record<PlanId, number>>>;

/** Each plan's price in the currency's smallest unit. A plan without a price isn't for sale. */
export interface Prices {
  readonly currency: string;
  readonly amounts: Amounts;
  /** The operator's list prices, which are higher than the actual prices. */
  readonly listAmounts?: Amounts;
}

/** Returns the plans for sale, in the order of the contract. */
export function plansFor(prices: Prices): Plan[] {
  const { currency, amounts } = prices;
  return planIds.flatMap((id) => {
    const price = amounts[id];
    if (price === undefined) return [];
    const plan = planTerms[id];
    const common = { id, kind: plan.kind, price, currency, ...findComparison(id, price, prices) };
    if (plan.kind === 'package') {
      return { ...common, months: 0, minutes: plan.minutes };
    }
    return {
      ...common,
      months: plan.months,
      minutes: limits.minutes.vipPerMonth,
    };
  });
}

/**
 * Returns the price to compare a plan's price with: the operator's list price, or the cost of the monthly plan for the
 * same number of months. No other comparison is made, because it would advertise a price that was never charged.
 */
function findComparison(
  id: PlanId,
  price: number,
  { amounts, listAmounts }: Prices,
): Pick<Plan, 'full_price' | 'compared_with'> {
  const listPrice = listAmounts?.[id];
  if (listPrice !== undefined && listPrice > price) {
    return { full_price: listPrice, compared_with: 'list' };
  }
  const plan = planTerms[id];
  const monthlyTotal = plan.kind === 'membership' ? (amounts.vip_monthly ?? 0) * plan.months : 0;
  return monthlyTotal > price
    ? { full_price: monthlyTotal, compared_with: 'monthly' }
    : { full_price: price, compared_with: null };
}

/** The largest amount that the database column and Stripe accept. */
const maxAmount = 99_999_999;

/**
 * Parses prices such as `vip_monthly=9.99,package_120=2.99`.
 * @param currency an ISO 4217 code
 * @throws RangeError whose message describes the expected format
 */
export function parsePrices(text: string, currency: string): Prices {
  const decimals = countDecimals(currency);
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

import { z } from 'zod';
import type { Prices } from '../modules/order/plans.ts';
import { parsePrices } from '../modules/order/plans.ts';
import { ConfigFailure } from './failure.ts';
import type { ValuesOf } from './variable.ts';
import { baseUrl, choice, variable } from './variable.ts';

const standardPrices =
  'vip_monthly=9.99,vip_annual=99.99,package_120=2.99,package_600=9.99,package_3000=39.99';

/** Variables for payment, prices and the trial period. */
export const billingVariables = {
  BILLING: variable(
    'sandbox, stripe, off',
    'sandbox',
    'Payment for VIP and minutes. `sandbox` moves no money; `off` makes everything free.',
    choice(['sandbox', 'stripe', 'off']).default('sandbox'),
  ),
  PRICES: variable(
    'plan=price, comma-separated',
    standardPrices.replaceAll(',', ', '),
    'Plans for sale and their prices. Plans not listed are not sold.',
    z.string().default(standardPrices),
  ),
  LIST_PRICES: variable(
    'plan=price, comma-separated',
    'none',
    'List prices that the app shows for comparison. Without one, a year of VIP is compared with twelve months of the monthly plan. Only set prices that you may advertise.',
    z.string().optional(),
  ),
  CURRENCY: variable(
    'ISO 4217 code',
    'USD',
    'Currency of the prices.',
    z
      .string()
      .transform((code) => code.toUpperCase())
      .refine((code) => Intl.supportedValuesOf('currency').includes(code), 'a code such as EUR')
      .default('USD'),
  ),
  STRIPE_SECRET_KEY: variable(
    'sk_… or rk_…',
    'none',
    'Stripe API key, required by `BILLING=stripe`.',
    z
      .string()
      .regex(/^[sr]k_\w+$/, 'a key that starts with sk_ or rk_')
      .optional(),
  ),
  STRIPE_WEBHOOK_SECRET: variable(
    'whsec_…',
    'none',
    'Signing secret of the Stripe webhook `/pay/stripe/webhook`, required by `BILLING=stripe`.',
    z
      .string()
      .regex(/^whsec_\S+$/, 'a secret that starts with whsec_')
      .optional(),
  ),
  STRIPE_URL: variable(
    'http(s)://…',
    'https://api.stripe.com',
    'Base URL of the Stripe API. Change it only in tests.',
    baseUrl.default('https://api.stripe.com'),
  ),
  TRIAL_DAYS: variable(
    'days',
    '14',
    'Length of the VIP trial for new accounts.',
    z
      .string()
      .regex(/^\d{1,4}$/, 'a whole number of days')
      .transform(Number)
      .default(14),
  ),
} as const;

/**
 * Parses the plan prices.
 * @throws ConfigFailure if PRICES or LIST_PRICES isn't a valid list of prices in the currency
 */
export function parsePlanPrices(values: ValuesOf<typeof billingVariables>): Prices {
  const { LIST_PRICES, CURRENCY } = values;
  const prices = parseVariable('PRICES', values.PRICES, CURRENCY);
  if (LIST_PRICES === undefined) return prices;
  const { amounts: listAmounts } = parseVariable('LIST_PRICES', LIST_PRICES, CURRENCY);
  return { ...prices, listAmounts };
}

function parseVariable(name: 'PRICES' | 'LIST_PRICES', text: string, currency: string): Prices {
  try {
    return parsePrices(text, currency);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ConfigFailure(name, `${name} is invalid: expected ${error.message}.`);
  }
}

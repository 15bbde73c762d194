import type { Money } from '../../../currency.ts';
import { countDecimals } from '../../../currency.ts';

/**
 * Currencies without the usual two decimals in Stripe's API, by number of decimals (https://docs.stripe.com/currencies,
 * "Zero-decimal currencies", "Three-decimal currencies", "Special cases"). ISK, UGX, HUF and others are written without
 * decimals, but have two in the API.
 */
const decimals: Readonly<Record<number, ReadonlySet<string>>> = {
  0: new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ')),
  3: new Set('BHD JOD KWD OMR TND'.split(' ')),
};

function stripeDecimals(currency: string): number {
  if (decimals[0]?.has(currency)) return 0;
  return decimals[3]?.has(currency) ? 3 : 2;
}

/** Converts an amount to Stripe's units. */
export function toStripe({ amount, currency }: Money): { unit_amount: number; currency: string } {
  const power = stripeDecimals(currency) - countDecimals(currency);
  return { unit_amount: Math.round(amount * 10 ** power), currency: currency.toLowerCase() };
}

/** Converts an amount from Stripe's units. */
export function fromStripe(unitAmount: number, lowerCurrency: string): Money {
  const currency = lowerCurrency.toUpperCase();
  const power = countDecimals(currency) - stripeDecimals(currency);
  return { amount: Math.round(unitAmount * 10 ** power), currency };
}

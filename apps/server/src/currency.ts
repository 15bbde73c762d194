/** An amount of money, as in the contract and the database. */
export interface Money {
  /** Amount in the currency's smallest unit, such as cents. */
  readonly amount: number;
  /** ISO 4217 code in upper case. */
  readonly currency: string;
}

/** Returns a currency's number of decimal places. */
export function countDecimals(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 0;
}

/** Formats an amount for display in a locale, such as $9.99. */
export function formatMoney({ amount, currency }: Money, locale: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  return format.format(amount / 10 ** countDecimals(currency));
}

/** An amount of money as the contract and the database have it. */
export interface Money {
  /** In the smallest unit that the currency is written with, such as cents. */
  readonly amount: number;
  /** ISO 4217, upper case. */
  readonly currency: string;
}

/** How many decimals a currency is written with. */
export function decimalsOf(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 0;
}

/** An amount as people read it, such as $9.99. */
export function formatMoney({ amount, currency }: Money): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(amount / 10 ** decimalsOf(currency));
}

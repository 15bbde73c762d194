import type { SummaryDocument } from '@linnet/contract';

type Sum = SummaryDocument['finance'][number];

/** The total of all amounts in a currency. `items` is how many there are. */
export type Total = { readonly currency: string; readonly total: number; readonly items: number };

/**
 * Adds up amounts per currency if the total is meaningful: at least two exact amounts, each for a distinct purpose. A
 * repeated purpose may be the same amount mentioned twice.
 */
export function meaningfulTotals(finance: readonly Sum[]): Total[] {
  const groups = Map.groupBy(finance, ({ currency }) => currency ?? '');
  // An amount without a currency could belong to any total.
  if (groups.has('')) return [];
  return [...groups].flatMap(([currency, sums]) => {
    const purposes = new Set(sums.map(({ purpose }) => purpose?.toLocaleLowerCase().trim()));
    const isMeaningful = sums.every(({ amount, purpose }) => amount !== null && purpose !== null);
    if (sums.length < 2 || !isMeaningful || purposes.size < sums.length) return [];
    const total = sums.reduce((sum, { amount }) => sum + (amount ?? 0), 0);
    return [{ currency, total, items: sums.length }];
  });
}

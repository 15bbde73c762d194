import type { SummaryDocument } from '@linnet/contract';

type Sum = SummaryDocument['finance'][number];

/** Total of the amounts in a currency; `of` is their number. */
export type Total = { readonly currency: string; readonly total: number; readonly of: number };

/**
 * Adds up amounts where the total is meaningful: at least two in a currency, each with a distinct purpose (a
 * repeated purpose may be the same amount said twice), and none of them vague.
 */
export function honestSums(finance: readonly Sum[]): Total[] {
  const groups = Map.groupBy(finance, ({ currency }) => currency ?? '');
  // An amount without a currency may belong to any.
  if (groups.has('')) return [];
  return [...groups].flatMap(([currency, sums]) => {
    const purposes = new Set(sums.map(({ purpose }) => purpose?.toLocaleLowerCase().trim()));
    const clear = sums.every(({ amount, purpose }) => amount !== null && purpose !== null);
    if (sums.length < 2 || !clear || purposes.size < sums.length) return [];
    const total = sums.reduce((sum, { amount }) => sum + (amount ?? 0), 0);
    return [{ currency, total, of: sums.length }];
  });
}

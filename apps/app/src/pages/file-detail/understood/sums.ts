import type { SummaryDocument } from '@linnet/contract';

type Sum = SummaryDocument['finance'][number];

/** What the amounts of one currency come to; `of` is how many were added up. */
export type Total = { readonly currency: string; readonly total: number; readonly of: number };

/**
 * Adds up amounts where that says something: at least two in a currency, each for something that was
 * named, no two for the same (it may be one amount said twice), and none of them vague.
 */
export function honestSums(finance: readonly Sum[]): Total[] {
  const groups = Map.groupBy(finance, ({ currency }) => currency ?? '');
  // An amount without a currency may belong to any of them.
  if (groups.has('')) return [];
  return [...groups].flatMap(([currency, sums]) => {
    const purposes = new Set(sums.map(({ purpose }) => purpose?.toLocaleLowerCase().trim()));
    const clear = sums.every(({ amount, purpose }) => amount !== null && purpose !== null);
    if (sums.length < 2 || !clear || purposes.size < sums.length) return [];
    const total = sums.reduce((sum, { amount }) => sum + (amount ?? 0), 0);
    return [{ currency, total, of: sums.length }];
  });
}

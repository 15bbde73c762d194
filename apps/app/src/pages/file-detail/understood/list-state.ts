import type { SummaryDocument } from '@linnet/contract';
import type { SummaryListName } from '@linnet/contract/structures';

type Item<Name extends SummaryListName> = SummaryDocument[Name][number];

/**
 * What there is to show of one list.
 * - `not-yet`: nothing was written down, so nothing was looked through.
 * - `not-summed-up`: there is a transcript, and no summary of it.
 * - `not-looked-for`: the engine does not know what this sounds like in `language`.
 * - `none-said`: it was looked for and not found.
 */
export type ListState<Name extends SummaryListName> =
  | { readonly status: 'not-yet' | 'not-summed-up' | 'none-said' }
  | { readonly status: 'not-looked-for'; readonly language: string }
  | { readonly status: 'some'; readonly items: readonly Item<Name>[] };

/** How one list of a recording stands. */
export function listState<Name extends SummaryListName>(
  name: Name,
  transcribed: boolean,
  document: SummaryDocument | null,
): ListState<Name> {
  if (!document) return { status: transcribed ? 'not-summed-up' : 'not-yet' };
  const items: readonly Item<Name>[] = document[name];
  if (items.length > 0) return { status: 'some', items };
  if (document.looked_for.includes(name)) return { status: 'none-said' };
  return { status: 'not-looked-for', language: document.language };
}

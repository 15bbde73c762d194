import type { SummaryDocument } from '@linnet/contract';
import type { SummaryListName } from '@linnet/contract/structures';

type Item<Name extends SummaryListName> = SummaryDocument[Name][number];

/**
 * The state of a list.
 * - `not-yet`: not transcribed.
 * - `not-summed-up`: transcribed, but not summarized.
 * - `not-looked-for`: the engine cannot find such items in `language`.
 * - `none-said`: none were found.
 */
export type ListState<Name extends SummaryListName> =
  | { readonly status: 'not-yet' | 'not-summed-up' | 'none-said' }
  | { readonly status: 'not-looked-for'; readonly language: string }
  | { readonly status: 'some'; readonly items: readonly Item<Name>[] };

/** The state of one list of a recording. */
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

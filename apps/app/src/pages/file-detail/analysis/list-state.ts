import type { SummaryDocument } from '@linnet/contract';
import type { SummaryListName } from '@linnet/contract/structures';

type Item<Name extends SummaryListName> = SummaryDocument[Name][number];

/**
 * A list's state.
 * - `not-transcribed`: the recording has no transcript
 * - `not-summarized`: the recording has a transcript but no summary
 * - `unsupported`: the engine can't extract such items in `language`
 * - `none-found`: the recording contains no such items
 */
export type ListState<Name extends SummaryListName> =
  | { readonly status: 'not-transcribed' | 'not-summarized' | 'none-found' }
  | { readonly status: 'unsupported'; readonly language: string }
  | { readonly status: 'some'; readonly items: readonly Item<Name>[] };

/** Returns the state of one of a recording's lists. */
export function listState<Name extends SummaryListName>(
  name: Name,
  isTranscribed: boolean,
  document: SummaryDocument | null,
): ListState<Name> {
  if (!document) return { status: isTranscribed ? 'not-summarized' : 'not-transcribed' };
  const items: readonly Item<Name>[] = document[name];
  if (items.length > 0) return { status: 'some', items };
  if (document.looked_for.includes(name)) return { status: 'none-found' };
  return { status: 'unsupported', language: document.language };
}

import type { FoundRecord } from '@linnet/sync';
import type { Live } from './store.ts';

/**
 * A recording found only on the server. `onPhone`: the recording is on this phone, without the matching text.
 */
export type FoundElsewhere = FoundRecord & { readonly onPhone: boolean };

export type SearchResults = {
  /** Matches on this phone, newest first, up to the limit. */
  readonly found: readonly FoundRecord[];
  /** Whether there are more. */
  readonly more: boolean;
  /** Indexed share of this phone's texts, 0 to 1; null when complete. */
  readonly indexed: number | null;
  /** State of the search on the server; `unreachable`: only this phone was searched. */
  readonly server: 'asking' | 'done' | 'unreachable';
  /** Matches found only on the server. */
  readonly elsewhere: readonly FoundElsewhere[];
};

export type SearchService = {
  /**
   * Searches on this phone and the server while subscribed, and again after each change. Unsubscribing cancels.
   * @param limit number of recordings on this phone
   */
  find(keyword: string, limit: number): Live<SearchResults>;
};

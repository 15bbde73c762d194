import type { FoundRecord } from '@linnet/sync';
import type { Live } from './store.ts';

/**
 * A recording found on the server. `onPhone`: it can be opened, though the match itself is not on this phone.
 */
export type FoundElsewhere = FoundRecord & { readonly onPhone: boolean };

export type SearchResults = {
  /** Matches on this phone, newest first, up to the limit. */
  readonly found: readonly FoundRecord[];
  /** Whether there are more. */
  readonly more: boolean;
  /** Share of this phone's texts that is indexed, 0–1; null when complete. */
  readonly indexed: number | null;
  /** State of the search on the server; `unreachable`: only this phone was searched. */
  readonly server: 'asking' | 'done' | 'unreachable';
  /** Matches found only on the server. */
  readonly elsewhere: readonly FoundElsewhere[];
};

export type SearchService = {
  /**
   * Searches on this phone and the server while subscribed, again after each change; unsubscribing cancels.
   * @param limit number of recordings on this phone
   */
  find(keyword: string, limit: number): Live<SearchResults>;
};

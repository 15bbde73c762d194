import type { FoundRecord } from '@linnet/sync';
import type { Live } from './store.ts';

/** A match found only by the server. `onPhone`: this phone has the recording, but not the matching text. */
export type FoundElsewhere = FoundRecord & { readonly onPhone: boolean };

export type SearchResults = {
  /** The matches on this phone, newest first, up to the limit. */
  readonly found: readonly FoundRecord[];
  /** Whether this phone has more matches than the limit. */
  readonly more: boolean;
  /** How much of the text on this phone has been indexed, 0 to 1; null if all of it has. */
  readonly indexed: number | null;
  /** The state of the server's search. */
  readonly server: 'searching' | 'done' | 'unreachable';
  readonly elsewhere: readonly FoundElsewhere[];
};

export type SearchService = {
  /**
   * Searches on this phone and the server. While subscribed, repeats the search on this phone after every change.
   * Unsubscribing cancels the search.
   * @param limit the maximum number of matches on this phone
   */
  find(keyword: string, limit: number): Live<SearchResults>;
};

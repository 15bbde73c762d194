import type { FoundRecord } from '@linnet/sync';
import type { Live } from './store.ts';

/** A recording that the server found; `onPhone`: it can be opened, though not what was found in it. */
export type FoundElsewhere = FoundRecord & { readonly onPhone: boolean };

export type SearchResults = {
  /** On this phone, newest first, as many as were asked for. */
  readonly found: readonly FoundRecord[];
  /** Whether there are more than were asked for. */
  readonly more: boolean;
  /** How much of what is on this phone can be found so far, 0–1; null when all of it can. */
  readonly indexed: number | null;
  /** Whether the server was heard; `unreachable`: only this phone was searched. */
  readonly server: 'asking' | 'done' | 'unreachable';
  /** What only the server found. */
  readonly elsewhere: readonly FoundElsewhere[];
};

export type SearchService = {
  /**
   * Searches while somebody listens, here and on the server, and again after each change; letting go
   * calls it off.
   * @param limit recordings of this phone
   */
  find(keyword: string, limit: number): Live<SearchResults>;
};

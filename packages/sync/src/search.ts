import type { SearchMatch } from '@linnet/contract';
import type { LocalRecord } from './record.ts';

/** A match in a recording, with a snippet of text around the first matching word. */
export type FoundText = Pick<SearchMatch, 'where' | 'text'> & {
  /** The transcript paragraph that matches, or null for other texts. `seconds` counts from the start of the recording. */
  readonly paragraph: { readonly id: string; readonly seconds: number } | null;
};

/** A recording that contains all words. */
export type FoundRecord = Pick<
  LocalRecord,
  'id' | 'title' | 'ai_title' | 'create_date' | 'record_time'
> & {
  /** In display order: the name, one match in the metadata, the first in the transcript, then all others. */
  readonly matches: readonly FoundText[];
  /** How many texts and paragraphs contain any of the words. */
  readonly matchCount: number;
};

/** Maximum matches shown per recording, besides its name. */
export const maxMatches = 3;

export type SearchAnswer = {
  /** The matching recordings, newest first, at most as many as requested. */
  readonly found: readonly FoundRecord[];
  /** True if more recordings match than were requested. */
  readonly more: boolean;
};

/** The progress of indexing: `left` of the backlog's `of` pages remain. */
export type SearchBacklog = { readonly left: number; readonly of: number };

/**
 * Searches the full text of recordings outside the recycle bin: names, tags, keywords, speakers, summaries and
 * transcripts. A change can be found only after `catchUp` has indexed it.
 */
export interface SearchStore {
  /** Returns recordings that contain all words. @param words as returned by `foldedWords`; without words, none match */
  find(uid: string, words: readonly string[], limit: number): Promise<SearchAnswer>;
  /** Indexes the next part of the backlog. @returns the remaining backlog */
  catchUp(): Promise<SearchBacklog>;
  /** Tells for each recording if it's on this phone or was deleted on it. Unknown ids are omitted. */
  presence(ids: readonly string[]): Promise<ReadonlyMap<string, 'kept' | 'deleted'>>;
}

import type { SearchMatch } from '@linnet/contract';
import type { LocalRecord } from './record.ts';

/** A match in a recording: a snippet around the first matching word. */
export type FoundText = Pick<SearchMatch, 'where' | 'text'> & {
  /** The paragraph of a match in the transcript; `seconds` from the start of the recording. */
  readonly paragraph: { readonly id: string; readonly seconds: number } | null;
};

/** A recording that contains all words. */
export type FoundRecord = Pick<
  LocalRecord,
  'id' | 'title' | 'ai_title' | 'create_date' | 'record_time'
> & {
  /** Matches in the order of display: name, one from the metadata, the first from the transcript, then the others. */
  readonly matches: readonly FoundText[];
  /** Number of texts and paragraphs that contain any of the words. */
  readonly matchCount: number;
};

/** Maximum matches shown for one recording, besides its name. */
export const maxMatches = 3;

export type SearchAnswer = {
  /** Newest first, at most the requested number. */
  readonly found: readonly FoundRecord[];
  /** Whether there are more than requested. */
  readonly more: boolean;
};

/** Index progress: remaining pages (`left`) of the backlog's pages (`of`). */
export type SearchBacklog = { readonly left: number; readonly of: number };

/**
 * Full-text search of recordings outside the recycle bin: names, tags, keywords, speakers, summaries and transcripts.
 * Changes can be found once `catchUp` has indexed them.
 */
export interface SearchStore {
  /** @param words from `foldedWords`; an empty list finds nothing */
  find(uid: string, words: readonly string[], limit: number): Promise<SearchAnswer>;
  /** Indexes the next part of the backlog. @returns the remaining backlog */
  catchUp(): Promise<SearchBacklog>;
  /** Returns whether recordings are on this phone or were deleted on it; the result omits unknown ids. */
  presence(ids: readonly string[]): Promise<ReadonlyMap<string, 'kept' | 'deleted'>>;
}

import type { SearchMatch } from '@linnet/contract';
import type { LocalRecord } from './record.ts';

/** Where words were found in a recording: the text around the first of them, one line. */
export type FoundText = Pick<SearchMatch, 'where' | 'text'> & {
  /** Of the transcript; `seconds` from the start of the recording. */
  readonly paragraph: { readonly id: string; readonly seconds: number } | null;
};

/** A recording that contains all words. */
export type FoundRecord = Pick<
  LocalRecord,
  'id' | 'title' | 'ai_title' | 'create_date' | 'record_time'
> & {
  /** The name, if it has a word, then the first places: one in what is written about it, and where it was said. */
  readonly matches: readonly FoundText[];
  /** Texts and paragraphs that have any of the words. */
  readonly matchCount: number;
};

/** Most matches of one recording that are shown beside its name; all are counted. */
export const maxMatches = 3;

export type SearchAnswer = {
  /** Newest first, at most the requested number. */
  readonly found: readonly FoundRecord[];
  /** Whether there are more than requested. */
  readonly more: boolean;
};

/** The backlog of the index, in steps of about equal work. */
export type SearchBacklog = { readonly left: number; readonly of: number };

/**
 * Full-text search of recordings outside the recycle bin: names, tags, keywords, speakers, summaries and transcripts.
 * Changes are found once `catchUp` has indexed them, a little at a time.
 */
export interface SearchStore {
  /** @param words as `foldedWords` makes them; without any nothing is found */
  find(uid: string, words: readonly string[], limit: number): Promise<SearchAnswer>;
  /** Indexes the next part of the backlog. @returns the rest of it */
  catchUp(): Promise<SearchBacklog>;
  /** Whether recordings are on this phone or were deleted on it; unknown ones are absent from the result. */
  presence(ids: readonly string[]): Promise<ReadonlyMap<string, 'kept' | 'deleted'>>;
}

import type { SearchMatch } from '@linnet/contract';
import type { LocalRecord } from './record.ts';

/** Where words were found in a recording: the text around the first of them, one line. */
export type FoundText = Pick<SearchMatch, 'where' | 'text'> & {
  /** Of the transcript; `seconds` from the start of the recording. */
  readonly paragraph: { readonly id: string; readonly seconds: number } | null;
};

/** A recording in which each word was found somewhere. */
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
export const mostMatches = 3;

export type SearchAnswer = {
  /** Newest first, as many as were asked for. */
  readonly found: readonly FoundRecord[];
  /** Whether there are more than were asked for. */
  readonly more: boolean;
};

/** How far the index is behind what it indexes, in steps of about equal work. */
export type SearchBacklog = { readonly left: number; readonly of: number };

/**
 * Finds kept recordings by what is written about them and what was said in them. What changed and is not
 * in the index yet is not found: `catchUp` takes it in, a little at a time.
 */
export interface SearchStore {
  /** @param words as `foldedWords` makes them; without any nothing is found */
  find(uid: string, words: readonly string[], limit: number): Promise<SearchAnswer>;
  /** Takes a step towards an index of everything. @returns what is left to do */
  catchUp(): Promise<SearchBacklog>;
  /** Which of some recordings are here, and which were deleted here; others this phone does not know. */
  whereabouts(ids: readonly string[]): Promise<ReadonlyMap<string, 'kept' | 'deleted'>>;
}

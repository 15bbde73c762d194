import type { SearchMatch } from '@linnet/contract';
import type { LocalRecord } from './record.ts';

/** A match in a recording, with a snippet around the first matching word. */
export type FoundText = Pick<SearchMatch, 'where' | 'text'> & {
  /**
   * The matching transcript paragraph, or null if the match is elsewhere. `seconds` is relative to the start of the
   * recording.
   */
  readonly paragraph: { readonly id: string; readonly seconds: number } | null;
};

/** A recording that contains all words. */
export type FoundRecord = Pick<
  LocalRecord,
  'id' | 'title' | 'ai_title' | 'create_date' | 'record_time' | 'is_archived'
> & {
  /** In display order: the name, one match in the metadata, the first match in the transcript, then the rest. */
  readonly matches: readonly FoundText[];
  /** How many fields and paragraphs contain any of the words. */
  readonly matchCount: number;
};

/** Maximum number of matches shown per recording, not counting its name. */
export const maxMatches = 3;

export type SearchAnswer = {
  /** The matching recordings, newest first, up to the requested number. */
  readonly found: readonly FoundRecord[];
  /** True if more recordings match than were requested. */
  readonly more: boolean;
};

/**
 * Indexing progress: `remaining` of `total` items remain. Items are pages to index and summaries whose speakers were
 * renamed.
 */
export type SearchBacklog = { readonly remaining: number; readonly total: number };

/**
 * Searches the full text of recordings outside the recycle bin, including archived ones: names, tags, keywords,
 * speakers, notes, markers, summaries and transcripts. Finds changes only after `catchUp` has indexed them.
 */
export interface SearchStore {
  /** Returns recordings that contain all words. @param words as returned by `foldedWords`; without words, none match */
  find(uid: string, words: readonly string[], limit: number): Promise<SearchAnswer>;
  /** Names the speakers in summaries and indexes the next part of the backlog. @returns the remaining backlog */
  catchUp(): Promise<SearchBacklog>;
  /** Returns whether each recording is on this phone or was deleted from it. Unknown IDs are omitted. */
  presence(ids: readonly string[]): Promise<ReadonlyMap<string, 'kept' | 'deleted'>>;
}

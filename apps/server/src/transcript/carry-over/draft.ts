/** Collects the replacement texts for the words of the target, the transcript that receives the user's changes. */
import { limits } from '@linnet/contract/limits';
import type { Replacement } from '../alignment.ts';
import { joinTokens } from '../alignment.ts';
import type { PlacedToken, TargetWindow } from './target-words.ts';
import { contextWords, placeTokens } from './target-words.ts';
import type { IndexRange, TimeRange } from './timeline.ts';
import { Timeline } from './timeline.ts';
import type { CarriedValue, SourceParagraph, TargetParagraph } from './types.ts';

/** Maximum difference in seconds between two engines' times for the same word. */
const timeTolerance = 3;

/** Returns whether a source paragraph's changes may replace other words in a target paragraph. */
export type MayReplace = (source: SourceParagraph, target: TargetParagraph) => boolean;

/** Text that replaces some of the target's words. */
interface Write extends IndexRange {
  readonly source: string;
  readonly text: string;
  readonly change: Replacement;
  readonly paragraphs: ReadonlySet<number>;
}

/** The target's words, and the texts that replace some of them. */
export class Draft {
  readonly target: readonly TargetParagraph[];
  readonly #mayReplace: MayReplace;
  readonly #tokens: Timeline<PlacedToken>;
  /** The index of each paragraph's first token, and at the end the total number of tokens. */
  readonly #starts: readonly number[];
  /** The text of each token, or '' if it was replaced along with the token before it. */
  readonly #texts: string[];
  /** Indexes of the tokens that are the user's words, from before or written by this draft. */
  readonly #owned = new Set<number>();
  /** The IDs of the source paragraphs that contain the same word, by token index. */
  readonly #claims = new Map<number, Set<string>>();
  readonly #writes: Write[] = [];

  constructor(target: readonly TargetParagraph[], mayReplace: MayReplace) {
    const tokens = target.map(placeTokens);
    this.target = target;
    this.#mayReplace = mayReplace;
    this.#tokens = new Timeline(tokens.flat());
    this.#texts = this.#tokens.items.map((token) => joinTokens([token]));
    let start = 0;
    this.#starts = [0, ...tokens.map(({ length }) => (start += length))];
  }

  windowAt({ start, end }: TimeRange): TargetWindow {
    const { items } = this.#tokens;
    const { from, to } = this.#tokens.rangeAt({
      start: start - timeTolerance,
      end: end + timeTolerance,
    });
    const first = Math.max(0, from - contextWords);
    return {
      tokens: items.slice(first, to + contextWords),
      first,
      isStart: from === 0,
      isEnd: to === items.length,
    };
  }

  mayReplace(source: SourceParagraph, tokens: readonly PlacedToken[]): boolean {
    return tokens.every(({ paragraph }) => {
      const goal = this.target[paragraph];
      return goal !== undefined && this.#mayReplace(source, goal);
    });
  }

  /** Marks tokens as the words of a source paragraph, to prevent changes to other paragraphs from replacing them. */
  claim(source: string, places: readonly number[]): void {
    for (const index of places)
      this.#claims.set(index, (this.#claims.get(index) ?? new Set()).add(source));
  }

  /** Marks a token that already is the user's word, to prevent its replacement. */
  keep(index: number): void {
    this.#owned.add(index);
  }

  /**
   * Replaces tokens with text, in the first token's paragraph. Returns false, without a change, if a token is the
   * user's word or another paragraph's, or if a paragraph would be left without text.
   */
  write(source: string, { from, to }: IndexRange, text: string, change: Replacement): boolean {
    const indexes = this.#tokens.items.slice(from, to).map((_, offset) => from + offset);
    if (
      indexes.some(
        (index) => this.#owned.has(index) || !(this.#claims.get(index)?.has(source) ?? true),
      )
    ) {
      return false;
    }
    const paragraphs = new Set(
      indexes.flatMap((index) => this.#tokens.items[index]?.paragraph ?? []),
    );
    const isEmptied = [...paragraphs].some(
      (paragraph, position) =>
        (position > 0 || text === '') &&
        this.#getIndexes(paragraph).every(
          (index) => (index >= from && index < to) || this.#texts[index] === '',
        ),
    );
    if (isEmptied) return false;
    for (const index of indexes) {
      this.#texts[index] = index === from ? text : '';
      this.#owned.add(index);
    }
    this.#writes.push({ source, from, to, text, change, paragraphs });
    return true;
  }

  /** Returns the changed texts, and the changes that were undone because they would have made a paragraph too long. */
  texts(): { readonly texts: CarriedValue<string>[]; readonly tooLong: ReadonlySet<Replacement> } {
    const tooLong = new Set<Replacement>();
    for (let index = 0; index < this.target.length; index += 1) {
      const writes = this.#getWrites(index, tooLong);
      if (
        writes.length === 0 ||
        this.#joinTokens(index).length <= limits.paragraph.contentMaxLength
      ) {
        continue;
      }
      for (const { change, from, to } of writes) {
        tooLong.add(change);
        for (let tokenIndex = from; tokenIndex < to; tokenIndex += 1) {
          this.#texts[tokenIndex] = joinTokens(
            this.#tokens.items.slice(tokenIndex, tokenIndex + 1),
          );
        }
      }
      // Check all paragraphs again: neighbors got their original words back, so they may be too long now.
      index = -1;
    }
    const texts = this.target.flatMap(
      ({ id: paragraph, content }, index): CarriedValue<string>[] => {
        const writes = this.#getWrites(index, tooLong);
        const value = this.#joinTokens(index);
        if (writes.length === 0 || value === content) return [];
        return [{ paragraph, value, sources: [...new Set(writes.map(({ source }) => source))] }];
      },
    );
    return { texts, tooLong };
  }

  #getWrites(paragraph: number, undone: ReadonlySet<Replacement>): Write[] {
    return this.#writes.filter(
      ({ paragraphs, change }) => paragraphs.has(paragraph) && !undone.has(change),
    );
  }

  #joinTokens(paragraph: number): string {
    return this.#getIndexes(paragraph)
      .map((at) => this.#texts[at])
      .join('')
      .trim();
  }

  #getIndexes(paragraph: number): number[] {
    const [start = 0, end = start] = this.#starts.slice(paragraph, paragraph + 2);
    return Array.from({ length: end - start }, (_, offset) => start + offset);
  }
}

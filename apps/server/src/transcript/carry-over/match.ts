/** Locates a source paragraph's words, and those around it, in the transcript that receives the changes. */
import type { Token } from '../alignment.ts';
import { align } from '../alignment.ts';
import type { TargetWindow } from './target-words.ts';
import { contextWords } from './target-words.ts';
import type { IndexRange } from './timeline.ts';

/** The words before and after a paragraph. */
export type Context = readonly [before: readonly Token[], after: readonly Token[]];

/**
 * A paragraph's words and their context, aligned with a window of the target. Positions are relative to the paragraph.
 */
export class Match {
  readonly #window: TargetWindow;
  /** Number of context words before the paragraph. */
  readonly #lead: number;
  /** Each word's index in the window, or -1 if the window doesn't have it. */
  readonly #places: readonly number[];
  /** Whether the window has the same word at that index. False if it has another word there. */
  readonly #isSame: readonly boolean[];

  constructor([before, after]: Context, words: readonly Token[], window: TargetWindow) {
    const passage = getKeys([...before, ...words, ...after]);
    const others = getKeys(window.tokens);
    this.#window = window;
    this.#lead = before.length;
    this.#places = align(passage, others);
    this.#isSame = this.#places.map((place, at) => place >= 0 && passage[at] === others[place]);
  }

  /** Returns whether the window has the same word. The bounds of the recording count as words. */
  hasSame(at: number): boolean {
    const index = this.#lead + at;
    if (index < 0) return this.#window.isStart;
    return this.#isSame[index] ?? this.#window.isEnd;
  }

  /** Returns the window indexes of the words `from` (inclusive) to `to` (exclusive), or -1 for words without one. */
  getPlaces(from: number, to: number): readonly number[] {
    return this.#places.slice(this.#lead + from, this.#lead + to);
  }

  /** Returns the window indexes of the words that appear unchanged in the window. */
  findSamePlaces(from: number, to: number): number[] {
    return this.getPlaces(from, to).filter((_, n) => this.hasSame(from + n));
  }

  /** Returns whether the window has the same words in the same order, without other words between them. */
  isContiguous(from: number, to: number): boolean {
    if (this.#lead + from < 0 || this.#lead + to > this.#places.length) return false;
    const places = this.getPlaces(from, to);
    return places.every((place, n) => this.hasSame(from + n) && place === (places[0] ?? 0) + n);
  }

  /** Returns the range of the window with exactly these words, if any. */
  findRange(from: number, to: number): IndexRange | null {
    const [start] = this.getPlaces(from, to);
    if (start === undefined || !this.isContiguous(from, to)) return null;
    return { from: start, to: start + to - from };
  }

  /**
   * Returns the window range, perhaps empty, between the words before and after a part of the paragraph: its neighbors. Returns null unless the window has each neighbor, or another word in its place and most of the words
   * near it.
   */
  rangeBetween(from: number, to: number): IndexRange | null {
    const [first, last] = [this.#lead + from, this.#lead + to];
    const [left = -1, right = -1] = [this.#places[first - 1], this.#places[last]];
    const hasBefore =
      this.hasSame(from - 1) || (left >= 0 && this.#matchesMost(first - contextWords, first));
    const hasAfter =
      this.hasSame(to) || (right >= 0 && this.#matchesMost(last, last + contextWords));
    if (!hasBefore || !hasAfter || (left < 0 && right < 0)) return null;
    return { from: left + 1, to: right < 0 ? this.#window.tokens.length : right };
  }

  #matchesMost(first: number, last: number): boolean {
    const matches = this.#isSame.slice(Math.max(0, first), last);
    return matches.length > 0 && matches.filter((isSame) => isSame).length >= matches.length / 2;
  }
}

/** Returns the keys by which words are compared. */
export const getKeys = (tokens: readonly Token[]) => tokens.map(({ key }) => key);

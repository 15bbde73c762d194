/** Finds the words of a paragraph, with those around it, in the transcript that receives the changes. */
import type { Token } from '../alignment.ts';
import { align } from '../alignment.ts';
import type { TargetWindow } from './target-words.ts';
import { contextWords } from './target-words.ts';
import type { Range } from './timeline.ts';

/** The words before and after a paragraph. */
export type Context = readonly [before: readonly Token[], after: readonly Token[]];

/** A paragraph's words, with those around it, aligned with a window. Positions are relative to the paragraph. */
export class Match {
  readonly #window: TargetWindow;
  /** The number of words before the paragraph. */
  readonly #lead: number;
  /** The place of each word in the window, or -1 if it's absent. */
  readonly #places: readonly number[];
  /** Whether the word at its place is the same one. */
  readonly #isSame: readonly boolean[];

  constructor([before, after]: Context, words: readonly Token[], window: TargetWindow) {
    const passage = keysOf([...before, ...words, ...after]);
    const others = keysOf(window.tokens);
    this.#window = window;
    this.#lead = before.length;
    this.#places = align(passage, others);
    this.#isSame = this.#places.map((place, at) => place >= 0 && passage[at] === others[place]);
  }

  /** True if the window has the same word. The bounds of the recording count as words. */
  hasSame(at: number): boolean {
    const index = this.#lead + at;
    if (index < 0) return this.#window.isStart;
    return this.#isSame[index] ?? this.#window.isEnd;
  }

  /** Returns the places of some words in the window. */
  placesOf(from: number, to: number): readonly number[] {
    return this.#places.slice(this.#lead + from, this.#lead + to);
  }

  /** Returns the places of the words that the window has. */
  samePlaces(from: number, to: number): number[] {
    return this.placesOf(from, to).filter((_, n) => this.hasSame(from + n));
  }

  /** True if the window has the same words in the same order without others between them. */
  isContiguous(from: number, to: number): boolean {
    if (this.#lead + from < 0 || this.#lead + to > this.#places.length) return false;
    const places = this.placesOf(from, to);
    return places.every((place, n) => this.hasSame(from + n) && place === (places[0] ?? 0) + n);
  }

  /** Returns the range of the window that has the same words, or null if there is none. */
  rangeOf(from: number, to: number): Range | null {
    const [start] = this.placesOf(from, to);
    if (start === undefined || !this.isContiguous(from, to)) return null;
    return { from: start, to: start + to - from };
  }

  /**
   * Returns the range of the window, perhaps empty, between the words before and after a part of the paragraph. Returns
   * null unless the window has the neighboring word on each side, or another one in its place and most words near it.
   */
  rangeBetween(from: number, to: number): Range | null {
    const [first, last] = [this.#lead + from, this.#lead + to];
    const [left = -1, right = -1] = [this.#places[first - 1], this.#places[last]];
    const hasBefore =
      this.hasSame(from - 1) || (left >= 0 && this.#hasMost(first - contextWords, first));
    const hasAfter = this.hasSame(to) || (right >= 0 && this.#hasMost(last, last + contextWords));
    if (!hasBefore || !hasAfter || (left < 0 && right < 0)) return null;
    return { from: left + 1, to: right < 0 ? this.#window.tokens.length : right };
  }

  #hasMost(first: number, last: number): boolean {
    const same = this.#isSame.slice(Math.max(0, first), last);
    return same.length > 0 && same.filter((isSame) => isSame).length >= same.length / 2;
  }
}

/** Returns the folded words, which are compared. */
export const keysOf = (tokens: readonly Token[]) => tokens.map(({ key }) => key);

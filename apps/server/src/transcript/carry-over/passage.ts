/** Carries over the changes to the text of one paragraph, and lists the changes that can't be placed in the target. */
import type { Replacement, Token } from '../alignment.ts';
import { extend, joinAdjacent, joinTokens, replacements, tokenize } from '../alignment.ts';
import type { Draft } from './draft.ts';
import type { Context } from './match.ts';
import { getKeys, Match } from './match.ts';
import type { PlacedToken, TargetWindow } from './target-words.ts';
import { contextWords } from './target-words.ts';
import type { IndexRange } from './timeline.ts';
import type { SourceParagraph, UnplacedChangeContent } from './types.ts';

/** A part of the user's text that can't be placed in the target, with one or more changes. */
export interface UnplacedText extends UnplacedChangeContent {
  /** The positions of the changed words in the user's text. */
  readonly words: readonly IndexRange[];
}

/** Number of words shown before and after a change that can't be placed. */
const shownWords = 8;

/** Maximum difference in seconds between the bounds of paragraphs that two transcripts divide in the same way. */
const boundTolerance = 1;

/** Maximum number of unchanged words between changes that are placed together. */
const joinedWords = 1;

/** A paragraph is rewritten if it has at least this many words, and the user changed at least this share of them. */
const minRewrittenWords = 5;
const rewrittenShare = 0.5;
/** Maximum share of the words of a rewritten paragraph that the target may have in other paragraphs. */
const maxShareElsewhere = 0.2;

/** A paragraph of the source, with the target's words at about the same time. */
export class Passage {
  /** The words of the user's text. */
  readonly owners: readonly Token[];
  readonly #draft: Draft;
  readonly #source: SourceParagraph;
  readonly #window: TargetWindow;
  #known: readonly Token[];
  #owners: Match | null = null;
  /** The changes that the target doesn't have already. */
  #changes: readonly Replacement[] = [];
  /** The replacements written to the draft. Each may contain several changes. */
  readonly #written: Replacement[] = [];
  /** The replacements that can't be placed. Each may contain several changes. */
  #unplaced: readonly Replacement[] = [];

  constructor(draft: Draft, source: SourceParagraph) {
    this.#draft = draft;
    this.#source = source;
    this.#window = draft.windowAt(source);
    this.owners = tokenize(source.content);
    this.#known = this.#isChanged ? tokenize(source.before) : this.owners;
  }

  /**
   * The words expected in the target: the text before the user's changes, including the changes that the target
   * already has.
   */
  get known(): readonly Token[] {
    return this.#known;
  }

  get #isChanged(): boolean {
    return this.#source.content !== this.#source.before;
  }

  /** Finds the changes that the target already has, and protects their words from replacement. */
  keepExistingWords(context: Context): void {
    const match = new Match(context, this.owners, this.#window);
    this.#claim(match, this.owners);
    if (!this.#isChanged) return;
    this.#claim(new Match(context, this.#known, this.#window), this.#known);
    this.#owners = match;
    const present = changesBetween(this.#known, this.owners).filter(({ from, to, start, end }) => {
      const removedWords = this.#known.slice(from, to);
      const owners = this.owners.slice(start, end);
      if (haveSameWords(removedWords, owners)) return false;
      // If words were removed, the target has the remaining words in any case, so both neighbors must match as well.
      const margin = owners.length < removedWords.length ? 1 : 0;
      if (!match.isContiguous(start - margin, end + margin)) return false;
      const [first = 0] = match.getPlaces(start - margin, end + margin);
      if (this.#hasRemoved(removedWords, owners, first)) return false;
      // A single letter is weak evidence (in scripts without spaces), so a neighbor must match as well.
      const isLetter = owners.at(-1)?.trail === '';
      return !isLetter || match.isContiguous(start - 1, end) || match.isContiguous(start, end + 1);
    });
    for (const { from, to, start, end } of present.reverse()) {
      for (const place of match.getPlaces(start, end)) this.#draft.keep(this.#window.first + place);
      this.#known = this.#known.toSpliced(from, to - from, ...this.owners.slice(start, end));
    }
  }

  /**
   * Returns whether the window still has words that the user replaced, next to the user's words that start at index
   * `first`.
   */
  #hasRemoved(removed: readonly Token[], owners: readonly Token[], first: number): boolean {
    const surroundingTokens = this.#window.tokens.slice(
      Math.max(0, first - removed.length),
      first + owners.length + removed.length + 2,
    );
    const surroundingKeys = new Set(getKeys(surroundingTokens));
    const keptKeys = new Set(getKeys(owners));
    return getKeys(removed).some((key) => surroundingKeys.has(key) && !keptKeys.has(key));
  }

  #claim(match: Match, words: readonly Token[]): void {
    const places = match.findSamePlaces(0, words.length);
    this.#draft.claim(
      this.#source.id,
      places.map((at) => this.#window.first + at),
    );
  }

  /** Writes the changes that the target doesn't have yet to the draft. */
  place(context: Context): void {
    if (!this.#isChanged) return;
    const length = this.#known.length;
    if (length === 0 || this.owners.length === 0) {
      this.#changes = [{ from: 0, to: length, start: 0, end: this.owners.length }];
      this.#unplaced = this.#changes;
      return;
    }
    this.#changes = changesBetween(this.#known, this.owners);
    if (this.#isRewritten() && this.#placeWhole()) return;
    const match = new Match(context, this.#known, this.#window);
    const changes = joinAdjacent(this.#changes, joinedWords);
    const exact = new Set(
      changes.filter((change) => !addsWords(change) && this.#placeExactly(match, change)),
    );
    const isWordStart = (at: number) => this.#known[at]?.isWordStart ?? true;
    const isStart = (from: number) => isWordStart(from) && match.hasSame(from - 1);
    const isEnd = (to: number) => isWordStart(to) && match.hasSame(to);
    this.#unplaced = extend(changes, length, contextWords, isStart, isEnd, exact).filter(
      (change) => !exact.has(change) && !this.#placeBetweenNeighbors(match, change),
    );
    const isReplaced = changes.some(({ from, to }) => from === 0 && to === length);
    if (isReplaced && this.#unplaced.length > 0 && this.#placeWhole()) this.#unplaced = [];
  }

  /**
   * Lists the changes that can't be placed. Changes near each other are listed together.
   * @param undone replacements that were removed from the draft
   */
  listUnplaced(undone: ReadonlySet<Replacement>): UnplacedText[] {
    const { content, before, start: time } = this.#source;
    const failed = [...this.#unplaced, ...this.#written.filter((item) => undone.has(item))];
    const changes = this.#changes.filter((change) => failed.some((item) => contains(item, change)));
    const isRemoved = content.trim() === '';
    return joinAdjacent(changes, 2 * shownWords).map((shown) => ({
      kind: isRemoved ? 'removal' : 'edit',
      text: isRemoved ? before : excerpt(this.owners, shown) || content,
      time,
      words: changes
        .filter((change) => contains(shown, change))
        .map(({ start, end }) => ({ from: start, to: end })),
    }));
  }

  /** Places a change where the target has exactly the words that it replaced. */
  #placeExactly(match: Match, change: Replacement): boolean {
    const { from, to, start, end } = change;
    // Words are removed only between the same neighbors.
    if (end - start < to - from && !match.isContiguous(from - 1, to + 1)) return false;
    const range = match.findRange(from, to);
    return range !== null && this.#write(this.#includePresent(match, change, range), change);
  }

  /** Places a change between its neighboring words, even if the target has other words there. */
  #placeBetweenNeighbors(match: Match, change: Replacement): boolean {
    const between = match.rangeBetween(change.from, change.to);
    if (between === null) return false;
    const { from, to, start, end } = change;
    const range = this.#includePresent(match, change, between);
    if (range.from === range.to) {
      // The words to remove are absent. Words to insert are written along with the next or previous word.
      if (start === end) return true;
      if (!match.hasSame(from - 1) || !match.hasSame(to)) return false;
      const withNext = { ...change, to: to + 1, end: end + 1 };
      const withPrevious = { ...change, from: from - 1, start: start - 1 };
      return (
        (to < this.#known.length && this.#write({ ...range, to: range.to + 1 }, withNext)) ||
        (from > 0 && this.#write({ ...range, from: range.from - 1 }, withPrevious))
      );
    }
    const replacedTokens = this.#window.tokens.slice(range.from, range.to);
    const isMishearing = !hasMoreSpeech(replacedTokens, Math.max(to - from, end - start));
    const isExpected =
      haveSameWords(replacedTokens, this.#known.slice(from, to)) ||
      haveSameWords(replacedTokens, this.owners.slice(start, end));
    const isReplaceable =
      isExpected || (isMishearing && this.#draft.mayReplace(this.#source, replacedTokens));
    return isReplaceable && this.#write(range, change);
  }

  /** Extends a range of the window to include the user's words next to it, which would otherwise be repeated. */
  #includePresent(
    match: Match,
    { from, to, start, end }: Replacement,
    range: IndexRange,
  ): IndexRange {
    const unchanged = [
      ...match.findSamePlaces(0, from),
      ...match.findSamePlaces(to, this.#known.length),
    ];
    const isFree = (first: number, last: number) =>
      !unchanged.some((at) => at >= first && at <= last);
    const present = this.#owners?.findSamePlaces(start, end) ?? [];
    return {
      from: Math.min(range.from, ...present.filter((at) => isFree(at, range.from - 1))),
      to: Math.max(range.to, ...present.filter((at) => isFree(range.to, at)).map((at) => at + 1)),
    };
  }

  /** Returns whether the user changed most words, apart from capitals and punctuation. */
  #isRewritten(): boolean {
    const { length } = this.#known;
    const changed = this.#changes
      .filter(
        ({ from, to, start, end }) =>
          !haveSameWords(this.#known.slice(from, to), this.owners.slice(start, end)),
      )
      .reduce((sum, { from, to }) => sum + to - from, 0);
    return length >= minRewrittenWords && changed >= length * rewrittenShare;
  }

  /**
   * Places a rewritten paragraph in a target paragraph with the same bounds, unless too many of its words are in other
   * paragraphs.
   */
  #placeWhole(): boolean {
    const { start, end } = this.#source;
    const isNear = (a: number, b: number) => Math.abs(a - b) <= boundTolerance;
    const { tokens } = this.#window;
    const target = tokens.find(({ paragraph }) => {
      const goal = this.#draft.target[paragraph];
      return goal !== undefined && isNear(goal.start, start) && isNear(goal.end, end);
    })?.paragraph;
    if (target === undefined) return false;
    const isIn = ({ paragraph }: PlacedToken) => paragraph === target;
    const range = { from: tokens.findIndex(isIn), to: tokens.findLastIndex(isIn) + 1 };
    const { length } = this.owners;
    const samePlaces = this.#owners?.findSamePlaces(0, length) ?? [];
    const placesElsewhere = samePlaces.filter((index) => index < range.from || index >= range.to);
    if (placesElsewhere.length > length * maxShareElsewhere) return false;
    const replacedTokens = tokens.slice(range.from, range.to);
    if (hasMoreSpeech(replacedTokens, Math.max(this.#known.length, length))) return false;
    const change = { from: 0, to: this.#known.length, start: 0, end: length };
    return this.#draft.mayReplace(this.#source, replacedTokens) && this.#write(range, change);
  }

  /** Replaces a range of the window with the user's text from a change. */
  #write({ from, to }: IndexRange, change: Replacement): boolean {
    const { first } = this.#window;
    const range = { from: first + from, to: first + to };
    const text = replaceText(
      this.#known.slice(change.from, change.to),
      this.owners.slice(change.start, change.end),
      this.#window.tokens.slice(from, to),
    );
    if (!this.#draft.write(this.#source.id, range, text, change)) return false;
    this.#written.push(change);
    return true;
  }
}

/**
 * Returns whether the target has so many more words than the source at the same time that some are additional speech, which
 * the source lacks.
 */
const hasMoreSpeech = (found: readonly PlacedToken[], words: number) =>
  found.length > words + contextWords;

/** Returns whether a change adds words. The target may have other words in their place. */
const addsWords = ({ from, to, start, end }: Replacement) => end - start > to - from;

const contains = (outer: Replacement, { from, to, start, end }: Replacement) =>
  outer.from <= from && to <= outer.to && outer.start <= start && end <= outer.end;

/** Returns the changes between two texts, extended to whole words of the second text. */
function changesBetween(before: readonly Token[], after: readonly Token[]): Replacement[] {
  const texts = (tokens: readonly Token[]) => tokens.map((token) => joinTokens([token]));
  const isBound = (_: number, at: number) => after[at]?.isWordStart ?? true;
  const changes = replacements(texts(before), texts(after));
  return extend(changes, before.length, Number.POSITIVE_INFINITY, isBound, isBound);
}

function haveSameWords(a: readonly Token[], b: readonly Token[]): boolean {
  return a.length === b.length && a.every(({ key }, index) => key === b[index]?.key);
}

/**
 * Returns the user's text followed by the user's punctuation if it was changed, or else the target's. Returns '' if
 * the user removed the words.
 */
function replaceText(
  old: readonly Token[],
  owners: readonly Token[],
  target: readonly Token[],
): string {
  if (owners.length === 0) return '';
  const [oldTrail = '', userTrail = '', trail = ''] = [old, owners, target].map(
    (tokens) => tokens.at(-1)?.trail,
  );
  const isKept = userTrail.trim() === oldTrail.trim();
  const end = isKept ? trail : userTrail.trimEnd() + (/\s*$/u.exec(trail)?.[0] ?? '');
  return joinTokens(owners).slice(0, joinTokens(owners).length - userTrail.length) + end;
}

/** Returns the user's text around a change. */
function excerpt(owners: readonly Token[], { start, end }: Replacement): string {
  const from = Math.max(0, start - shownWords);
  const to = Math.min(owners.length, end + shownWords);
  const [before, after] = [from > 0 ? '…' : '', to < owners.length ? '…' : ''];
  return `${before}${joinTokens(owners.slice(from, to)).trim()}${after}`;
}

/**
 * Carries the owner's changes to a transcript over to another transcript of the same audio, which may divide it into
 * other paragraphs, recognize other words and number its speakers otherwise. A change is placed by time, then by words.
 */
import { setImmediate } from 'node:timers/promises';
import type { UnplacedChange } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import type { Replacement, Token } from './alignment.ts';
import { align, extend, joinNear, replacements, textOf, tokenize } from './alignment.ts';
import type { TranscriptWord } from './paragraphs.ts';
import type { Range, Stretch } from './timeline.ts';
import { lengthOf, overlap, Timeline } from './timeline.ts';

/** A paragraph of the transcript with the changes. */
export interface SourceParagraph extends Stretch {
  readonly id: string;
  /** The text before the owner's changes. */
  readonly before: string;
  readonly content: string;
  readonly isHighlighted: boolean;
  readonly speaker: string | null;
  /** Whether the owner assigned the speaker. */
  readonly isAssigned: boolean;
}

/** A paragraph of the transcript that receives the changes. */
export interface TargetParagraph extends Stretch {
  readonly id: string;
  readonly content: string;
  readonly words: readonly TranscriptWord[];
  readonly speaker: string | null;
}

/** A new value for a paragraph, and the IDs of the paragraphs that it comes from. */
export interface Carried<Value> {
  readonly paragraph: string;
  readonly value: Value;
  readonly sources: readonly string[];
}

export type Unplaced = Omit<UnplacedChange, 'id'>;

/** A part of the owner's text that has no place, perhaps with several changes. */
export interface UnplacedText extends Unplaced {
  /** The positions of the changed words in the owner's text. */
  readonly words: readonly Range[];
}

export interface CarriedText {
  readonly texts: readonly Carried<string>[];
  readonly unplaced: readonly UnplacedText[];
}

/** Seconds by which two engines' times of the same word may differ. */
const timeTolerance = 3;
/** Words on each side of a change that help to place it. */
const contextWords = 8;
/** Words shown before and after a change that can't be placed. */
const shownWords = 8;

/** Seconds by which the bounds of a paragraph may differ in a transcript that divides the audio in the same way. */
const boundTolerance = 1;

/** The maximum number of unchanged words between changes that are placed together. */
const joinedWords = 1;

/** Number of passages (up to ten milliseconds of work) processed before other requests get a turn. */
const passagesPerTurn = 50;

type PlacedToken = Token & Stretch & { readonly paragraph: number };
type MayReplace = (source: SourceParagraph, target: TargetParagraph) => boolean;

/**
 * Carries over changed texts. Each change is placed where the target has the words it replaced, or other words between
 * the same neighbors. If a neighbor was recognized otherwise, the owner's text of it is carried over along with the
 * change. Where the target already has the owner's words, it isn't changed. Every other change is listed.
 * @param mayReplace whether words that neither the source nor the owner has may be replaced in a paragraph
 */
export async function carryTexts(
  source: readonly SourceParagraph[],
  target: readonly TargetParagraph[],
  mayReplace: MayReplace = () => true,
): Promise<CarriedText> {
  const draft = new Draft(target, mayReplace);
  const passages = await inTurns(source, (paragraph) => new Passage(draft, paragraph));
  const owners = passages.map((passage) => passage.owners);
  await inTurns(passages, (passage, index) => passage.keepPresent(contextOf(owners, index)));
  const known = passages.map((passage) => passage.known);
  await inTurns(passages, (passage, index) => passage.place(contextOf(known, index)));
  const { texts, tooLong } = draft.texts();
  const unplaced = passages.flatMap((passage) => passage.listUnplaced(tooLong));
  return { texts, unplaced };
}

/** Calls a function with each item, in order. Other requests run in between. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  run: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    if (index % passagesPerTurn === passagesPerTurn - 1) await setImmediate();
    results.push(run(item, index));
  }
  return results;
}

/** The words before and after a paragraph. */
type Context = readonly [before: readonly Token[], after: readonly Token[]];

function contextOf(paragraphs: readonly (readonly Token[])[], index: number): Context {
  let [before, after]: Context = [[], []];
  for (let at = index - 1; at >= 0 && before.length < contextWords; at -= 1) {
    before = [...(paragraphs[at] ?? []), ...before];
  }
  for (let at = index + 1; at < paragraphs.length && after.length < contextWords; at += 1) {
    after = [...after, ...(paragraphs[at] ?? [])];
  }
  return [before.slice(-contextWords), after.slice(0, contextWords)];
}

/** The target's words at about the time of a paragraph, and some before and after them. */
interface TargetWindow {
  readonly tokens: readonly PlacedToken[];
  /** The index of the first token in the target. */
  readonly first: number;
  /** Whether the time reaches the target's first and last word. */
  readonly isStart: boolean;
  readonly isEnd: boolean;
}

/** A text that replaces some of the target's words. */
interface Write extends Range {
  readonly source: string;
  readonly text: string;
  readonly change: Replacement;
  readonly paragraphs: ReadonlySet<number>;
}

/** The target's words, and the texts that replace some of them. */
class Draft {
  readonly target: readonly TargetParagraph[];
  readonly #mayReplace: MayReplace;
  readonly #tokens: Timeline<PlacedToken>;
  /** The index of each paragraph's first token, and the number of tokens. */
  readonly #starts: readonly number[];
  /** The text of each token, which is '' if it was replaced along with the one before. */
  readonly #texts: string[];
  /** The tokens that are the owner's words, already or now. */
  readonly #owned = new Set<number>();
  /** The IDs of the source's paragraphs that have the same word as a token. */
  readonly #claims = new Map<number, Set<string>>();
  readonly #writes: Write[] = [];

  constructor(target: readonly TargetParagraph[], mayReplace: MayReplace) {
    const tokens = target.map(placeTokens);
    this.target = target;
    this.#mayReplace = mayReplace;
    this.#tokens = new Timeline(tokens.flat());
    this.#texts = this.#tokens.items.map((token) => textOf([token]));
    let start = 0;
    this.#starts = [0, ...tokens.map(({ length }) => (start += length))];
  }

  windowAt({ start, end }: Stretch): TargetWindow {
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

  /** Marks tokens that are the words of a paragraph, so that changes to other paragraphs don't replace them. */
  claim(source: string, places: readonly number[]): void {
    for (const at of places) this.#claims.set(at, (this.#claims.get(at) ?? new Set()).add(source));
  }

  /** Marks a token that is the owner's word already, so that it's not replaced. */
  keep(at: number): void {
    this.#owned.add(at);
  }

  /**
   * Writes a text in place of tokens, in the paragraph of the first one. Returns false if one is the owner's, or if a
   * paragraph would have no text.
   */
  write(source: string, { from, to }: Range, text: string, change: Replacement): boolean {
    const indexes = this.#tokens.items.slice(from, to).map((_, offset) => from + offset);
    if (indexes.some((at) => this.#owned.has(at) || !(this.#claims.get(at)?.has(source) ?? true))) {
      return false;
    }
    const paragraphs = new Set(indexes.flatMap((at) => this.#tokens.items[at]?.paragraph ?? []));
    const isEmptied = [...paragraphs].some(
      (paragraph, index) =>
        (index > 0 || text === '') &&
        this.#indexesOf(paragraph).every((at) => (at >= from && at < to) || this.#texts[at] === ''),
    );
    if (isEmptied) return false;
    for (const at of indexes) {
      this.#texts[at] = at === from ? text : '';
      this.#owned.add(at);
    }
    this.#writes.push({ source, from, to, text, change, paragraphs });
    return true;
  }

  /** Returns the changed texts, and the changes that were undone because they would make a text too long. */
  texts(): { readonly texts: Carried<string>[]; readonly tooLong: ReadonlySet<Replacement> } {
    const tooLong = new Set<Replacement>();
    for (let index = 0; index < this.target.length; index += 1) {
      const writes = this.#writesOf(index, tooLong);
      if (writes.length === 0 || this.#textOf(index).length <= limits.paragraph.contentMaxLength) {
        continue;
      }
      for (const { change, from, to } of writes) {
        tooLong.add(change);
        for (let at = from; at < to; at += 1) {
          this.#texts[at] = textOf(this.#tokens.items.slice(at, at + 1));
        }
      }
      // The paragraphs before and after it have their own words again, so they may be too long now.
      index = -1;
    }
    const texts = this.target.flatMap(({ id: paragraph, content }, index): Carried<string>[] => {
      const writes = this.#writesOf(index, tooLong);
      const value = this.#textOf(index);
      if (writes.length === 0 || value === content) return [];
      return [{ paragraph, value, sources: [...new Set(writes.map(({ source }) => source))] }];
    });
    return { texts, tooLong };
  }

  #writesOf(paragraph: number, undone: ReadonlySet<Replacement>): Write[] {
    return this.#writes.filter(
      ({ paragraphs, change }) => paragraphs.has(paragraph) && !undone.has(change),
    );
  }

  #textOf(paragraph: number): string {
    return this.#indexesOf(paragraph)
      .map((at) => this.#texts[at])
      .join('')
      .trim();
  }

  #indexesOf(paragraph: number): number[] {
    const [start = 0, end = start] = this.#starts.slice(paragraph, paragraph + 2);
    return Array.from({ length: end - start }, (_, offset) => start + offset);
  }
}

/** A paragraph of the source, with the target's words at about the same time. */
class Passage {
  /** The words of the owner's text. */
  readonly owners: readonly Token[];
  readonly #draft: Draft;
  readonly #source: SourceParagraph;
  readonly #window: TargetWindow;
  #known: readonly Token[];
  #owners: Match | null = null;
  /** The changes that the target doesn't have already. */
  #changes: readonly Replacement[] = [];
  /** The replacements in the draft and those that have no place. Each may contain several changes. */
  readonly #written: Replacement[] = [];
  #unplaced: readonly Replacement[] = [];

  constructor(draft: Draft, source: SourceParagraph) {
    this.#draft = draft;
    this.#source = source;
    this.#window = draft.windowAt(source);
    this.owners = tokenize(source.content);
    this.#known = this.#isChanged ? tokenize(source.before) : this.owners;
  }

  /** The words that are expected in the target: those before the owner's changes, with the changes that it has. */
  get known(): readonly Token[] {
    return this.#known;
  }

  get #isChanged(): boolean {
    return this.#source.content !== this.#source.before;
  }

  /** Finds the changes that the target has already, and keeps their words. */
  keepPresent(context: Context): void {
    const match = new Match(context, this.owners, this.#window);
    this.#claim(match, this.owners);
    if (!this.#isChanged) return;
    this.#claim(new Match(context, this.#known, this.#window), this.#known);
    this.#owners = match;
    const present = changesBetween(this.#known, this.owners).filter(({ from, to, start, end }) => {
      const removed = this.#known.slice(from, to);
      const owners = this.owners.slice(start, end);
      if (haveSameWords(removed, owners)) return false;
      // If words were removed, the remaining ones may be there anyway, so both neighbors must be the same.
      const margin = owners.length < removed.length ? 1 : 0;
      if (!match.isContiguous(start - margin, end + margin)) return false;
      const [first = 0] = match.placesOf(start - margin, end + margin);
      if (this.#hasRemoved(removed, owners, first)) return false;
      // Letters are less distinct than words.
      const isLetter = owners.at(-1)?.trail === '';
      return !isLetter || match.isContiguous(start - 1, end) || match.isContiguous(start, end + 1);
    });
    for (const { from, to, start, end } of present.reverse()) {
      for (const at of match.placesOf(start, end)) this.#draft.keep(this.#window.first + at);
      this.#known = this.#known.toSpliced(from, to - from, ...this.owners.slice(start, end));
    }
  }

  /** True if words that the owner replaced are next to the owner's words, which start at a place of the window. */
  #hasRemoved(removed: readonly Token[], owners: readonly Token[], first: number): boolean {
    const around = this.#window.tokens.slice(
      Math.max(0, first - removed.length),
      first + owners.length + removed.length + 2,
    );
    const found = new Set(keysOf(around));
    const kept = new Set(keysOf(owners));
    return keysOf(removed).some((key) => found.has(key) && !kept.has(key));
  }

  #claim(match: Match, words: readonly Token[]): void {
    const places = match.samePlaces(0, words.length);
    this.#draft.claim(
      this.#source.id,
      places.map((at) => this.#window.first + at),
    );
  }

  /** Writes the other changes to the draft. */
  place(context: Context): void {
    if (!this.#isChanged) return;
    const length = this.#known.length;
    if (length === 0 || this.owners.length === 0) {
      this.#changes = [{ from: 0, to: length, start: 0, end: this.owners.length }];
      this.#unplaced = this.#changes;
      return;
    }
    const match = new Match(context, this.#known, this.#window);
    this.#changes = changesBetween(this.#known, this.owners);
    const changes = joinNear(this.#changes, joinedWords);
    const isRewritten = changes.some(({ from, to }) => from === 0 && to === length);
    const exact = new Set(
      changes.filter((change) => !addsWords(change) && this.#placeExactly(match, change)),
    );
    const isWordStart = (at: number) => this.#known[at]?.isWordStart ?? true;
    const isStart = (from: number) => isWordStart(from) && match.hasSame(from - 1);
    const isEnd = (to: number) => isWordStart(to) && match.hasSame(to);
    this.#unplaced = extend(changes, length, contextWords, isStart, isEnd, exact)
      .filter((change) => !exact.has(change) && !this.#placeBetweenNeighbors(match, change))
      .filter((change) => !(isRewritten && this.#placeWhole(match, change)));
  }

  /**
   * Lists the changes that have no place. Changes near each other are listed together.
   * @param undone replacements that were removed from the draft
   */
  listUnplaced(undone: ReadonlySet<Replacement>): UnplacedText[] {
    const { content, before, start: time } = this.#source;
    const failed = [...this.#unplaced, ...this.#written.filter((one) => undone.has(one))];
    const changes = this.#changes.filter((change) => failed.some((one) => contains(one, change)));
    const isRemoved = content.trim() === '';
    return joinNear(changes, 2 * shownWords).map((shown) => ({
      kind: isRemoved ? 'removal' : 'edit',
      text: isRemoved ? before : excerpt(this.owners, shown) || content,
      time,
      words: changes
        .filter((change) => contains(shown, change))
        .map(({ start, end }) => ({ from: start, to: end })),
    }));
  }

  /** Places a change where the target has the words that it replaced. */
  #placeExactly(match: Match, change: Replacement): boolean {
    const { from, to, start, end } = change;
    // Words are removed only between the same neighbors.
    if (end - start < to - from && !match.isContiguous(from - 1, to + 1)) return false;
    const range = match.rangeOf(from, to);
    return range !== null && this.#write(this.#includePresent(match, change, range), change);
  }

  /** Places a change between the words around it, whatever the target has there. */
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
    const found = this.#window.tokens.slice(range.from, range.to);
    // If there are many more words, they are speech that the source lacks.
    const isMishearing = found.length <= Math.max(to - from, end - start) + contextWords;
    const isExpected =
      haveSameWords(found, this.#known.slice(from, to)) ||
      haveSameWords(found, this.owners.slice(start, end));
    const isReplaceable =
      isExpected || (isMishearing && this.#draft.mayReplace(this.#source, found));
    return isReplaceable && this.#write(range, change);
  }

  /** Extends a range of the window by the owner's words of a change that are next to it, so that they aren't repeated. */
  #includePresent(match: Match, { from, to, start, end }: Replacement, range: Range): Range {
    const unchanged = [...match.samePlaces(0, from), ...match.samePlaces(to, this.#known.length)];
    const isFree = (first: number, last: number) =>
      !unchanged.some((at) => at >= first && at <= last);
    const present = this.#owners?.samePlaces(start, end) ?? [];
    return {
      from: Math.min(range.from, ...present.filter((at) => isFree(at, range.from - 1))),
      to: Math.max(range.to, ...present.filter((at) => isFree(range.to, at)).map((at) => at + 1)),
    };
  }

  /** Places a rewritten paragraph in a target paragraph with the same bounds, if none of its words are in others. */
  #placeWhole(match: Match, change: Replacement): boolean {
    const { start, end } = this.#source;
    const isNear = (a: number, b: number) => Math.abs(a - b) <= boundTolerance;
    const { tokens } = this.#window;
    const at = tokens.find(({ paragraph }) => {
      const goal = this.#draft.target[paragraph];
      return goal !== undefined && isNear(goal.start, start) && isNear(goal.end, end);
    })?.paragraph;
    if (at === undefined) return false;
    const isIn = ({ paragraph }: PlacedToken) => paragraph === at;
    const range = { from: tokens.findIndex(isIn), to: tokens.findLastIndex(isIn) + 1 };
    const same = [
      ...match.samePlaces(0, this.#known.length),
      ...(this.#owners?.samePlaces(0, this.owners.length) ?? []),
    ];
    if (same.some((at) => at < range.from || at >= range.to)) return false;
    const found = tokens.slice(range.from, range.to);
    return this.#draft.mayReplace(this.#source, found) && this.#write(range, change);
  }

  /** Writes the owner's text of a change in place of a range of the window. */
  #write({ from, to }: Range, change: Replacement): boolean {
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

/** True if a change adds words. The target may have others in their place. */
const addsWords = ({ from, to, start, end }: Replacement) => end - start > to - from;

const contains = (outer: Replacement, { from, to, start, end }: Replacement) =>
  outer.from <= from && to <= outer.to && outer.start <= start && end <= outer.end;

/** Returns the changes from one text to another, in whole words of the second one. */
function changesBetween(before: readonly Token[], after: readonly Token[]): Replacement[] {
  const texts = (tokens: readonly Token[]) => tokens.map((token) => textOf([token]));
  const isBound = (_: number, at: number) => after[at]?.isWordStart ?? true;
  const changes = replacements(texts(before), texts(after));
  return extend(changes, before.length, Number.POSITIVE_INFINITY, isBound, isBound);
}

/** A paragraph's words, with those around it, aligned with a window. Positions are relative to the paragraph. */
class Match {
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

/** Returns the paragraphs that a paragraph became: those mostly within it or else the one with most of its time. */
export function paragraphsOf(
  source: Stretch,
  target: Timeline<TargetParagraph>,
): TargetParagraph[] {
  const within = paragraphsWithin(source, target);
  if (within.length > 0) return within;
  const [best] = target.at(source).sort((a, b) => overlap(b, source) - overlap(a, source));
  return best ? [best] : [];
}

function paragraphsWithin(source: Stretch, target: Timeline<TargetParagraph>): TargetParagraph[] {
  return target.at(source).filter((one) => overlap(one, source) >= lengthOf(one) / 2);
}

/** Carries over highlights. */
export function carryHighlights(
  source: readonly SourceParagraph[],
  target: readonly TargetParagraph[],
): { readonly highlights: readonly Carried<1>[]; readonly unplaced: readonly Unplaced[] } {
  const timeline = new Timeline(target);
  const highlights: Carried<1>[] = [];
  const unplaced: Unplaced[] = [];
  for (const { id, isHighlighted, content, start, end } of source) {
    if (!isHighlighted) continue;
    const goals = paragraphsOf({ start, end }, timeline);
    if (goals.length === 0) unplaced.push({ kind: 'highlight', text: content, time: start });
    for (const { id: paragraph } of goals) highlights.push({ paragraph, value: 1, sources: [id] });
  }
  return { highlights, unplaced };
}

export interface CarriedSpeakers {
  readonly names: Readonly<Record<string, string>>;
  readonly assigned: readonly Carried<string>[];
  readonly unplaced: readonly Unplaced[];
}

/**
 * Carries over the names of speakers and the speakers that the owner assigned. A name goes to the speaker with most of
 * the time of the named one. A speaker that only the owner distinguished keeps a label of its own.
 */
export function carrySpeakers(
  source: readonly SourceParagraph[],
  target: readonly TargetParagraph[],
  names: Readonly<Record<string, string>>,
): CarriedSpeakers {
  const { labels, assigned, unassigned } = assignSpeakers(source, target);
  const unplaced = unassigned.map(({ speaker, start: time }): Unplaced => {
    return { kind: 'speaker', text: names[speaker] ?? speaker, time };
  });
  const carriedNames = new Map<string, string>();
  for (const [speaker, name] of Object.entries(names)) {
    const label = labels.get(speaker);
    if (label !== undefined) carriedNames.set(label, name);
    else {
      const time = source.find((one) => one.speaker === speaker)?.start ?? 0;
      unplaced.push({ kind: 'speaker', text: name, time });
    }
  }
  return { names: Object.fromEntries(carriedNames), assigned, unplaced };
}

/** Returns the target's labels of the source's speakers. Speakers that the target doesn't distinguish have none. */
export function carriedLabels(
  source: readonly SourceParagraph[],
  target: readonly TargetParagraph[],
): ReadonlyMap<string, string> {
  return assignSpeakers(source, target).labels;
}

/** Matches speakers, and finds the paragraphs of those that the owner assigned. */
function assignSpeakers(source: readonly SourceParagraph[], target: readonly TargetParagraph[]) {
  const timeline = new Timeline(target);
  const labels = matchSpeakers(source, timeline);
  const used = new Set(target.flatMap(({ speaker }) => speaker ?? []));
  const assigned: Carried<string>[] = [];
  const unassigned: { readonly speaker: string; readonly start: number }[] = [];
  for (const { id, speaker, isAssigned, start, end } of source) {
    if (!isAssigned || speaker === null) continue;
    const goals = paragraphsWithin({ start, end }, timeline);
    if (goals.length === 0) {
      unassigned.push({ speaker, start });
      continue;
    }
    const label = labels.get(speaker) ?? unusedLabel(speaker, used);
    labels.set(speaker, label);
    used.add(label);
    for (const goal of goals) {
      if (goal.speaker !== label)
        assigned.push({ paragraph: goal.id, value: label, sources: [id] });
    }
  }
  return { labels, assigned, unassigned };
}

/** Returns the target's label for each of the source's speakers. No two speakers get the same label. */
function matchSpeakers(
  source: readonly SourceParagraph[],
  target: Timeline<TargetParagraph>,
): Map<string, string> {
  const shared = new Map<string, Map<string, number>>();
  for (const one of source) {
    if (one.speaker === null) continue;
    const times = shared.get(one.speaker) ?? new Map<string, number>();
    shared.set(one.speaker, times);
    for (const other of target.at(one)) {
      if (other.speaker === null) continue;
      const seconds = (times.get(other.speaker) ?? 0) + overlap(one, other);
      times.set(other.speaker, seconds);
    }
  }
  const pairs = [...shared].flatMap(([from, times]) => {
    const total = [...times.values()].reduce((sum, seconds) => sum + seconds, 0);
    return [...times].flatMap(([to, seconds]) =>
      seconds > total / 2 ? [{ from, to, seconds }] : [],
    );
  });
  const matched = new Map<string, string>();
  for (const { from, to } of pairs.sort((a, b) => b.seconds - a.seconds)) {
    if (![...matched.values()].includes(to)) matched.set(from, to);
  }
  return matched;
}

/** Returns a label that is not in use, if possible the same one. */
export function unusedLabel(label: string, used: ReadonlySet<string>): string {
  let [free, number] = [label, used.size];
  while (used.has(free)) {
    number += 1;
    free = String(number);
  }
  return free;
}

/** Returns a paragraph's tokens with the times of its words. Without words, time is divided evenly. */
function placeTokens(
  { start, end, content, words }: TargetParagraph,
  paragraph: number,
): PlacedToken[] {
  const tokens = tokenize(content);
  const text = content.toLowerCase();
  const offsets: number[] = [];
  for (const word of words) {
    const found = text.indexOf(word.text.toLowerCase(), offsets.at(-1) ?? 0);
    offsets.push(found < 0 ? (offsets.at(-1) ?? 0) : found);
  }
  let offset = 0;
  let word = 0;
  return tokens.map((token, index) => {
    while ((offsets[word + 1] ?? Number.POSITIVE_INFINITY) <= offset) word += 1;
    offset += token.core.length + token.trail.length;
    const at = (share: number) => start + ((end - start) * share) / tokens.length;
    const { start: from, end: to } = words[word] ?? { start: at(index), end: at(index + 1) };
    return { ...token, paragraph, start: from, end: to };
  });
}

const keysOf = (tokens: readonly Token[]) => tokens.map(({ key }) => key);

function haveSameWords(a: readonly Token[], b: readonly Token[]): boolean {
  return a.length === b.length && a.every(({ key }, index) => key === b[index]?.key);
}

/**
 * Returns the owner's text with the punctuation after it: the owner's if changed, or else the target's. The text is ''
 * if the owner removed the words.
 */
function replaceText(
  old: readonly Token[],
  owners: readonly Token[],
  target: readonly Token[],
): string {
  if (owners.length === 0) return '';
  const [oldTrail = '', ownersTrail = '', trail = ''] = [old, owners, target].map(
    (tokens) => tokens.at(-1)?.trail,
  );
  const isKept = ownersTrail.trim() === oldTrail.trim();
  const end = isKept ? trail : ownersTrail.trimEnd() + (/\s*$/u.exec(trail)?.[0] ?? '');
  return textOf(owners).slice(0, textOf(owners).length - ownersTrail.length) + end;
}

/** Returns the owner's text around a change. */
function excerpt(owners: readonly Token[], { start, end }: Replacement): string {
  const from = Math.max(0, start - shownWords);
  const to = Math.min(owners.length, end + shownWords);
  const [before, after] = [from > 0 ? '…' : '', to < owners.length ? '…' : ''];
  return `${before}${textOf(owners.slice(from, to)).trim()}${after}`;
}

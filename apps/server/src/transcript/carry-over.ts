/**
 * Carries the owner's changes to a transcript over to another transcript of the same audio, which may divide it into
 * other paragraphs, recognize other words and number its speakers otherwise. A change is placed by time, then by words.
 */
import type { UnplacedChange } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import type { Replacement, Token } from './alignment.ts';
import { align, replacements, textOf, tokenize } from './alignment.ts';
import type { TranscriptWord } from './paragraphs.ts';

/** A part of a recording, in seconds. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

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

export interface CarriedText {
  readonly texts: readonly Carried<string>[];
  readonly unplaced: readonly Unplaced[];
}

/** Seconds by which two engines' times of the same word may differ. */
const timeTolerance = 3;
/** Words of the neighboring paragraphs that help to place a change at a paragraph's start or end. */
const contextWords = 6;
/** Words shown before and after a change that can't be placed. */
const shownWords = 4;

/** Seconds by which the bounds of a paragraph may differ in a transcript that divides the audio in the same way. */
const boundTolerance = 1;

type PlacedToken = Token & Stretch & { readonly paragraph: number };
type MayReplace = (source: SourceParagraph, target: TargetParagraph) => boolean;

/**
 * Carries over changed texts. Each changed passage is placed where the target has the words it replaced, or other words
 * between the same neighbors. Nothing is to do where the target already has the owner's words.
 * @param mayReplace whether words that neither the source nor the owner has may be replaced in a paragraph
 */
export function carryTexts(
  source: readonly SourceParagraph[],
  target: readonly TargetParagraph[],
  mayReplace: MayReplace = () => true,
): CarriedText {
  const draft = new Draft(target, mayReplace);
  const passages = source.flatMap((paragraph, index) =>
    paragraph.content === paragraph.before
      ? []
      : [new Passage(draft, paragraph, [source[index - 1], source[index + 1]])],
  );
  for (const passage of passages) passage.keepPresent();
  const unplaced = passages.flatMap((passage) => passage.place());
  const { texts, tooLong } = draft.texts();
  for (const { id, content: text, start: time } of source) {
    if (tooLong.has(id)) unplaced.push({ kind: 'edit', text, time });
  }
  return { texts, unplaced };
}

/** The target's words, and the texts that replace some of them. */
class Draft {
  readonly tokens: readonly PlacedToken[];
  readonly target: readonly TargetParagraph[];
  readonly #mayReplace: MayReplace;
  /** The index of each paragraph's first token, and the number of tokens. */
  readonly #starts: readonly number[];
  /** The text in place of a token, which is '' if it was replaced along with the one before. */
  readonly #replaced = new Map<number, string>();
  /** The tokens that are the owner's words already. */
  readonly #kept = new Set<number>();
  /** The IDs of the paragraphs from which a paragraph's replacements come, by its index. */
  readonly #sources = new Map<number, Set<string>>();

  constructor(target: readonly TargetParagraph[], mayReplace: MayReplace) {
    const tokens = target.map(placeTokens);
    this.target = target;
    this.#mayReplace = mayReplace;
    this.tokens = tokens.flat();
    let start = 0;
    this.#starts = [0, ...tokens.map(({ length }) => (start += length))];
  }

  mayReplace(source: SourceParagraph, tokens: readonly PlacedToken[]): boolean {
    return tokens.every(({ paragraph }) => {
      const goal = this.target[paragraph];
      return goal !== undefined && this.#mayReplace(source, goal);
    });
  }

  keep(at: number): void {
    this.#kept.add(at);
  }

  /**
   * Writes a text in place of tokens, in the paragraph of the first one. Returns false if one was already replaced,
   * is the owner's, or is the last of its paragraph.
   */
  write(source: string, from: number, to: number, text: string): boolean {
    const indexes = Array.from({ length: to - from }, (_, offset) => from + offset);
    if (indexes.some((at) => this.#replaced.has(at) || this.#kept.has(at))) return false;
    const paragraphs = new Set(indexes.flatMap((at) => this.tokens[at]?.paragraph ?? []));
    const [, ...others] = paragraphs;
    const isEmptied = others.some((paragraph) =>
      this.#indexesOf(paragraph).every(
        (at) => (at >= from && at < to) || this.#replaced.get(at) === '',
      ),
    );
    if (isEmptied) return false;
    for (const at of indexes) this.#replaced.set(at, at === from ? text : '');
    for (const paragraph of paragraphs) {
      this.#sources.set(paragraph, (this.#sources.get(paragraph) ?? new Set()).add(source));
    }
    return true;
  }

  /** Returns the changed texts, and the IDs of the paragraphs whose changes would make a text too long. */
  texts(): { readonly texts: Carried<string>[]; readonly tooLong: ReadonlySet<string> } {
    const texts: Carried<string>[] = [];
    const tooLong = new Set<string>();
    for (const [index, sources] of this.#sources) {
      const goal = this.target[index] as TargetParagraph;
      const value = this.#indexesOf(index)
        .map((at) => this.#replaced.get(at) ?? textOf(this.tokens.slice(at, at + 1)))
        .join('')
        .trim();
      if (value.length > limits.paragraph.contentMaxLength)
        for (const id of sources) tooLong.add(id);
      else if (value !== goal.content) {
        texts.push({ paragraph: goal.id, value, sources: [...sources] });
      }
    }
    return { texts, tooLong };
  }

  #indexesOf(paragraph: number): number[] {
    const [start = 0, end = start] = this.#starts.slice(paragraph, paragraph + 2);
    return Array.from({ length: end - start }, (_, offset) => start + offset);
  }
}

/** A changed paragraph, with the words around it, aligned with the target's words at about the same time. */
class Passage {
  readonly #draft: Draft;
  readonly #source: SourceParagraph;
  readonly #old: readonly Token[];
  readonly #owners: readonly Token[];
  /** The index of the window's first token in the draft. */
  readonly #first: number;
  readonly #window: readonly PlacedToken[];
  /** The number of words before the paragraph. */
  readonly #lead: number;
  readonly #oldMatch: Match;
  readonly #ownersMatch: Match;
  /** The changes that the target lacks. */
  #missing: readonly Replacement[] = [];

  constructor(
    draft: Draft,
    source: SourceParagraph,
    [previous, next]: readonly (SourceParagraph | undefined)[],
  ) {
    this.#draft = draft;
    this.#source = source;
    this.#old = tokenize(source.before);
    this.#owners = tokenize(source.content);
    const { tokens } = draft;
    const first = tokens.findIndex(({ end }) => end >= source.start - timeTolerance);
    const last = tokens.findLastIndex(({ start }) => start <= source.end + timeTolerance);
    this.#first = Math.max(0, first);
    this.#window = first < 0 ? [] : tokens.slice(first, last + 1);
    const lead = tokenize(previous?.before ?? '').slice(-contextWords);
    const tail = tokenize(next?.before ?? '').slice(0, contextWords);
    this.#lead = lead.length;
    this.#oldMatch = new Match([...lead, ...this.#old, ...tail], this.#window);
    this.#ownersMatch = new Match([...lead, ...this.#owners, ...tail], this.#window);
  }

  /** Keeps the words in the target that are the owner's already. */
  keepPresent(): void {
    const texts = (tokens: readonly Token[]) => tokens.map((token) => textOf([token]));
    const changes = replacements(texts(this.#old), texts(this.#owners));
    this.#missing = changes.filter((change) => !this.#isPresent(change));
    for (const { start, end } of changes.filter((change) => !this.#missing.includes(change))) {
      for (const at of this.#ownersMatch.placesOf(this.#lead + start, this.#lead + end)) {
        this.#draft.keep(this.#first + at);
      }
    }
  }

  /** Writes the other changes to the draft, and returns those that have no place. */
  place(): Unplaced[] {
    const { before, content, start: time } = this.#source;
    const isBare = this.#old.length === 0 || this.#owners.length === 0;
    const texts = isBare
      ? [content || before]
      : this.#missing
          .filter((change) => !this.#place(change) && !this.#placeWhole(change))
          .map((change) => excerpt(this.#owners, change));
    return texts.map((text) => ({ kind: 'edit', text, time }));
  }

  /** True if the target has the owner's words in place of other words. */
  #isPresent({ from, to, start, end }: Replacement): boolean {
    const owners = this.#owners.slice(start, end);
    if (haveSameWords(this.#old.slice(from, to), owners)) return false;
    // A removal is present if the words around it follow one another.
    const margin = owners.length === 0 ? 1 : 0;
    return this.#ownersMatch.isContiguous(this.#lead + start - margin, this.#lead + end + margin);
  }

  #place({ from, to, start, end }: Replacement): boolean {
    const old = this.#old.slice(from, to);
    const owners = this.#owners.slice(start, end);
    const range = this.#oldMatch.rangeOf(this.#lead + from, this.#lead + to);
    if (range === null) return false;
    if (range.from === range.to || old.length === 0 || owners.length === 0) {
      // An insertion or a removal is placed with a neighboring word.
      const isKept = (at: number, owner: number) =>
        at >= 0 &&
        textOf(this.#old.slice(at, at + 1)) === textOf(this.#owners.slice(owner, owner + 1));
      if (isKept(from - 1, start - 1)) {
        return this.#place({ from: from - 1, to, start: start - 1, end });
      }
      const hasNext = to < this.#old.length && isKept(to, end);
      return hasNext && this.#place({ from, to: to + 1, start, end: end + 1 });
    }
    const found = this.#window.slice(range.from, range.to);
    const isWriteable =
      haveSameWords(found, old) ||
      (this.#isBetweenNeighbors(range) && this.#draft.mayReplace(this.#source, found));
    return isWriteable && this.#write(range, replaceText(old, owners, found));
  }

  /** Places a rewritten paragraph in a target paragraph with the same bounds. */
  #placeWhole({ from, to }: Replacement): boolean {
    if (from > 0 || to < this.#old.length) return false;
    const { start, end } = this.#source;
    const isNear = (a: number, b: number) => Math.abs(a - b) <= boundTolerance;
    const at = this.#draft.target.findIndex(
      (goal) => isNear(goal.start, start) && isNear(goal.end, end),
    );
    const isIn = ({ paragraph }: PlacedToken) => paragraph === at;
    const range = {
      from: this.#window.findIndex(isIn),
      to: this.#window.findLastIndex(isIn) + 1,
    };
    const found = this.#window.slice(range.from, range.to);
    return (
      range.from >= 0 &&
      this.#draft.mayReplace(this.#source, found) &&
      this.#write(range, replaceText(this.#old, this.#owners, found))
    );
  }

  /** True if the words before and after a range are those of the passage. The recording's bounds count as such. */
  #isBetweenNeighbors({ from, to, isStart, isEnd }: Range): boolean {
    const isFirst = this.#first + from === 0;
    const isLast = this.#first + to === this.#draft.tokens.length;
    return (isStart || isFirst) && (isEnd || isLast);
  }

  #write({ from, to }: Pick<Range, 'from' | 'to'>, text: string): boolean {
    return this.#draft.write(this.#source.id, this.#first + from, this.#first + to, text);
  }
}

/** A range of a window. `isStart` and `isEnd` tell whether the words before and after it are those of the passage. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly isStart: boolean;
  readonly isEnd: boolean;
}

/** The places of a passage's words in a window. */
class Match {
  readonly #places: readonly number[];
  readonly #isSame: readonly boolean[];

  constructor(passage: readonly Token[], window: readonly Token[]) {
    const [words, others] = [keysOf(passage), keysOf(window)];
    this.#places = align(words, others);
    this.#isSame = this.#places.map((place, at) => place >= 0 && words[at] === others[place]);
  }

  /** Returns the places of some words. */
  placesOf(from: number, to: number): readonly number[] {
    return this.#places.slice(from, to);
  }

  /** True if the window has the same words in the same order without others between them. */
  isContiguous(from: number, to: number): boolean {
    const places = this.placesOf(Math.max(0, from), to);
    return (
      from >= 0 &&
      to <= this.#places.length &&
      places.every((place, n) => this.#isSame[from + n] && place === (places[0] ?? 0) + n)
    );
  }

  /** Returns the range of the window in place of some words, which may be empty; null if there is none. */
  rangeOf(from: number, to: number): Range | null {
    const own = this.placesOf(from, to).filter((place) => place >= 0);
    const [isStart, isEnd] = [this.#isSame[from - 1] === true, this.#isSame[to] === true];
    const start = isStart ? (this.#places[from - 1] ?? 0) + 1 : own[0];
    const last = own.at(-1);
    const end = isEnd ? this.#places[to] : last === undefined ? undefined : last + 1;
    if (start === undefined || end === undefined || end < start) {
      // Where the words are missing, one neighbor tells their place.
      const place = isStart ? start : end;
      return own.length > 0 || place === undefined
        ? null
        : { from: place, to: place, isStart, isEnd };
    }
    return { from: start, to: end, isStart, isEnd };
  }
}

/** Returns the paragraphs that a paragraph became: those mostly within it or else the one with most of its time. */
export function paragraphsOf(
  source: Stretch,
  target: readonly TargetParagraph[],
): TargetParagraph[] {
  const within = paragraphsWithin(source, target);
  if (within.length > 0) return within;
  const best = target.toSorted((a, b) => overlap(b, source) - overlap(a, source))[0];
  return best && overlap(best, source) > 0 ? [best] : [];
}

function paragraphsWithin(source: Stretch, target: readonly TargetParagraph[]): TargetParagraph[] {
  return target.filter(
    (one) => overlap(one, source) > 0 && overlap(one, source) >= lengthOf(one) / 2,
  );
}

/** Carries over highlights. */
export function carryHighlights(
  source: readonly SourceParagraph[],
  target: readonly TargetParagraph[],
): { readonly highlights: readonly Carried<1>[]; readonly unplaced: readonly Unplaced[] } {
  const highlights: Carried<1>[] = [];
  const unplaced: Unplaced[] = [];
  for (const { id, isHighlighted, content, start, end } of source) {
    if (!isHighlighted) continue;
    const goals = paragraphsOf({ start, end }, target);
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
  const labels = matchSpeakers(source, target);
  const used = new Set(target.flatMap(({ speaker }) => speaker ?? []));
  const unplaced: Unplaced[] = [];
  const assigned: Carried<string>[] = [];
  for (const { id, speaker, isAssigned, start, end } of source) {
    if (!isAssigned || speaker === null) continue;
    const goals = paragraphsWithin({ start, end }, target);
    if (goals.length === 0) {
      unplaced.push({ kind: 'speaker', text: names[speaker] ?? speaker, time: start });
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

/** Returns the target's label of a speaker of the source, or an unused label if there is none. */
export function carriedLabel(
  source: readonly SourceParagraph[],
  target: readonly TargetParagraph[],
  speaker: string,
): string {
  const used = new Set(target.flatMap((one) => one.speaker ?? []));
  return matchSpeakers(source, target).get(speaker) ?? unusedLabel(speaker, used);
}

/** Returns the target's label for each of the source's speakers. No two speakers get the same label. */
function matchSpeakers(
  source: readonly SourceParagraph[],
  target: readonly TargetParagraph[],
): Map<string, string> {
  const shared = new Map<string, Map<string, number>>();
  for (const one of source) {
    if (one.speaker === null) continue;
    const times = shared.get(one.speaker) ?? new Map<string, number>();
    shared.set(one.speaker, times);
    for (const other of target) {
      const seconds = overlap(one, other);
      if (other.speaker === null || seconds === 0) continue;
      times.set(other.speaker, (times.get(other.speaker) ?? 0) + seconds);
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

function unusedLabel(label: string, used: ReadonlySet<string>): string {
  let [free, number] = [label, used.size];
  while (used.has(free)) {
    number += 1;
    free = String(number);
  }
  return free;
}

/** Returns the seconds that two stretches share. A stretch without length counts as a millisecond. */
function overlap(a: Stretch, b: Stretch): number {
  return Math.max(0, Math.min(endOf(a), endOf(b)) - Math.max(a.start, b.start));
}

const endOf = ({ start, end }: Stretch) => Math.max(end, start + 0.001);
const lengthOf = (stretch: Stretch) => endOf(stretch) - stretch.start;

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

/** Returns the owner's text with the punctuation after it: the owner's if changed, or else the target's. */
function replaceText(old: readonly Token[], owners: readonly Token[], target: readonly Token[]) {
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

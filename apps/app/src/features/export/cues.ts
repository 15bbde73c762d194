/**
 * Cuts a transcript into what is shown while it plays. A line has up to 42 columns, a cue up to two lines
 * and seven seconds: what broadcasters and streaming services agree on for Latin scripts. They give
 * Chinese, Japanese and Korean sixteen characters a line, so that one of those counts for 42 / 16 columns.
 */
import type { Paragraph } from '@linnet/contract';

const LINE = 42;
const CUE = 2 * LINE;
const WIDE_COLUMNS = LINE / 16;
const LONGEST_MS = 7000;
/** A cue that is gone sooner than this cannot be read; it stays where nothing follows. */
const SHORTEST_MS = 1000;

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/u;
/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** What opens something belongs to what follows. */
const OPENING = /^[\p{Ps}\p{Pi}¿¡]+$/u;

/** What is shown from one moment to another, in whole milliseconds. */
export type Cue = {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
  readonly speaker: string | null;
};

/** A paragraph, and what its speaker is called. */
export type Spoken = { readonly paragraph: Paragraph; readonly speaker: string | null };

/** What stays together in a line, with where it stands in the text. `spaced`: a space comes before it. */
type Unit = {
  readonly text: string;
  readonly at: number;
  readonly columns: number;
  readonly spaced: boolean;
};

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** How much room a text takes in a line: characters as people count them, wide ones for more. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const { segment } of graphemes.segment(text)) {
    columns += WIDE.test(segment) ? WIDE_COLUMNS : 1;
  }
  return columns;
}

/** The units of a stretch of text. @param at where the stretch begins */
function unitsOf(text: string, at: number, words: Intl.Segmenter): Unit[] {
  const units: Unit[] = [];
  let open: { text: string; at: number; spaced: boolean } | null = null;
  let spaced = false;
  const close = () => {
    if (open) for (const part of inLines(open.text)) add(part);
    open = null;
  };
  const add = ({ text: part, from }: { text: string; from: number }) => {
    if (!open) return;
    const first = from === 0;
    units.push({
      ...{ text: part, at: open.at + from, columns: columnsOf(part) },
      spaced: first && open.spaced,
    });
  };
  for (const { segment, index, isWordLike } of words.segment(text)) {
    if (/^\s+$/u.test(segment)) {
      close();
      spaced = true;
      continue;
    }
    const begins =
      open === null ||
      (UNSPACED.test(segment) && isWordLike && !OPENING.test(open.text)) ||
      (OPENING.test(segment) && UNSPACED.test(open.text));
    if (begins) {
      close();
      open = { text: segment, at: at + index, spaced };
      spaced = false;
    } else if (open) {
      open.text += segment;
    }
  }
  close();
  return units;
}

/** A text in parts of which each fits into a line. */
function inLines(text: string): { text: string; from: number }[] {
  if (columnsOf(text) <= LINE) return [{ text, from: 0 }];
  const parts: { text: string; from: number }[] = [];
  let from = 0;
  let part = '';
  for (const { segment, index } of graphemes.segment(text)) {
    if (part !== '' && columnsOf(part + segment) > LINE) {
      parts.push({ text: part, from });
      part = '';
      from = index;
    }
    part += segment;
  }
  parts.push({ text: part, from });
  return parts;
}

const joined = (units: readonly Unit[]) =>
  units.map(({ text, spaced }, index) => (spaced && index > 0 ? ` ${text}` : text)).join('');

const room = (units: readonly Unit[]) =>
  units.reduce(
    (sum, { columns, spaced }, index) => sum + columns + (spaced && index > 0 ? 1 : 0),
    0,
  );

/** The units in one line, or in two of nearly the same length; null where they need more. */
function linesOf(units: readonly Unit[]): string[] | null {
  if (room(units) <= LINE) return [joined(units)];
  if (room(units) > CUE + 1) return null;
  let best: { at: number; longer: number } | null = null;
  for (let at = 1; at < units.length; at += 1) {
    const longer = Math.max(room(units.slice(0, at)), room(units.slice(at)));
    if (longer <= LINE && (!best || longer < best.longer)) best = { at, longer };
  }
  return best && [joined(units.slice(0, best.at)), joined(units.slice(best.at))];
}

/** Seconds at each place of a paragraph's text: by its words, or by its length where it was edited. */
function clockOf({
  content,
  start_time,
  end_time,
  words,
  edited,
}: Paragraph): (at: number) => number {
  const known: { at: number; time: number }[] = [{ at: 0, time: start_time }];
  const add = (at: number, time: number) => {
    const last = known.at(-1);
    // Times never run backwards, whatever an engine says.
    if (last && at >= last.at && time >= last.time && time <= end_time) known.push({ at, time });
  };
  let from = 0;
  for (const { text, start, end } of edited ? [] : (words ?? [])) {
    const at = content.indexOf(text, from);
    if (at < 0 || text === '') continue;
    add(at, start);
    from = at + text.length;
    add(from, end);
  }
  known.push({ at: content.length, time: Math.max(end_time, start_time) });
  return (at) => {
    const after = Math.max(
      1,
      known.findIndex((each) => each.at >= at),
    );
    const next = known[after] ?? known.at(-1);
    const before = known[after - 1];
    if (!next || !before || next.at <= before.at) return next?.time ?? start_time;
    const part = Math.min(1, Math.max(0, (at - before.at) / (next.at - before.at)));
    return before.time + part * (next.time - before.time);
  };
}

/** Units of one sentence, in groups of which each is a cue: as even as its words allow. */
function grouped(units: readonly Unit[], milliseconds: number): Unit[][] {
  const pieces = Math.max(1, Math.ceil(room(units) / CUE), Math.ceil(milliseconds / LONGEST_MS));
  const wanted = room(units) / pieces;
  const groups: Unit[][] = [];
  let group: Unit[] = [];
  for (const unit of units) {
    const longer = [...group, unit];
    const full = group.length > 0 && (room(group) >= wanted || linesOf(longer) === null);
    if (full) groups.push(group);
    group = full ? [unit] : longer;
  }
  if (group.length > 0) groups.push(group);
  return groups;
}

type Group = { readonly units: readonly Unit[]; readonly start: number; readonly end: number };

/** Sentences that are over in a moment join the next one, if both fit. */
function withoutFlashes(groups: readonly Group[]): Group[] {
  const kept: Group[] = [];
  for (const group of groups) {
    const last = kept.at(-1);
    const both = last && {
      units: [...last.units, ...group.units],
      ...{ start: last.start, end: group.end },
    };
    const flash = last && last.end - last.start < SHORTEST_MS;
    if (both && flash && both.end - both.start <= LONGEST_MS && linesOf(both.units)) {
      kept[kept.length - 1] = both;
    } else kept.push(group);
  }
  return kept;
}

/** Words put before what a speaker says first, as part of the text. */
function named(units: readonly Unit[], prefix: string | null): readonly Unit[] {
  const [first] = units;
  if (!prefix || !first) return units;
  const name = inLines(prefix).map(({ text }, index) => ({
    ...{ text, at: first.at, columns: columnsOf(text), spaced: index === 0 },
  }));
  return [...name, { ...first, spaced: true }, ...units.slice(1)];
}

/**
 * The cues of a transcript, in order, none overlapping another.
 * @param language BCP-47 of what is said; null where that is not known
 * @param prefix words to put before the first that a speaker says, or null
 */
export function cuesOf(
  spoken: readonly Spoken[],
  language: string | null,
  prefix: (speaker: string) => string | null = () => null,
): Cue[] {
  const locale = language ?? undefined;
  const sentences = new Intl.Segmenter(locale, { granularity: 'sentence' });
  const words = new Intl.Segmenter(locale, { granularity: 'word' });
  const cues: Cue[] = [];
  let before: string | null = null;
  for (const { paragraph, speaker } of spoken) {
    const clock = clockOf(paragraph);
    const milliseconds = (at: number) => Math.round(clock(at) * 1000);
    let name = speaker !== null && speaker !== before ? prefix(speaker) : null;
    before = speaker;
    const groups: Group[] = [];
    for (const { segment, index } of sentences.segment(paragraph.content)) {
      const end = index + segment.trimEnd().length;
      const units = named(unitsOf(segment, index, words), name);
      if (units.length === 0) continue;
      name = null;
      const cut = grouped(units, milliseconds(end) - milliseconds(index));
      for (const [position, group] of cut.entries()) {
        const next = cut[position + 1]?.[0]?.at ?? end;
        const start = milliseconds(group[0]?.at ?? index);
        groups.push({ units: group, start, end: Math.min(milliseconds(next), start + LONGEST_MS) });
      }
    }
    for (const { units, start, end } of withoutFlashes(groups)) {
      cues.push({ start, end, lines: linesOf(units) ?? [joined(units)], speaker });
    }
  }
  return inOrder(cues);
}

/** Each cue after the one before it, none without any time, short ones as long as there is room. */
function inOrder(cues: readonly Cue[]): Cue[] {
  let free = 0;
  return cues.map((cue, index) => {
    const start = Math.max(cue.start, free);
    const next = Math.max(cues[index + 1]?.start ?? Number.POSITIVE_INFINITY, start + 1);
    const wanted = Math.max(cue.end, start + SHORTEST_MS);
    free = Math.min(wanted, next);
    return { ...cue, start, end: free };
  });
}

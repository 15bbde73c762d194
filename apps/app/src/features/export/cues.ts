/**
 * Splits a transcript into subtitle cues of up to two lines and seven seconds, with up to 42 columns per line.
 * These are the common limits of broadcasters and streaming services for Latin scripts. They allow sixteen
 * Chinese, Japanese or Korean characters per line, so each counts as 42 / 16 columns.
 */
import type { Paragraph } from '@linnet/contract';

const LINE_COLUMNS = 42;
const CUE_COLUMNS = 2 * LINE_COLUMNS;
const WIDE_COLUMNS = LINE_COLUMNS / 16;
const MAX_CUE_MS = 7000;
/** Minimum readable duration. Shorter cues are extended if there is a gap after them. */
const MIN_CUE_MS = 1000;

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/u;
/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** Opening punctuation belongs to the following word. */
const OPENING = /^[\p{Ps}\p{Pi}¿¡]+$/u;

/** The text shown during a period, in whole milliseconds. */
export type Cue = {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
  readonly speaker: string | null;
};

/** A paragraph and the name of its speaker. */
export type Spoken = { readonly paragraph: Paragraph; readonly speaker: string | null };

/** An unbreakable part of a line, with its offset in the text. `spaced`: preceded by a space. */
type Unit = {
  readonly text: string;
  readonly at: number;
  readonly columns: number;
  readonly spaced: boolean;
};

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Returns the width of a text in columns. Wide characters count for more than one. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const { segment } of graphemes.segment(text)) {
    columns += WIDE.test(segment) ? WIDE_COLUMNS : 1;
  }
  return columns;
}

/** Splits a section of text into units. @param at offset of the section */
function splitUnits(text: string, at: number, words: Intl.Segmenter): Unit[] {
  const units: Unit[] = [];
  let open: { text: string; at: number; spaced: boolean } | null = null;
  let spaced = false;
  const close = () => {
    if (open) for (const part of splitToLineWidth(open.text)) add(part);
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

/** Splits a text into parts that each fit into a line. */
function splitToLineWidth(text: string): { text: string; from: number }[] {
  if (columnsOf(text) <= LINE_COLUMNS) return [{ text, from: 0 }];
  const parts: { text: string; from: number }[] = [];
  let from = 0;
  let part = '';
  for (const { segment, index } of graphemes.segment(text)) {
    if (part !== '' && columnsOf(part + segment) > LINE_COLUMNS) {
      parts.push({ text: part, from });
      part = '';
      from = index;
    }
    part += segment;
  }
  parts.push({ text: part, from });
  return parts;
}

const joinUnits = (units: readonly Unit[]) =>
  units.map(({ text, spaced }, index) => (spaced && index > 0 ? ` ${text}` : text)).join('');

const width = (units: readonly Unit[]) =>
  units.reduce(
    (sum, { columns, spaced }, index) => sum + columns + (spaced && index > 0 ? 1 : 0),
    0,
  );

/** Lays out units in one line, or in two of nearly the same length; null if they need more. */
function layOutLines(units: readonly Unit[]): string[] | null {
  if (width(units) <= LINE_COLUMNS) return [joinUnits(units)];
  if (width(units) > CUE_COLUMNS + 1) return null;
  let best: { at: number; longer: number } | null = null;
  for (let at = 1; at < units.length; at += 1) {
    const longer = Math.max(width(units.slice(0, at)), width(units.slice(at)));
    if (longer <= LINE_COLUMNS && (!best || longer < best.longer)) best = { at, longer };
  }
  return best && [joinUnits(units.slice(0, best.at)), joinUnits(units.slice(best.at))];
}

/** Maps offsets in a paragraph to seconds, by its word times, or by length if the text was edited. */
function offsetClock({
  content,
  start_time,
  end_time,
  words,
  edited,
}: Paragraph): (at: number) => number {
  const known: { at: number; time: number }[] = [{ at: 0, time: start_time }];
  const add = (at: number, time: number) => {
    const last = known.at(-1);
    // Skips decreasing times, which some engines report.
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

/** Splits the units of a sentence into cues of about equal length. */
function groupUnits(units: readonly Unit[], milliseconds: number): Unit[][] {
  const pieces = Math.max(
    1,
    Math.ceil(width(units) / CUE_COLUMNS),
    Math.ceil(milliseconds / MAX_CUE_MS),
  );
  const target = width(units) / pieces;
  const groups: Unit[][] = [];
  let group: Unit[] = [];
  for (const unit of units) {
    const longer = [...group, unit];
    const full = group.length > 0 && (width(group) >= target || layOutLines(longer) === null);
    if (full) groups.push(group);
    group = full ? [unit] : longer;
  }
  if (group.length > 0) groups.push(group);
  return groups;
}

type Group = { readonly units: readonly Unit[]; readonly start: number; readonly end: number };

/** Merges very short sentences with the next one, if both fit. */
function mergeShort(groups: readonly Group[]): Group[] {
  const merged: Group[] = [];
  for (const group of groups) {
    const last = merged.at(-1);
    const both = last && {
      units: [...last.units, ...group.units],
      ...{ start: last.start, end: group.end },
    };
    const isShort = last && last.end - last.start < MIN_CUE_MS;
    if (both && isShort && both.end - both.start <= MAX_CUE_MS && layOutLines(both.units)) {
      merged[merged.length - 1] = both;
    } else merged.push(group);
  }
  return merged;
}

/** Prepends a prefix to a speaker's first words. */
function prependName(units: readonly Unit[], prefix: string | null): readonly Unit[] {
  const [first] = units;
  if (!prefix || !first) return units;
  const name = splitToLineWidth(prefix).map(({ text }, index) => ({
    ...{ text, at: first.at, columns: columnsOf(text), spaced: index === 0 },
  }));
  return [...name, { ...first, spaced: true }, ...units.slice(1)];
}

/**
 * The cues of a transcript, in order and without overlaps.
 * @param language BCP-47 of the speech; null if unknown
 * @param prefix text before a speaker's first words, or null
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
    const clock = offsetClock(paragraph);
    const milliseconds = (at: number) => Math.round(clock(at) * 1000);
    let name = speaker !== null && speaker !== before ? prefix(speaker) : null;
    before = speaker;
    const groups: Group[] = [];
    for (const { segment, index } of sentences.segment(paragraph.content)) {
      const end = index + segment.trimEnd().length;
      const units = prependName(splitUnits(segment, index, words), name);
      if (units.length === 0) continue;
      name = null;
      const cut = groupUnits(units, milliseconds(end) - milliseconds(index));
      for (const [position, group] of cut.entries()) {
        const next = cut[position + 1]?.[0]?.at ?? end;
        const start = milliseconds(group[0]?.at ?? index);
        groups.push({ units: group, start, end: Math.min(milliseconds(next), start + MAX_CUE_MS) });
      }
    }
    for (const { units, start, end } of mergeShort(groups)) {
      cues.push({ start, end, lines: layOutLines(units) ?? [joinUnits(units)], speaker });
    }
  }
  return sequence(cues);
}

/** Removes overlaps between cues and extends short ones where possible. */
function sequence(cues: readonly Cue[]): Cue[] {
  let freeFrom = 0;
  return cues.map((cue, index) => {
    const start = Math.max(cue.start, freeFrom);
    const next = Math.max(cues[index + 1]?.start ?? Number.POSITIVE_INFINITY, start + 1);
    const end = Math.max(cue.end, start + MIN_CUE_MS);
    freeFrom = Math.min(end, next);
    return { ...cue, start, end: freeFrom };
  });
}

/**
 * Splits a transcript into subtitle cues of at most two lines and seven seconds, with at most 42 columns per line.
 * These are the limits that broadcasters and streaming services commonly use for Latin scripts. For Chinese, Japanese
 * and Korean they allow 16 characters per line, so each of those characters counts as 42 / 16 columns.
 */
import type { Paragraph } from '@linnet/contract';

const LINE_COLUMNS = 42;
const CUE_COLUMNS = 2 * LINE_COLUMNS;
const WIDE_COLUMNS = LINE_COLUMNS / 16;
const MAX_CUE_MS = 7000;
/** Minimum readable duration. A shorter cue is extended if a gap follows. */
const MIN_CUE_MS = 1000;

const WIDE_CHARACTER =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/u;
/** Matches scripts that don't separate words with spaces. */
const UNSPACED_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** Matches opening punctuation, which sticks to the following word. */
const OPENING = /^[\p{Ps}\p{Pi}¿¡]+$/u;

/** Text shown for a period of time. Times are in whole milliseconds. */
export type Cue = {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
  readonly speaker: string | null;
};

/** A paragraph with its speaker's name, or null if the name is unknown or not shown. */
export type SpokenParagraph = { readonly paragraph: Paragraph; readonly speaker: string | null };

/** An unbreakable piece of text. */
type Unit = {
  readonly text: string;
  /** The unit's offset in the text. */
  readonly offset: number;
  readonly columns: number;
  /** Whether a space precedes the unit. */
  readonly hasSpaceBefore: boolean;
};

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Returns a string's width in columns. Wide characters take up more than one column. */
export function countColumns(text: string): number {
  let columns = 0;
  for (const { segment } of graphemes.segment(text)) {
    columns += WIDE_CHARACTER.test(segment) ? WIDE_COLUMNS : 1;
  }
  return columns;
}

/** A section of text. */
type Section = {
  readonly text: string;
  /** The section's offset in the text. */
  readonly offset: number;
  /** Whether a space precedes the section. */
  readonly hasSpaceBefore: boolean;
};

/** Splits a section into units. */
function splitUnits(section: Section, words: Intl.Segmenter): Unit[] {
  const units: Unit[] = [];
  let current: { text: string; offset: number; hasSpaceBefore: boolean } | null = null;
  let { hasSpaceBefore } = section;
  const finishUnit = () => {
    if (current) {
      for (const part of splitToLineWidth(current.text)) {
        units.push({
          text: part.text,
          offset: current.offset + part.offset,
          columns: countColumns(part.text),
          hasSpaceBefore: part.offset === 0 && current.hasSpaceBefore,
        });
      }
    }
    current = null;
  };
  for (const { segment, index, isWordLike } of words.segment(section.text)) {
    if (/^\s+$/u.test(segment)) {
      finishUnit();
      hasSpaceBefore = true;
      continue;
    }
    const startsUnit =
      current === null ||
      (UNSPACED_SCRIPT.test(segment) && isWordLike && !OPENING.test(current.text)) ||
      (OPENING.test(segment) && UNSPACED_SCRIPT.test(current.text));
    if (startsUnit) {
      finishUnit();
      current = { text: segment, offset: section.offset + index, hasSpaceBefore };
      hasSpaceBefore = false;
    } else if (current) {
      current.text += segment;
    }
  }
  finishUnit();
  return units;
}

/** Splits text into pieces that each fit on one line. */
function splitToLineWidth(text: string): { text: string; offset: number }[] {
  if (countColumns(text) <= LINE_COLUMNS) return [{ text, offset: 0 }];
  const parts: { text: string; offset: number }[] = [];
  let offset = 0;
  let part = '';
  for (const { segment, index } of graphemes.segment(text)) {
    if (part !== '' && countColumns(part + segment) > LINE_COLUMNS) {
      parts.push({ text: part, offset });
      part = '';
      offset = index;
    }
    part += segment;
  }
  parts.push({ text: part, offset });
  return parts;
}

// Trim, because a word may start with a narrow no-break space, which word segmentation doesn't separate from digits
// and letters.
const joinUnits = (units: readonly Unit[]) =>
  units
    .map(({ text, hasSpaceBefore }, index) => (hasSpaceBefore && index > 0 ? ` ${text}` : text))
    .join('')
    .trim();

const width = (units: readonly Unit[]) =>
  units.reduce(
    (sum, { columns, hasSpaceBefore }, index) =>
      sum + columns + (hasSpaceBefore && index > 0 ? 1 : 0),
    0,
  );

/** Lays out units on one line, or on two lines of similar length. Returns null if they don't fit. */
function layOutLines(units: readonly Unit[]): string[] | null {
  if (width(units) <= LINE_COLUMNS) return [joinUnits(units)];
  if (width(units) > CUE_COLUMNS + 1) return null;
  let best: { breakAt: number; longestLine: number } | null = null;
  for (let breakAt = 1; breakAt < units.length; breakAt += 1) {
    const longestLine = Math.max(width(units.slice(0, breakAt)), width(units.slice(breakAt)));
    if (longestLine <= LINE_COLUMNS && (!best || longestLine < best.longestLine)) {
      best = { breakAt, longestLine };
    }
  }
  return best && [joinUnits(units.slice(0, best.breakAt)), joinUnits(units.slice(best.breakAt))];
}

/**
 * Returns a function that maps an offset in a paragraph to seconds. It interpolates between word timestamps, or between
 * the paragraph's start and end if the text was edited.
 */
function createOffsetClock({
  content,
  start_time,
  end_time,
  words,
  edited,
}: Paragraph): (offset: number) => number {
  const points: { offset: number; time: number }[] = [{ offset: 0, time: start_time }];
  const addPoint = (offset: number, time: number) => {
    const last = points.at(-1);
    // Skip times that go backwards, which some engines report.
    if (last && offset >= last.offset && time >= last.time && time <= end_time) {
      points.push({ offset, time });
    }
  };
  let searchFrom = 0;
  for (const { text, start, end } of edited ? [] : (words ?? [])) {
    const offset = content.indexOf(text, searchFrom);
    if (offset < 0 || text === '') continue;
    addPoint(offset, start);
    searchFrom = offset + text.length;
    addPoint(searchFrom, end);
  }
  points.push({ offset: content.length, time: Math.max(end_time, start_time) });
  return (offset) => {
    const nextIndex = Math.max(
      1,
      points.findIndex((point) => point.offset >= offset),
    );
    const next = points[nextIndex] ?? points.at(-1);
    const previous = points[nextIndex - 1];
    if (!next || !previous || next.offset <= previous.offset) return next?.time ?? start_time;
    const position = (offset - previous.offset) / (next.offset - previous.offset);
    const fraction = Math.min(1, Math.max(0, position));
    return previous.time + fraction * (next.time - previous.time);
  };
}

/** Splits a sentence's units into groups of similar length, one per cue. */
function groupUnits(units: readonly Unit[], milliseconds: number): Unit[][] {
  const groupCount = Math.max(
    1,
    Math.ceil(width(units) / CUE_COLUMNS),
    Math.ceil(milliseconds / MAX_CUE_MS),
  );
  const targetWidth = width(units) / groupCount;
  const groups: Unit[][] = [];
  let group: Unit[] = [];
  for (const unit of units) {
    const extended = [...group, unit];
    const isFull =
      group.length > 0 && (width(group) >= targetWidth || layOutLines(extended) === null);
    if (isFull) groups.push(group);
    group = isFull ? [unit] : extended;
  }
  if (group.length > 0) groups.push(group);
  return groups;
}

type Group = { readonly units: readonly Unit[]; readonly start: number; readonly end: number };

/** Merges a very short sentence with the next one if both fit into one cue. */
function mergeShort(groups: readonly Group[]): Group[] {
  const merged: Group[] = [];
  for (const group of groups) {
    const last = merged.at(-1);
    const combined = last && {
      units: [...last.units, ...group.units],
      start: last.start,
      end: group.end,
    };
    const isLastShort = last && last.end - last.start < MIN_CUE_MS;
    const fits =
      combined && combined.end - combined.start <= MAX_CUE_MS && layOutLines(combined.units);
    if (isLastShort && fits) merged[merged.length - 1] = combined;
    else merged.push(group);
  }
  return merged;
}

/** Prepends a speaker's name to the units. */
function prependName(units: readonly Unit[], prefix: string | null): readonly Unit[] {
  const [first] = units;
  if (!prefix || !first) return units;
  const name = splitToLineWidth(prefix).map(({ text }, index) => ({
    text,
    offset: first.offset,
    columns: countColumns(text),
    hasSpaceBefore: index === 0,
  }));
  return [...name, { ...first, hasSpaceBefore: true }, ...units.slice(1)];
}

/**
 * Creates a transcript's cues, in order and without overlaps.
 * @param language the BCP 47 tag of the spoken language; null if unknown
 * @param prefix returns the text to show where the speaker changes, or null for none
 */
export function createCues(
  paragraphs: readonly SpokenParagraph[],
  language: string | null,
  prefix: (speaker: string) => string | null = () => null,
): Cue[] {
  const locale = language ?? undefined;
  const sentences = new Intl.Segmenter(locale, { granularity: 'sentence' });
  const words = new Intl.Segmenter(locale, { granularity: 'word' });
  const cues: Cue[] = [];
  let previousSpeaker: string | null = null;
  for (const { paragraph, speaker } of paragraphs) {
    const clock = createOffsetClock(paragraph);
    const milliseconds = (offset: number) => Math.round(clock(offset) * 1000);
    let name = speaker !== null && speaker !== previousSpeaker ? prefix(speaker) : null;
    previousSpeaker = speaker;
    const groups: Group[] = [];
    let hasSpaceBefore = false;
    for (const { segment, index } of sentences.segment(paragraph.content)) {
      const end = index + segment.trimEnd().length;
      const section = { text: segment, offset: index, hasSpaceBefore };
      const units = prependName(splitUnits(section, words), name);
      hasSpaceBefore = /\s$/u.test(segment);
      if (units.length === 0) continue;
      name = null;
      const sentenceGroups = groupUnits(units, milliseconds(end) - milliseconds(index));
      for (const [position, group] of sentenceGroups.entries()) {
        const nextOffset = sentenceGroups[position + 1]?.[0]?.offset ?? end;
        const start = milliseconds(group[0]?.offset ?? index);
        groups.push({
          units: group,
          start,
          end: Math.min(milliseconds(nextOffset), start + MAX_CUE_MS),
        });
      }
    }
    for (const { units, start, end } of mergeShort(groups)) {
      cues.push({ start, end, lines: layOutLines(units) ?? [joinUnits(units)], speaker });
    }
  }
  return adjustTimes(cues);
}

/** Removes overlaps between cues and extends short cues into the gaps after them. */
function adjustTimes(cues: readonly Cue[]): Cue[] {
  let previousEnd = 0;
  return cues.map((cue, index) => {
    const start = Math.max(cue.start, previousEnd);
    const nextStart = Math.max(cues[index + 1]?.start ?? Number.POSITIVE_INFINITY, start + 1);
    const end = Math.min(Math.max(cue.end, start + MIN_CUE_MS), nextStart);
    previousEnd = end;
    return { ...cue, start, end };
  });
}

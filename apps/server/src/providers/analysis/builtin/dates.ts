/**
 * Finds dates and times in sentences and resolves them relative to the day of the recording. Each language's
 * expressions are defined in `languages/`.
 */
import { dayMs } from '../../../calendar.ts';
import type { FoldedText } from './folded-text.ts';
import {
  compilePattern,
  type DateWords,
  joinPatterns,
  type LanguageData,
} from './languages/data.ts';
import { createNumberParser, numberSource } from './numbers.ts';

/** A mentioned date or time. */
export interface MentionedDate {
  /** Offset in the folded sentence. */
  readonly from: number;
  readonly to: number;
  /** The original words. */
  readonly when: string;
  /** ISO date, if the words and the recording's date determine one. */
  readonly date: string | null;
}

type Groups = Readonly<Record<string, string | undefined>>;

/**
 * Meaning of a matched form. A `time` may also be an unspecified day. A `part` (of the day) counts only next to a day
 * or time. `not` marks an expression that only resembles a date.
 */
type Meaning =
  | { readonly kind: 'time' | 'part' | 'not' }
  | { readonly kind: 'day'; readonly groups: Groups };

interface DateMatch {
  readonly from: number;
  to: number;
  readonly meanings: Meaning[];
}

/** Date and time formats that are common to all languages. */
const FORMS = [
  String.raw`\b(?<year>\d\d\d\d)-(?<month>0\d|1[0-2])-(?<day>[0-3]\d)\b`,
  String.raw`(?<![\d:.,])[012]?\d:[0-5]\d(?![\d:])`,
];

export type DateFinder = (sentence: FoldedText, recordedAt: Date) => MentionedDate[];

/** Creates a date finder for one language, as a pure function of the sentence and the recording's date. */
export function createDateFinder(words: DateWords, data: LanguageData): DateFinder {
  const number = numberSource(data.numbers);
  const slots: Record<string, string> = {
    month: toAlternation(words.months),
    weekday: toAlternation(words.weekdays),
    relative: toAlternation(words.relative.map(([word]) => word)),
    ordinal: toAlternation(Object.keys(words.ordinals ?? {})),
    day: number,
    hour: number,
    n: number,
    year: String.raw`(?:19|20)\d\d`,
    ...words.words,
  };
  const compile = (template: string) =>
    compilePattern(
      template.replace(/\{([a-z]+)([+-]\d)?\}/gu, (_, name: string, shift = '') => {
        const source = slots[name + shift];
        if (source === undefined) throw new RangeError(`no words for {${name}${shift}}`);
        return `(?<${groupName(name + shift)}>${source})`;
      }),
      'g',
    );
  const forms = [
    ...[...FORMS, ...words.forms].map((form) => ({
      kind: 'form' as const,
      expression: compile(form),
    })),
    ...words.parts.map((form) => ({ kind: 'part' as const, expression: compile(form) })),
    ...words.exclusions.map((form) => ({ kind: 'not' as const, expression: compile(form) })),
  ];
  // Most sentences contain no date. The joined forms reject them faster than the individual forms.
  const anyForm = joinPatterns(forms.map(({ expression }) => expression));
  const separator = compilePattern(`^(?:${words.separator})$`);
  const readNumber = createNumberParser(data.numbers);
  const resolve = createDayResolver(words, readNumber);

  const find = (text: string): DateMatch[] => {
    if (!anyForm.some((expression) => expression.test(text))) return [];
    const matches: DateMatch[] = [];
    for (const { kind, expression } of forms) {
      for (const match of text.matchAll(expression)) {
        const groups: Groups = match.groups ?? {};
        if (match[0] === '' || !isPossible(groups, readNumber)) continue;
        const meaning: Meaning =
          kind === 'form'
            ? Object.keys(groups).some((name) => name !== 'hour' && groups[name] !== undefined)
              ? { kind: 'day', groups }
              : { kind: 'time' }
            : { kind };
        matches.push({ from: match.index, to: match.index + match[0].length, meanings: [meaning] });
      }
    }
    return withoutOverlaps(matches);
  };

  return (sentence, recordedAt) => {
    const merged: DateMatch[] = [];
    for (const found of find(sentence.text)) {
      const previous = merged.at(-1);
      if (
        previous &&
        separator.test(sentence.text.slice(previous.to, found.from)) &&
        canMerge(previous, found)
      ) {
        previous.to = found.to;
        previous.meanings.push(...found.meanings);
      } else merged.push(found);
    }
    return merged
      .filter(({ meanings }) => meanings.some(({ kind }) => kind === 'day' || kind === 'time'))
      .map(({ from, to, meanings }) => ({
        from,
        to,
        when: sentence.originalText(from, to),
        date: resolve(meanings, recordedAt, words.pastTense?.test(sentence.text) ?? false),
      }));
  };
}

function toAlternation(words: readonly string[]): string {
  return `(?:${[...words].sort((a, b) => b.length - a.length).join('|')})`;
}

/** Converts a slot to a regular expression group name, which may contain only letters. */
function groupName(slot: string): string {
  return slot.replace('+', 'Plus').replace('-', 'Minus');
}

function isPossible(groups: Groups, read: (text: string) => number | null): boolean {
  const isInRange = (text: string | undefined, minimum: number, maximum: number) => {
    if (text === undefined) return true;
    const value = read(text);
    return value === null || (Number.isInteger(value) && value >= minimum && value <= maximum);
  };
  return isInRange(groups.day, 1, 31) && isInRange(groups.hour, 0, 24);
}

/** Drops matches that overlap longer matches. Returns the remaining matches in text order. */
function withoutOverlaps(matches: readonly DateMatch[]): DateMatch[] {
  const chosen: DateMatch[] = [];
  const byLength = [...matches].sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from);
  for (const match of byLength) {
    if (chosen.every((other) => match.to <= other.from || other.to <= match.from)) {
      chosen.push(match);
    }
  }
  return chosen.sort((a, b) => a.from - b.from);
}

/**
 * Returns whether two matches form a single date, as in "Monday at ten" or "Monday, 5 June". Two days of the same kind
 * are separate dates.
 */
function canMerge(previous: DateMatch, next: DateMatch): boolean {
  const kinds = [...previous.meanings, ...next.meanings].map((meaning) => {
    if (meaning.kind !== 'day') return meaning.kind;
    const { weekday, relative } = meaning.groups;
    return weekday ? 'weekday' : relative ? 'relative' : 'day';
  });
  return !kinds.includes('not') && new Set(kinds).size === kinds.length;
}

const isoDay = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);

/**
 * Creates a function that resolves matches to a day. Ambiguous expressions, with two common readings that disagree,
 * resolve to null.
 */
function createDayResolver(words: DateWords, read: (text: string) => number | null) {
  const createIndexFinder = (sources: readonly string[]) => {
    const expressions = sources.map((source) => compilePattern(`^(?:${source})$`));
    return (text: string) => expressions.findIndex((expression) => expression.test(text));
  };
  const findMonth = createIndexFinder(words.months);
  const findWeekday = createIndexFinder(words.weekdays);
  const findRelativeDay = createIndexFinder(words.relative.map(([word]) => word));
  const ordinals = Object.entries(words.ordinals ?? {}).map(
    ([word, value]) => [compilePattern(`^(?:${word})$`), value] as const,
  );
  const parseDay = (text: string) =>
    ordinals.find(([expression]) => expression.test(text))?.[1] ?? read(text);

  function resolveOne(
    groups: Groups,
    today: number,
    isPast: boolean,
    adjacentWeekday: string | undefined,
  ): number | null {
    if (groups.relative !== undefined) {
      const offset = words.relative[findRelativeDay(groups.relative)]?.[1] ?? null;
      return offset === null ? null : today + offset;
    }
    if (groups.n !== undefined && (groups.ahead !== undefined || groups.ago !== undefined)) {
      const count = read(groups.n);
      const days = groups.days !== undefined ? 1 : groups.weeks !== undefined ? 7 : null;
      if (count === null || days === null || count > 1000) return null;
      return today + (groups.ago === undefined ? 1 : -1) * days * count;
    }
    const dayText = groups.day ?? groups.ordinal;
    if (dayText !== undefined) {
      const day = parseDay(dayText);
      if (day === null) return null;
      const month = groups.month === undefined ? undefined : monthNumber(groups.month);
      if (month !== undefined) {
        const weekday = adjacentWeekday === undefined ? undefined : findWeekday(adjacentWeekday);
        return nearestDate(today, month, day, { isPast, year: groups.year, weekday });
      }
      return isPast ? null : nextDayOfMonth(today, day);
    }
    if (groups.weekday !== undefined) {
      return resolveWeekday(findWeekday(groups.weekday), groups, today, isPast);
    }
    return null;
  }

  /** Parses a month name or number. */
  function monthNumber(text: string): number {
    const named = findMonth(text);
    return named >= 0 ? named + 1 : (read(text) ?? 0);
  }

  return (meanings: readonly Meaning[], recordedAt: Date, isPast: boolean): string | null => {
    const today = Math.floor(recordedAt.getTime() / dayMs);
    const getGroups = (meaning: Meaning): Groups => (meaning.kind === 'day' ? meaning.groups : {});
    const adjacentWeekday = meanings.map((meaning) => getGroups(meaning).weekday).find(Boolean);
    for (const group of ['month', 'day', 'ordinal', 'relative', 'weekday', 'n']) {
      for (const meaning of meanings) {
        const groups = getGroups(meaning);
        if (groups[group] === undefined) continue;
        const day = resolveOne(groups, today, isPast, adjacentWeekday);
        return day === null ? null : isoDay(day);
      }
    }
    return null;
  };
}

/**
 * If a date without a year is more than this many days in the past, next year is assumed, unless the sentence is in the
 * past tense.
 */
const MAX_PAST_DAYS = 60;

/** Resolves a day without a year to the date that is nearest to the recording and matches the given weekday. */
function nearestDate(
  today: number,
  month: number,
  day: number,
  {
    isPast,
    year,
    weekday,
  }: { isPast: boolean; year: string | undefined; weekday: number | undefined },
): number | null {
  const thisYear = new Date(today * dayMs).getUTCFullYear();
  const years = year === undefined ? [thisYear, thisYear + 1, thisYear - 1] : [Number(year)];
  const days = years
    .map((each) => dayNumber(each, month, day))
    .filter((each) => each !== null)
    .filter((each) => weekday === undefined || new Date(each * dayMs).getUTCDay() === weekday)
    .sort((a, b) => Math.abs(a - today) - Math.abs(b - today));
  const candidates = isPast || year ? days : days.filter((each) => each >= today - MAX_PAST_DAYS);
  return candidates[0] ?? null;
}

/** Returns the days since 1970-01-01, or null for an invalid date. */
function dayNumber(year: number, month: number, day: number): number | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.getTime() / dayMs : null;
}

/** Resolves "the 15th" to that day of this month, or of the next month that has such a day. */
function nextDayOfMonth(today: number, day: number): number | null {
  const date = new Date(today * dayMs);
  for (let months = 0; months < 3; months += 1) {
    const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
    const dayIndex = dayNumber(first.getUTCFullYear(), first.getUTCMonth() + 1, day);
    if (dayIndex !== null && dayIndex >= today) return dayIndex;
  }
  return null;
}

/** Resolves "Friday" to the next Friday. "Next Friday" is ambiguous, so it is resolved only if both readings agree. */
function resolveWeekday(
  weekday: number,
  groups: Groups,
  today: number,
  isPast: boolean,
): number | null {
  const todaysWeekday = new Date(today * dayMs).getUTCDay();
  /** Returns the date of the weekday `weeks` weeks after this week. Weeks start on Monday. */
  const inWeek = (weeks: number) =>
    today - ((todaysWeekday + 6) % 7) + ((weekday + 6) % 7) + 7 * weeks;
  if (groups.weekPlus1 !== undefined) return inWeek(1);
  if (groups.weekMinus1 !== undefined) return inWeek(-1);
  if (groups.weekPlus0 !== undefined) return inWeek(0);
  const nextOccurrence = today + (((weekday - todaysWeekday + 6) % 7) + 1);
  const previousOccurrence = today - (((todaysWeekday - weekday + 6) % 7) + 1);
  if (groups.next !== undefined) return nextOccurrence === inWeek(1) ? nextOccurrence : null;
  if (groups.last !== undefined)
    return previousOccurrence === inWeek(-1) ? previousOccurrence : null;
  if (groups.this !== undefined) return inWeek(0);
  return isPast ? null : nextOccurrence;
}

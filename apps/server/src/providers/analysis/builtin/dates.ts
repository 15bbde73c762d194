import { dayMs } from '../../../calendar.ts';
import { type DateWords, type LanguageData, pattern } from './languages/data.ts';
import { numberReader, numberSource } from './numbers.ts';
import type { Plain } from './plain.ts';

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

/** The meaning of a matched form. */
type Meaning =
  /** A time, or an undetermined day. */
  { readonly kind: 'time' | 'part' | 'not' } | { readonly kind: 'day'; readonly groups: Groups };

interface Found {
  readonly from: number;
  to: number;
  readonly meanings: Meaning[];
}

/** Forms common to all languages. */
const FORMS = [
  String.raw`\b(?<year>\d\d\d\d)-(?<month>0\d|1[0-2])-(?<day>[0-3]\d)\b`,
  String.raw`(?<![\d:.,])[012]?\d:[0-5]\d(?![\d:])`,
];

export type DateFinder = (plain: Plain, recordedAt: Date) => MentionedDate[];

/** Creates a finder of dates in one language, a pure function of the sentence and the recording's date. */
export function dateFinder(words: DateWords, data: LanguageData): DateFinder {
  const number = numberSource(data.numbers);
  const slots: Record<string, string> = {
    month: oneOf(words.months),
    weekday: oneOf(words.weekdays),
    relative: oneOf(words.relative.map(([word]) => word)),
    ordinal: oneOf(Object.keys(words.ordinals ?? {})),
    day: number,
    hour: number,
    n: number,
    year: String.raw`(?:19|20)\d\d`,
    ...words.words,
  };
  const compile = (template: string) =>
    pattern(
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
    ...words.not.map((form) => ({ kind: 'not' as const, expression: compile(form) })),
  ];
  const joint = pattern(`^(?:${words.joint})$`);
  const readNumber = numberReader(data.numbers);
  const resolve = dayResolver(words, readNumber);

  const find = (text: string): Found[] => {
    const all: Found[] = [];
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
        all.push({ from: match.index, to: match.index + match[0].length, meanings: [meaning] });
      }
    }
    return withoutOverlaps(all);
  };

  return (plain, recordedAt) => {
    const joined: Found[] = [];
    for (const found of find(plain.text)) {
      const before = joined.at(-1);
      if (before && joint.test(plain.text.slice(before.to, found.from)) && fits(before, found)) {
        before.to = found.to;
        before.meanings.push(...found.meanings);
      } else joined.push(found);
    }
    return joined
      .filter(({ meanings }) => meanings.some(({ kind }) => kind === 'day' || kind === 'time'))
      .map(({ from, to, meanings }) => ({
        from,
        to,
        when: plain.said(from, to),
        date: resolve(meanings, recordedAt, words.past?.test(plain.text) ?? false),
      }));
  };
}

function oneOf(words: readonly string[]): string {
  return `(?:${[...words].sort((a, b) => b.length - a.length).join('|')})`;
}

/** Group names may only contain letters. */
function groupName(slot: string): string {
  return slot.replace('+', 'Plus').replace('-', 'Minus');
}

function isPossible(groups: Groups, read: (text: string) => number | null): boolean {
  const within = (text: string | undefined, least: number, most: number) => {
    if (text === undefined) return true;
    const value = read(text);
    return value === null || (Number.isInteger(value) && value >= least && value <= most);
  };
  return within(groups.day, 1, 31) && within(groups.hour, 0, 24);
}

/** Prefers the longest matches and drops those that overlap them. In text order. */
function withoutOverlaps(all: readonly Found[]): Found[] {
  const chosen: Found[] = [];
  const byLength = [...all].sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from);
  for (const found of byLength) {
    if (chosen.every((other) => found.to <= other.from || other.to <= found.from)) {
      chosen.push(found);
    }
  }
  return chosen.sort((a, b) => a.from - b.from);
}

/** Whether two matches form one date: "Monday at ten", "Monday, 5 June". Two days of the same kind are two dates. */
function fits(before: Found, next: Found): boolean {
  const sorts = [...before.meanings, ...next.meanings].map((meaning) => {
    if (meaning.kind !== 'day') return meaning.kind;
    const { weekday, relative } = meaning.groups;
    return weekday ? 'weekday' : relative ? 'relative' : 'day';
  });
  return !sorts.includes('not') && new Set(sorts).size === sorts.length;
}

const isoDay = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);

/** Creates a resolver of days. Returns no day if two common readings differ. */
function dayResolver(words: DateWords, read: (text: string) => number | null) {
  const indexOf = (sources: readonly string[]) => {
    const expressions = sources.map((source) => pattern(`^(?:${source})$`));
    return (text: string) => expressions.findIndex((expression) => expression.test(text));
  };
  const monthOf = indexOf(words.months);
  const weekdayOf = indexOf(words.weekdays);
  const relativeOf = indexOf(words.relative.map(([word]) => word));
  const ordinals = Object.entries(words.ordinals ?? {}).map(
    ([word, value]) => [pattern(`^(?:${word})$`), value] as const,
  );
  const dayOf = (text: string) =>
    ordinals.find(([expression]) => expression.test(text))?.[1] ?? read(text);

  function resolveOne(
    groups: Groups,
    today: number,
    past: boolean,
    beside: string | undefined,
  ): number | null {
    if (groups.relative !== undefined) {
      const offset = words.relative[relativeOf(groups.relative)]?.[1] ?? null;
      return offset === null ? null : today + offset;
    }
    if (groups.n !== undefined && (groups.ahead !== undefined || groups.ago !== undefined)) {
      const count = read(groups.n);
      const days = groups.days !== undefined ? 1 : groups.weeks !== undefined ? 7 : null;
      if (count === null || days === null || count > 1000) return null;
      return today + (groups.ago === undefined ? 1 : -1) * days * count;
    }
    const said = groups.day ?? groups.ordinal;
    if (said !== undefined) {
      const day = dayOf(said);
      if (day === null) return null;
      const month = groups.month === undefined ? undefined : monthNumber(groups.month);
      if (month !== undefined) {
        const weekday = beside === undefined ? undefined : weekdayOf(beside);
        return nearest(today, month, day, { past, year: groups.year, weekday });
      }
      return past ? null : comingDay(today, day);
    }
    if (groups.weekday !== undefined) {
      return resolveWeekday(weekdayOf(groups.weekday), groups, today, past);
    }
    return null;
  }

  /** Parses a month name or number. */
  function monthNumber(text: string): number {
    const named = monthOf(text);
    return named >= 0 ? named + 1 : (read(text) ?? 0);
  }

  return (meanings: readonly Meaning[], recordedAt: Date, past: boolean): string | null => {
    const today = Math.floor(recordedAt.getTime() / dayMs);
    const groupsOf = (meaning: Meaning): Groups => (meaning.kind === 'day' ? meaning.groups : {});
    const beside = meanings.map((meaning) => groupsOf(meaning).weekday).find(Boolean);
    for (const wanted of ['month', 'day', 'ordinal', 'relative', 'weekday', 'n']) {
      for (const meaning of meanings) {
        const groups = groupsOf(meaning);
        if (groups[wanted] === undefined) continue;
        const day = resolveOne(groups, today, past, beside);
        return day === null ? null : isoDay(day);
      }
    }
    return null;
  };
}

/** Days after which a past date without a year refers to the next year, unless the sentence is in the past tense. */
const LONG_GONE = 60;

/** Resolves a day without a year to the date nearest to the recording that matches the given weekday. */
function nearest(
  today: number,
  month: number,
  day: number,
  { past, year, weekday }: { past: boolean; year: string | undefined; weekday: number | undefined },
): number | null {
  const thisYear = new Date(today * dayMs).getUTCFullYear();
  const years = year === undefined ? [thisYear, thisYear + 1, thisYear - 1] : [Number(year)];
  const days = years
    .map((each) => dayNumber(each, month, day))
    .filter((each) => each !== null)
    .filter((each) => weekday === undefined || new Date(each * dayMs).getUTCDay() === weekday)
    .sort((a, b) => Math.abs(a - today) - Math.abs(b - today));
  const likely = past || year ? days : days.filter((each) => each >= today - LONG_GONE);
  return likely[0] ?? null;
}

/** Days since 1970; null for an invalid date. */
function dayNumber(year: number, month: number, day: number): number | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.getTime() / dayMs : null;
}

/** Resolves "the 15th" to this month or the next month that has such a day. */
function comingDay(today: number, day: number): number | null {
  const date = new Date(today * dayMs);
  for (let months = 0; months < 3; months += 1) {
    const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
    const found = dayNumber(first.getUTCFullYear(), first.getUTCMonth() + 1, day);
    if (found !== null && found >= today) return found;
  }
  return null;
}

/** "Friday" is the coming one. "Next Friday" is ambiguous, so it is resolved only if both readings agree. */
function resolveWeekday(
  weekday: number,
  groups: Groups,
  today: number,
  past: boolean,
): number | null {
  const todaysWeekday = new Date(today * dayMs).getUTCDay();
  /** The weekday in the week (from Monday) `weeks` later. */
  const inWeek = (weeks: number) =>
    today - ((todaysWeekday + 6) % 7) + ((weekday + 6) % 7) + 7 * weeks;
  if (groups.weekPlus1 !== undefined) return inWeek(1);
  if (groups.weekMinus1 !== undefined) return inWeek(-1);
  if (groups.weekPlus0 !== undefined) return inWeek(0);
  const coming = today + (((weekday - todaysWeekday + 6) % 7) + 1);
  const gone = today - (((todaysWeekday - weekday + 6) % 7) + 1);
  if (groups.next !== undefined) return coming === inWeek(1) ? coming : null;
  if (groups.last !== undefined) return gone === inWeek(-1) ? gone : null;
  if (groups.this !== undefined) return inWeek(0);
  return past ? null : coming;
}

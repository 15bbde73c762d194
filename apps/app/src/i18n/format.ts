/** Formats dates, times, durations, sizes and prices in the interface language, using Intl. */

import { getDirection } from './languages.ts';

/**
 * Returns the browser's regional variant of a language, so that British English shows 14:05 instead of 2:05 PM. The
 * digits are always European, because the translations contain some: Arabic in Egypt would otherwise mix two kinds of
 * digits.
 */
function toLocale(language: string): string {
  const preferred = typeof navigator === 'undefined' ? [] : navigator.languages;
  const script = withScript(language);
  const tag = preferred.find((candidate) => withScript(candidate) === script) ?? language;
  return new Intl.Locale(tag, { numberingSystem: 'latn' }).toString();
}

/** Returns a language with its script, which distinguishes `zh-TW` from `zh-Hans`. */
function withScript(tag: string): string {
  const { language, script } = new Intl.Locale(tag).maximize();
  return `${language}-${script}`;
}

/** Joins units by the language's rules: `3 hr 20 min`, `3小时20分钟`. */
function joinUnits(parts: readonly string[], language: string, style: 'long' | 'narrow'): string {
  return listFormatter(language, { type: 'unit', style }).format(parts);
}

/** Formats a list of names in a sentence as `A, B and C`. */
export function formatList(names: readonly string[], language: string): string {
  return listFormatter(language, { type: 'conjunction' }).format(names);
}

/** Formats a list of alternatives in a sentence as `A, B or C`. */
export function formatAlternatives(names: readonly string[], language: string): string {
  return listFormatter(language, { type: 'disjunction' }).format(names);
}

const formatters = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat | Intl.ListFormat>();

function dateFormatter(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `d${language}${JSON.stringify(options)}`;
  const cached = formatters.get(key);
  if (cached instanceof Intl.DateTimeFormat) return cached;
  const formatter = new Intl.DateTimeFormat(toLocale(language), options);
  formatters.set(key, formatter);
  return formatter;
}

function listFormatter(language: string, options: Intl.ListFormatOptions): Intl.ListFormat {
  const key = `l${language}${JSON.stringify(options)}`;
  const cached = formatters.get(key);
  if (cached instanceof Intl.ListFormat) return cached;
  const formatter = new Intl.ListFormat(toLocale(language), options);
  formatters.set(key, formatter);
  return formatter;
}

function numberFormatter(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `n${language}${JSON.stringify(options)}`;
  const cached = formatters.get(key);
  if (cached instanceof Intl.NumberFormat) return cached;
  const formatter = new Intl.NumberFormat(toLocale(language), options);
  formatters.set(key, formatter);
  return formatter;
}

/** Formats a time as `7:05` or `1:02:33`. `seconds` is truncated to whole seconds. */
export function formatClock(seconds: number, language: string): string {
  const wholeSeconds = Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds : 0));
  const twoDigits = numberFormatter(language, { minimumIntegerDigits: 2, useGrouping: false });
  const oneDigit = numberFormatter(language, { useGrouping: false });
  const hours = Math.floor(wholeSeconds / 3600);
  const minutes = Math.floor(wholeSeconds / 60) % 60;
  const paddedSeconds = twoDigits.format(wholeSeconds % 60);
  return hours > 0
    ? `${oneDigit.format(hours)}:${twoDigits.format(minutes)}:${paddedSeconds}`
    : `${oneDigit.format(minutes)}:${paddedSeconds}`;
}

function formatUnit(
  amount: number,
  unit: string,
  language: string,
  unitDisplay: 'short' | 'long',
): string {
  return (
    numberFormatter(language, { style: 'unit', unit, unitDisplay })
      .format(amount)
      // Intl puts a space between number and unit in Japanese, but Japanese text doesn't.
      .replace(/(?<=\d) (?=\p{Script=Han})/u, '')
      // Intl uses the spoken form of the Chinese "second".
      .replace(/秒钟$/u, '秒')
  );
}

/** Formats a duration for screen readers: `7 minutes, 5 seconds`. */
export function formatSpokenDuration(seconds: number, language: string): string {
  const wholeSeconds = Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds : 0));
  const parts: [number, string][] = [
    [Math.floor(wholeSeconds / 3600), 'hour'],
    [Math.floor(wholeSeconds / 60) % 60, 'minute'],
    [wholeSeconds % 60, 'second'],
  ];
  const spokenParts = parts.filter(
    ([amount], index) => amount > 0 || (index === 2 && wholeSeconds === 0),
  );
  const formattedUnits = spokenParts.map(([amount, unit]) =>
    formatUnit(amount, unit, language, 'long'),
  );
  return joinUnits(formattedUnits, language, 'long');
}

/** Formats a recording's age, such as `90 days`. */
export function formatAge(amount: number, unit: 'day' | 'month', language: string): string {
  return formatUnit(amount, unit, language, 'long');
}

/** Formats a total as `3 h 20 min`. Durations of a minute or more are rounded to minutes. */
export function formatRoughDuration(seconds: number, language: string): string {
  return formatRounded(seconds, language, 'short');
}

/**
 * Formats a duration for use in a sentence: `3 hours, 20 minutes`. Durations of a minute or more are rounded to
 * minutes.
 */
export function formatDurationInSentence(seconds: number, language: string): string {
  return formatRounded(seconds, language, 'long');
}

function formatRounded(seconds: number, language: string, unitDisplay: 'short' | 'long'): string {
  const unit = (amount: number, name: string) => formatUnit(amount, name, language, unitDisplay);
  const wholeSeconds = Math.max(0, Math.round(seconds));
  if (wholeSeconds > 0 && wholeSeconds < 60) return unit(wholeSeconds, 'second');
  const minutes = Math.round(wholeSeconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours === 0) return unit(minutes, 'minute');
  return minutes % 60 === 0
    ? unit(hours, 'hour')
    : joinUnits(
        [unit(hours, 'hour'), unit(minutes % 60, 'minute')],
        language,
        unitDisplay === 'long' ? 'long' : 'narrow',
      );
}

/** Size units that Intl supports (ECMA-402, table of sanctioned units), followed by those it doesn't. */
const namedUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const;
const sizeUnits = [...namedUnits, 'EB', 'ZB', 'YB'] as const;

/**
 * Formats bytes as `0 byte` … `1.2 YB`, in steps of 1000, with one decimal below ten. The result is isolated, because
 * right-to-left text would swap a number and its Latin unit (`GB 41`).
 */
export function formatSize(bytes: number, language: string): string {
  let value = Math.max(0, Number.isFinite(bytes) ? bytes : 0);
  let unit = 0;
  // 999.5 would round to 1000, so move on to the next unit.
  while (value >= 999.5 && unit < sizeUnits.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit > 0 && value < 9.95 ? 1 : 0;
  const name = sizeUnits[unit];
  const cached = namedUnits.find((one) => one === name);
  const style = cached && ({ style: 'unit', unit: cached, unitDisplay: 'short' } as const);
  const amount = numberFormatter(language, { maximumFractionDigits: digits, ...style }).format(
    value,
  );
  const formatted = cached ? amount : `${amount} ${name}`;
  return getDirection(language) === 'rtl' ? isolate(formatted) : formatted;
}

/** Formats a duration as `84 ms`. */
export function formatMilliseconds(ms: number, language: string): string {
  const options = { style: 'unit', unit: 'millisecond', unitDisplay: 'short' } as const;
  return numberFormatter(language, options).format(ms);
}

/** Isolates a string from the direction of the surrounding text. */
export function isolate(text: string): string {
  return `\u2068${text}\u2069`;
}

/**
 * Formats a percentage.
 * @param percent 0 to 100
 */
export function formatPercentage(percent: number, language: string): string {
  return numberFormatter(language, { style: 'percent', maximumFractionDigits: 0 }).format(
    percent / 100,
  );
}

/** Formats a plain number in the language's digits. */
export function formatCount(value: number, language: string): string {
  return numberFormatter(language, {}).format(value);
}

/** The heading of a day in a list. */
export type DayGroup =
  | 'future'
  | 'today'
  | 'yesterday'
  | 'week'
  | { readonly year: number; readonly month: number };

/**
 * Returns a function that determines a time's heading, relative to `now` in the local calendar. Consecutive times with
 * the same heading get the same object.
 */
export function createDayGrouper(now: Date): (iso: string) => DayGroup {
  const year = now.getFullYear();
  const month = now.getMonth();
  const day = now.getDate();
  const today = new Date(year, month, day).getTime();
  const tomorrow = new Date(year, month, day + 1).getTime();
  const yesterday = new Date(year, month, day - 1).getTime();
  const week = new Date(year, month, day - 7).getTime();
  /** The last returned month and its bounds, excluding the previous seven days. */
  let lastMonth = { group: { year: 0, month: 0 }, from: '', until: '' };
  return (iso) => {
    // UTC timestamps sort chronologically as strings, so only a few entries in a long list need parsing.
    if (iso >= lastMonth.from && iso < lastMonth.until && iso.endsWith('Z')) return lastMonth.group;
    const time = Date.parse(iso);
    if (time >= tomorrow) return 'future';
    if (time >= today) return 'today';
    if (time >= yesterday) return 'yesterday';
    if (time >= week) return 'week';
    const date = new Date(time);
    const group = { year: date.getFullYear(), month: date.getMonth() };
    if (group.year === lastMonth.group.year && group.month === lastMonth.group.month)
      return lastMonth.group;
    const next = new Date(group.year, group.month + 1, 1).getTime();
    lastMonth = {
      group,
      from: new Date(group.year, group.month, 1).toISOString(),
      until: new Date(Math.min(next, week)).toISOString(),
    };
    return group;
  };
}

/** Formats a month as a heading: `November 2026`, capitalized in every language that has capitals. */
export function formatMonth(group: { year: number; month: number }, language: string): string {
  const month = dateFormatter(language, { month: 'long', year: 'numeric' })
    .format(new Date(group.year, group.month, 1))
    // Russian appends an abbreviation for "year", which headings omit.
    .replace(/\s+г\.$/u, '');
  return month.charAt(0).toLocaleUpperCase(language) + month.slice(1);
}

/** Formats a time of day as `14:05`. */
export function formatTimeOfDay(iso: string, language: string): string {
  return dateFormatter(language, { hour: 'numeric', minute: '2-digit' }).format(new Date(iso));
}

/** Formats a date and time as `21 Nov, 14:05`. */
export function formatShortDate(iso: string, language: string): string {
  return dateFormatter(language, {
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
  }).format(new Date(iso));
}

/** Formats a date and time as `21 Nov, 14:05`, or as `21 Nov 2025, 14:05` in another year. */
export function formatEntryDate(iso: string, language: string, now = new Date()): string {
  const isOlder = new Date(iso).getFullYear() !== now.getFullYear();
  return dateFormatter(language, {
    day: 'numeric',
    month: 'short',
    ...(isOlder && { year: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
  }).format(new Date(iso));
}

/** Formats a day as `21 Nov`. */
export function formatShortDay(iso: string, language: string): string {
  return dateFormatter(language, { day: 'numeric', month: 'short' }).format(new Date(iso));
}

/** Formats a day as `21 November`. */
export function formatDayAndMonth(iso: string, language: string): string {
  return dateFormatter(language, { day: 'numeric', month: 'long' }).format(new Date(iso));
}

/** Formats a date and time as `Saturday 21 November 2026, 14:05`. */
export function formatLongDate(iso: string, language: string): string {
  return dateFormatter(language, { dateStyle: 'full', timeStyle: 'short' }).format(new Date(iso));
}

/** Formats a day as `21 November 2026`. */
export function formatDay(iso: string, language: string): string {
  return dateFormatter(language, { dateStyle: 'long' }).format(new Date(iso));
}

/** Parses a calendar day such as `2026-11-21` in UTC, so that it's the same day in every time zone. */
const parseDay = (day: string) => new Date(`${day}T00:00:00Z`);

/** Formats a calendar day such as `2026-11-21` as `Saturday 21 November 2026`. */
export function formatCalendarDay(day: string, language: string): string {
  return dateFormatter(language, { dateStyle: 'full', timeZone: 'UTC' }).format(parseDay(day));
}

/** Returns the parts of a day such as `2026-11-21` for a calendar icon. */
export function dayParts(day: string, language: string) {
  const format = (options: Intl.DateTimeFormatOptions) =>
    dateFormatter(language, { ...options, timeZone: 'UTC' });
  const part = (options: Intl.DateTimeFormatOptions) => format(options).format(parseDay(day));
  const number = format({ day: 'numeric' })
    .formatToParts(parseDay(day))
    .find(({ type }) => type === 'day');
  return {
    // Omit the word for "day" that Chinese, Japanese and Korean append.
    day: number?.value ?? '',
    month: part({ month: 'short' }),
    weekday: part({ weekday: 'short' }),
    year: part({ year: 'numeric' }),
  };
}

/**
 * Formats an amount of money, or a plain number if the currency is unknown.
 * @param currency ISO 4217 code
 */
export function formatMoney(amount: number, currency: string | null, language: string): string {
  const digits = Number.isInteger(amount) ? 0 : 2;
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: Math.max(digits, 2) };
  if (currency === null) return numberFormatter(language, fraction).format(amount);
  // Intl throws for anything that isn't a currency code.
  if (!/^[A-Z]{3}$/.test(currency))
    return `${numberFormatter(language, fraction).format(amount)} ${currency}`;
  return numberFormatter(language, { ...fraction, style: 'currency', currency }).format(amount);
}

/**
 * Formats a price with its currency's customary number of decimals.
 * @param amount in the currency's smallest unit, such as cents
 * @param currency ISO 4217 code
 */
export function formatPrice(amount: number, currency: string, language: string): string {
  const format = numberFormatter(language, { style: 'currency', currency });
  const { maximumFractionDigits: digits = 0 } = format.resolvedOptions();
  const formatted = format.format(amount / 10 ** digits);
  // Isolate a price with Latin letters as left-to-right text, so that the currency stays next to the number.
  return getDirection(language) === 'rtl' ? `\u2066${formatted}\u2069` : formatted;
}

/** Formats dates, times, durations and sizes in the interface language, with Intl. */

import { directionOf } from './languages.ts';

/** Returns the browser's regional variant of a language, so that British English shows 14:05 instead of 2:05 PM. */
function localeOf(language: string): string {
  const preferred = typeof navigator === 'undefined' ? [] : navigator.languages;
  const script = scriptOf(language);
  return preferred.find((tag) => scriptOf(tag) === script) ?? language;
}

/** Returns a language with its script, which distinguishes `zh-TW` from `zh-Hans`. */
function scriptOf(tag: string): string {
  const { language, script } = new Intl.Locale(tag).maximize();
  return `${language}-${script}`;
}

/** Joins units by the rules of the language: `3 hr 20 min`, `3小时20分钟`. */
function joinUnits(parts: readonly string[], language: string, style: 'long' | 'narrow'): string {
  const key = `l${language}${style}`;
  const known = formatters.get(key);
  const list =
    known instanceof Intl.ListFormat
      ? known
      : new Intl.ListFormat(localeOf(language), { type: 'unit', style });
  formatters.set(key, list);
  return list.format(parts);
}

const formatters = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat | Intl.ListFormat>();

function dates(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `d${language}${JSON.stringify(options)}`;
  const known = formatters.get(key);
  if (known instanceof Intl.DateTimeFormat) return known;
  const made = new Intl.DateTimeFormat(localeOf(language), options);
  formatters.set(key, made);
  return made;
}

function numbers(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `n${language}${JSON.stringify(options)}`;
  const known = formatters.get(key);
  if (known instanceof Intl.NumberFormat) return known;
  const made = new Intl.NumberFormat(localeOf(language), options);
  formatters.set(key, made);
  return made;
}

/** `7:05`, `1:02:33`; hours only if there are any. `seconds` is truncated to whole seconds. */
export function clock(seconds: number, language: string): string {
  const whole = Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds : 0));
  const two = numbers(language, { minimumIntegerDigits: 2, useGrouping: false });
  const one = numbers(language, { useGrouping: false });
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const rest = two.format(whole % 60);
  return hours > 0
    ? `${one.format(hours)}:${two.format(minutes)}:${rest}`
    : `${one.format(minutes)}:${rest}`;
}

/** `7 minutes, 5 seconds`, for screen readers. */
export function spokenDuration(seconds: number, language: string): string {
  const whole = Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds : 0));
  const parts: [number, string][] = [
    [Math.floor(whole / 3600), 'hour'],
    [Math.floor(whole / 60) % 60, 'minute'],
    [whole % 60, 'second'],
  ];
  const said = parts.filter(([amount], index) => amount > 0 || (index === 2 && whole === 0));
  const words = said.map(([amount, unit]) =>
    numbers(language, { style: 'unit', unit, unitDisplay: 'long' }).format(amount),
  );
  return joinUnits(words, language, 'long');
}

/** `3 h 20 min`, rounded to minutes from one minute on; for totals. */
export function roughDuration(seconds: number, language: string): string {
  const unit = (amount: number, name: string) =>
    numbers(language, { style: 'unit', unit: name, unitDisplay: 'short' }).format(amount);
  const whole = Math.max(0, Math.round(seconds));
  if (whole > 0 && whole < 60) return unit(whole, 'second');
  const minutes = Math.round(whole / 60);
  const hours = Math.floor(minutes / 60);
  if (hours === 0) return unit(minutes, 'minute');
  return minutes % 60 === 0
    ? unit(hours, 'hour')
    : joinUnits([unit(hours, 'hour'), unit(minutes % 60, 'minute')], language, 'narrow');
}

/** Size units that Intl knows (ECMA-402, table of sanctioned units), followed by those it does not. */
const namedUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const;
const sizeUnits = [...namedUnits, 'EB', 'ZB', 'YB'] as const;

/**
 * Formats bytes as `0 byte` … `1.2 YB`, in steps of 1000, with one decimal below ten. Isolated in right-to-left text,
 * which would reverse a number and its Latin unit (`GB 41`).
 */
export function size(bytes: number, language: string): string {
  let value = Math.max(0, Number.isFinite(bytes) ? bytes : 0);
  let unit = 0;
  // 999.5 rounds to 1000, so it is shown in the next unit.
  while (value >= 999.5 && unit < sizeUnits.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit > 0 && value < 9.95 ? 1 : 0;
  const name = sizeUnits[unit];
  const known = namedUnits.find((one) => one === name);
  const style = known && ({ style: 'unit', unit: known, unitDisplay: 'short' } as const);
  const amount = numbers(language, { maximumFractionDigits: digits, ...style }).format(value);
  const words = known ? amount : `${amount} ${name}`;
  return directionOf(language) === 'rtl' ? isolated(words) : words;
}

/** Isolates a text from the direction of the surrounding text. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}

/** `percent` from 0 to 100. */
export function percentage(percent: number, language: string): string {
  return numbers(language, { style: 'percent', maximumFractionDigits: 0 }).format(percent / 100);
}

/** A plain number in the language's digits. */
export function count(value: number, language: string): string {
  return numbers(language, {}).format(value);
}

/** The list heading for a day. */
export type DayGroup = 'today' | 'yesterday' | { readonly year: number; readonly month: number };

/**
 * Returns a function that determines the heading of a time relative to `now` in the local calendar. Consecutive times
 * with the same heading get the same object.
 */
export function dayGroups(now: Date): (iso: string) => DayGroup {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  const today = new Date(year, month, day).getTime();
  const yesterday = new Date(year, month, day - 1).getTime();
  /** The last month returned, with its bounds, excluding yesterday. */
  let last = { group: { year: 0, month: 0 }, from: '', until: '' };
  return (iso) => {
    // UTC timestamps sort chronologically as strings, so in a long list few need parsing.
    if (iso >= last.from && iso < last.until && iso.endsWith('Z')) return last.group;
    const then = Date.parse(iso);
    if (then >= today) return 'today';
    if (then >= yesterday) return 'yesterday';
    const date = new Date(then);
    const group = { year: date.getFullYear(), month: date.getMonth() };
    if (group.year === last.group.year && group.month === last.group.month) return last.group;
    const next = new Date(group.year, group.month + 1, 1).getTime();
    last = {
      group,
      from: new Date(group.year, group.month, 1).toISOString(),
      until: new Date(Math.min(next, yesterday)).toISOString(),
    };
    return group;
  };
}

/** `November 2026` */
export function monthName(group: { year: number; month: number }, language: string): string {
  return dates(language, { month: 'long', year: 'numeric' }).format(
    new Date(group.year, group.month, 1),
  );
}

/** `14:05` */
export function timeOfDay(iso: string, language: string): string {
  return dates(language, { hour: 'numeric', minute: '2-digit' }).format(new Date(iso));
}

/** `21 Nov, 14:05` */
export function shortDate(iso: string, language: string): string {
  return dates(language, {
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
  }).format(new Date(iso));
}

/**
 * `21 Nov, 14:05`, with the year if it isn't the current one: `21 Nov 2025, 14:05`.
 */
export function datedEntry(iso: string, language: string, now = new Date()): string {
  const isOlder = new Date(iso).getFullYear() !== now.getFullYear();
  return dates(language, {
    day: 'numeric',
    month: 'short',
    ...(isOlder && { year: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
  }).format(new Date(iso));
}

/** `21 Nov` */
export function shortDay(iso: string, language: string): string {
  return dates(language, { day: 'numeric', month: 'short' }).format(new Date(iso));
}

/** `21 November` */
export function dayAndMonth(iso: string, language: string): string {
  return dates(language, { day: 'numeric', month: 'long' }).format(new Date(iso));
}

/** `Saturday 21 November 2026, 14:05` */
export function longDate(iso: string, language: string): string {
  return dates(language, { dateStyle: 'full', timeStyle: 'short' }).format(new Date(iso));
}

/** `21 November 2026` */
export function dayName(iso: string, language: string): string {
  return dates(language, { dateStyle: 'long' }).format(new Date(iso));
}

/** Parses a calendar day such as `2026-11-21` in UTC, so that it is the same day in every time zone. */
const ofDay = (day: string) => new Date(`${day}T00:00:00Z`);

/** `Saturday 21 November 2026`, for a day such as `2026-11-21`. */
export function calendarDay(day: string, language: string): string {
  return dates(language, { dateStyle: 'full', timeZone: 'UTC' }).format(ofDay(day));
}

/** The parts of a day such as `2026-11-21`, for a calendar leaf. */
export function dayParts(day: string, language: string) {
  const format = (options: Intl.DateTimeFormatOptions) =>
    dates(language, { ...options, timeZone: 'UTC' });
  const part = (options: Intl.DateTimeFormatOptions) => format(options).format(ofDay(day));
  const number = format({ day: 'numeric' })
    .formatToParts(ofDay(day))
    .find(({ type }) => type === 'day');
  return {
    // Omits the word for "day" that Chinese, Japanese and Korean append.
    day: number?.value ?? '',
    month: part({ month: 'short' }),
    weekday: part({ weekday: 'short' }),
    year: part({ year: 'numeric' }),
  };
}

/** An amount of money; a plain number if the currency is unknown. `currency` is ISO 4217. */
export function money(amount: number, currency: string | null, language: string): string {
  const digits = Number.isInteger(amount) ? 0 : 2;
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: Math.max(digits, 2) };
  if (currency === null) return numbers(language, fraction).format(amount);
  // Intl throws for anything that is not a currency code.
  if (!/^[A-Z]{3}$/.test(currency))
    return `${numbers(language, fraction).format(amount)} ${currency}`;
  return numbers(language, { ...fraction, style: 'currency', currency }).format(amount);
}

/**
 * A price, with the decimals customary for its currency.
 * @param amount in the currency's smallest unit, such as cents
 * @param currency ISO 4217
 */
export function price(amount: number, currency: string, language: string): string {
  const format = numbers(language, { style: 'currency', currency });
  const { maximumFractionDigits: digits = 0 } = format.resolvedOptions();
  const words = format.format(amount / 10 ** digits);
  // Isolates a price with Latin letters from left to right, so that the currency stays next to the number.
  return directionOf(language) === 'rtl' ? `\u2066${words}\u2069` : words;
}

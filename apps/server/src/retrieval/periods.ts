import { dayMs } from '../calendar.ts';
import { fold } from '../providers/analysis/builtin/folded-text.ts';
import { compilePattern, type DateWords } from '../providers/analysis/builtin/languages/data.ts';
import { languageData } from '../providers/analysis/builtin/languages/index.ts';

/** Finds the period that a question is about, such as "in March", "last week", "yesterday" or "2025". */

/** A period. Both days are inclusive and given in days since 1970-01-01. */
export interface Period {
  readonly firstDay: number;
  readonly lastDay: number;
}

type Unit = 'week' | 'month' | 'year';

/** Expressions for the previous and the current week, month and year. */
const shifts: Readonly<
  Record<string, Readonly<Record<Unit, readonly [last: string, this_: string]>>>
> = {
  ar: {
    week: ['الأسبوع (?:الماضي|الفائت)', '(?:هذا|هالأسبوع) الأسبوع'],
    month: ['الشهر (?:الماضي|الفائت)', 'هذا الشهر'],
    year: ['(?:العام|السنة) (?:الماضية?|الفائتة?)', '(?:هذا العام|هذه السنة)'],
  },
  en: {
    week: ['(?:last|previous) week', 'this week'],
    month: ['(?:last|previous) month', 'this month'],
    year: ['(?:last|previous) year', 'this year'],
  },
  es: {
    week: ['semana pasada', 'esta semana'],
    month: ['mes pasado', 'este mes'],
    year: ['año pasado', 'este año'],
  },
  fr: {
    week: ['semaine (?:dernière|passée)', 'cette semaine'],
    month: ['mois (?:dernier|passé)', 'ce mois(?:-ci)?'],
    year: ["(?:l'an|l'année) (?:dernière?|passée?)", 'cette année'],
  },
  ja: {
    week: ['先週', '今週'],
    month: ['先月', '今月'],
    year: ['去年|昨年', '今年'],
  },
  ko: {
    week: ['(?:지난|저번) ?주', '이번 ?주'],
    month: ['(?:지난|저번) ?달', '이번 ?달'],
    year: ['작년|지난해', '올해'],
  },
  pt: {
    week: ['semana passada', '(?:esta|essa|nesta|nessa) semana'],
    month: ['mês passado', '(?:este|esse|neste|nesse) mês'],
    year: ['ano passado', '(?:este|esse|neste|nesse) ano'],
  },
  ru: {
    week: ['прошл(?:ая|ой|ую) недел[яеию]', 'эт(?:а|ой|у) недел[яеию]'],
    month: ['прошл(?:ый|ом|ого) месяц(?:е|а)?', 'эт(?:от|ом|ого) месяц(?:е|а)?'],
    year: ['прошл(?:ый|ом|ого) год(?:у|а)?', 'эт(?:от|ом|ого) год(?:у|а)?'],
  },
  th: {
    week: ['(?:สัปดาห์|อาทิตย์)(?:ที่แล้ว|ก่อน)', '(?:สัปดาห์|อาทิตย์)นี้'],
    month: ['เดือน(?:ที่แล้ว|ก่อน)', 'เดือนนี้'],
    year: ['ปี(?:ที่แล้ว|ก่อน)', 'ปีนี้'],
  },
  zh: {
    week: ['上(?:个)?(?:周|星期|礼拜)', '(?:这|本)(?:个)?(?:周|星期|礼拜)'],
    month: ['上(?:个)?月', '(?:这个|本)月'],
    year: ['去年', '今年'],
  },
};

/**
 * Expressions for spring, summer, autumn and winter of the northern hemisphere, and for the hot, rainy and cool season in
 * Thai. Portuguese has none, because most of its speakers live in the southern hemisphere. Words with other meanings, such
 * as "fall", match only in time expressions.
 */
const seasonWords: Readonly<Record<string, readonly string[]>> = {
  ar: ['الربيع', 'الصيف', 'الخريف', 'الشتاء'].map(
    (word) => `(?<!\\p{L})(?:[وف]?(?:ب|في )?)${word}`,
  ),
  en: ['spring', 'summer', '(?:autumn|fall)', 'winter'].map(
    (word) =>
      `\\b(?:in(?: the)?|last|this|during(?: the)?|of|since(?: the)?|by(?: the)?) ${word}\\b`,
  ),
  es: ['primavera', 'verano', 'otoño', 'invierno'].map((word) => `\\b${word}\\b`),
  fr: [
    '\\bprintemps\\b',
    "\\b(?:l'|cet |en |d')été(?: dernier| prochain)?\\b(?! \\p{L}+(?:é|i|u|is)e?s?\\b)",
    '\\bautomne\\b',
    '\\bhiver\\b',
  ],
  ja: [...'春夏秋冬'].map(
    (word) => `(?:去年|昨年|今年|この|先)の?${word}|${word}(?:に|の間|頃|ごろ)`,
  ),
  ko: ['봄', '여름', '가을', '겨울'].map(
    (word) => `(?:지난|작년|올해|이번) ?${word}|${word}(?:에|철|방학)`,
  ),
  ru: ['весн(?:ой|ою|а|ы|у)', 'лет(?:ом|а)', 'осен(?:ью|ь|и)', 'зим(?:ой|ою|а|ы|у)'].map(
    (word) => `(?<!\\p{L})${word}(?!\\p{L})`,
  ),
  th: ['ร้อน', 'ฝน', 'หนาว'].map((word) => `(?:ฤดู|หน้า)${word}`),
  zh: [...'春夏秋冬'].map((word) => `${word}(?:天|季|日)|(?:去年|今年|前年)${word}`),
};
/** The first month (zero-based) and length in months of each season. */
const northernSeasons = [
  [2, 3],
  [5, 3],
  [8, 3],
  [11, 3],
] as const;
const thaiSeasons = [
  [2, 3],
  [5, 5],
  [10, 4],
] as const;

/** Months that are also verbs or names. They count as months only after a preposition or with a year. */
const ambiguousMonths = /^(?:may|mar(?:ch|\.)?|jan|april|june|august|julio|abril|avril)$/iu;
const beforeMonth =
  /(?<!\p{L})(?:in|of|since|during|from|last|this|until|by|en|de|desde|em|du|d['’]|au|mois de)\s*$/iu;
/** Matches a calendar year. */
const calendarYear = /(?<!\d)(?<year>20\d\d)(?!\d)/u;
/** The earliest year that counts as a date. Smaller numbers are probably amounts. */
const firstYear = 2010;

/** Languages without a space between a month and the next word. */
const unspacedLanguages: ReadonlySet<string> = new Set(['ja', 'ko', 'th', 'zh']);

interface Finder {
  readonly shifts: readonly {
    readonly pattern: RegExp;
    readonly unit: Unit;
    readonly by: 0 | -1;
  }[];
  readonly days: readonly { readonly pattern: RegExp; readonly offset: number }[];
  readonly months: readonly RegExp[];
  readonly seasons: readonly {
    readonly pattern: RegExp;
    readonly firstMonth: number;
    readonly months: number;
  }[];
}
const finders = new Map<string, Finder | null>();

function getFinder(language: string): Finder | null {
  const cached = finders.get(language);
  if (cached !== undefined) return cached;
  const { dates } = languageData(language);
  const units = shifts[language];
  const isSpaced = !unspacedLanguages.has(language);
  const finder = dates && units ? createFinder(dates, units, isSpaced, language) : null;
  finders.set(language, finder);
  return finder;
}

function createFinder(
  dates: DateWords,
  units: (typeof shifts)[string],
  isSpaced: boolean,
  language: string,
): Finder {
  const seasons = language === 'th' ? thaiSeasons : northernSeasons;
  const word = (source: string) => compilePattern(String.raw`(?<!\d)\b(?:${source})`, 'd');
  const unspaced = (source: string) =>
    compilePattern(`(?<![\\d一二三四五六七八九十])(?:${source})`, 'd');
  const compile = isSpaced ? word : unspaced;
  return {
    shifts: (['week', 'month', 'year'] as const).flatMap((unit) =>
      ([-1, 0] as const).map((by) => ({
        pattern: unspaced(units[unit][by === -1 ? 0 : 1]),
        unit,
        by,
      })),
    ),
    days: dates.relative.flatMap(([source, offset]) =>
      offset !== null && offset <= 0 ? { pattern: compile(source), offset } : [],
    ),
    months: dates.months.map((source) => compile(isSpaced ? `(?:${source})(?![\\p{L}])` : source)),
    seasons: (seasonWords[language] ?? []).flatMap((source, index) => {
      const season = seasons[index];
      return season
        ? [{ pattern: compilePattern(source, 'd'), firstMonth: season[0], months: season[1] }]
        : [];
    }),
  };
}

/**
 * Returns the period that a question mentions, or null.
 * @param languages the languages that the question may be in, most likely first
 * @param today the day of the question, in days since 1970-01-01
 */
export function findPeriod(
  question: string,
  languages: readonly string[],
  today: number,
): Period | null {
  const text = fold(question);
  const yearMatch = calendarYear.exec(text);
  const thisYear = new Date(today * dayMs).getUTCFullYear();
  const number = Number(yearMatch?.groups?.year);
  const mentionedYear = number >= firstYear && number <= thisYear ? number : null;
  for (const language of languages) {
    const finder = getFinder(language);
    if (finder === null) continue;
    const period = findIn(finder, text, mentionedYear, today);
    if (period !== null) return period;
  }
  return mentionedYear === null ? null : createMonths(mentionedYear, 0, 12);
}

function findIn(
  finder: Finder,
  text: string,
  mentionedYear: number | null,
  today: number,
): Period | null {
  const date = new Date(today * dayMs);
  const shift = finder.shifts.find(({ pattern }) => pattern.test(text));
  for (const [month, pattern] of finder.months.entries()) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const isAmbiguous = ambiguousMonths.test(match[0]) && mentionedYear === null;
    if (isAmbiguous && !beforeMonth.test(text.slice(0, match.index))) continue;
    if (mentionedYear !== null) return createMonths(mentionedYear, month, 1);
    const thisYear = date.getUTCFullYear();
    if (shift?.unit === 'year') return createMonths(thisYear + shift.by, month, 1);
    // Use the most recent month with this name that has started.
    return createMonths(month <= date.getUTCMonth() ? thisYear : thisYear - 1, month, 1);
  }
  const season = finder.seasons.find(({ pattern }) => pattern.test(text));
  if (season) {
    const { firstMonth, months } = season;
    if (mentionedYear !== null) return createMonths(mentionedYear, firstMonth, months);
    const thisYear = date.getUTCFullYear();
    if (shift?.unit === 'year') return createMonths(thisYear + shift.by, firstMonth, months);
    // As for months, use the most recent season that has started.
    return createMonths(
      firstMonth <= date.getUTCMonth() ? thisYear : thisYear - 1,
      firstMonth,
      months,
    );
  }
  if (shift !== undefined) return shiftedPeriod(shift.unit, shift.by, date);
  const day = finder.days.find(({ pattern }) => pattern.test(text));
  return day ? { firstDay: today + day.offset, lastDay: today + day.offset } : null;
}

function shiftedPeriod(unit: Unit, by: number, date: Date): Period {
  if (unit === 'year') return createMonths(date.getUTCFullYear() + by, 0, 12);
  if (unit === 'month') return createMonths(date.getUTCFullYear(), date.getUTCMonth() + by, 1);
  const today = Math.floor(date.getTime() / dayMs);
  const monday = today - ((date.getUTCDay() + 6) % 7) + 7 * by;
  return { firstDay: monday, lastDay: monday + 6 };
}

/** Returns the period of `count` months. `month` counts from 0 and may be negative. */
function createMonths(fullYear: number, month: number, count: number): Period {
  const toDay = (index: number) => Date.UTC(fullYear, index, 1) / dayMs;
  return { firstDay: toDay(month), lastDay: toDay(month + count) - 1 };
}

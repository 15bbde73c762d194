import type { Consumption } from '../../ports/membership.ts';

/** Number of days in the chart. */
export const chartDays = 30;

/** A day's minutes by language, in order of the languages' overall totals. */
export type DailyUsage = {
  /** Local midnight in ISO 8601. */
  readonly day: string;
  readonly minutes: number;
  readonly byLanguage: readonly { readonly language: string; readonly minutes: number }[];
};
export type UsageTotals = {
  readonly days: readonly DailyUsage[];
  /** Totals across all days, largest first. */
  readonly languages: readonly { readonly language: string; readonly minutes: number }[];
  readonly minutes: number;
};

/** Returns local midnight `days` days before the day of `now`. */
export function startOfDayBefore(now: Date, days: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
}

/** Adds up usage by day and language over the last {@link chartDays} days, oldest first. */
export function usageByDay(list: readonly Consumption[], now: Date): UsageTotals {
  const days = Array.from({ length: chartDays }, (_, index) => ({
    day: startOfDayBefore(now, chartDays - 1 - index).toISOString(),
    byLanguage: new Map<string, number>(),
  }));
  const byDay = new Map(days.map((each) => [each.day, each.byLanguage]));
  const all = new Map<string, number>();
  for (const { created_at, language, minutes } of list) {
    const day = byDay.get(startOfDayBefore(new Date(created_at), 0).toISOString());
    if (!day || minutes === 0) continue;
    day.set(language, (day.get(language) ?? 0) + minutes);
    all.set(language, (all.get(language) ?? 0) + minutes);
  }
  const languages = [...all]
    .map(([language, minutes]) => ({ language, minutes }))
    .sort((a, b) => b.minutes - a.minutes || (a.language < b.language ? -1 : 1));
  const sum = (several: readonly { readonly minutes: number }[]) =>
    several.reduce((total, { minutes }) => total + minutes, 0);
  return {
    days: days.map(({ day, byLanguage }) => {
      const used = languages.flatMap(({ language }) => {
        const minutes = byLanguage.get(language);
        return minutes === undefined ? [] : [{ language, minutes }];
      });
      return { day, minutes: sum(used), byLanguage: used };
    }),
    languages,
    minutes: sum(languages),
  };
}

/** Returns the minutes used and the number of recordings in the month of `now`. */
export function monthlyUsage(list: readonly Consumption[], now: Date) {
  const from = new Date(now.getFullYear(), now.getMonth(), 1).getTime();
  const charged = list.filter(
    ({ created_at, minutes }) => Date.parse(created_at) >= from && minutes > 0,
  );
  const recordings = new Set(charged.map(({ id, radio_file_id }) => radio_file_id ?? id));
  return {
    minutes: charged.reduce((total, { minutes }) => total + minutes, 0),
    recordings: recordings.size,
  };
}

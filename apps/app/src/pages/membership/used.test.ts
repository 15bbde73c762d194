import { describe, expect, it } from 'vitest';
import type { Consumption } from '../../ports/membership.ts';
import { chartDays, dayBefore, usedByDay, usedThisMonth } from './used.ts';

const now = new Date(2026, 10, 22, 15, 30);
let made = 0;
const used = (daysAgo: number, hour: number, minutes: number, language = 'en'): Consumption => {
  const day = dayBefore(now, daysAgo);
  day.setHours(hour);
  made += 1;
  return {
    id: `t${made}`,
    radio_file_id: `r${made}`,
    created_at: day.toISOString(),
    language,
    minutes,
  } as Consumption;
};

describe('usage', () => {
  it('is totaled by day and language, today last', () => {
    const { days, languages, minutes } = usedByDay(
      [used(0, 0, 3), used(0, 23, 2, 'ar'), used(0, 9, 1), used(1, 23, 7, 'ar'), used(4, 12, 0)],
      now,
    );
    expect(days).toHaveLength(chartDays);
    expect(days.at(-1)).toEqual({
      day: dayBefore(now, 0).toISOString(),
      minutes: 6,
      byLanguage: [
        { language: 'ar', minutes: 2 },
        { language: 'en', minutes: 4 },
      ],
    });
    expect(days.at(-2)).toMatchObject({ minutes: 7 });
    expect(days.at(-3)).toMatchObject({ minutes: 0, byLanguage: [] });
    expect(languages).toEqual([
      { language: 'ar', minutes: 9 },
      { language: 'en', minutes: 4 },
    ]);
    expect(minutes).toBe(13);
  });

  it('excludes entries before the first day, and includes those on it', () => {
    const { minutes, days } = usedByDay([used(chartDays, 23, 5), used(chartDays - 1, 0, 2)], now);
    expect(minutes).toBe(2);
    expect(days[0]?.minutes).toBe(2);
  });

  it('counts charged entries of this month, and each recording once', () => {
    const first = used(21, 0, 4);
    const list = [first, { ...used(3, 1, 2), radio_file_id: first.radio_file_id }, used(22, 23, 9)];
    expect(usedThisMonth([...list, used(2, 1, 0)], now)).toEqual({ minutes: 6, recordings: 1 });
  });
});

import { describe, expect, it } from 'vitest';
import type { Consumption } from '../../ports/membership.ts';
import { chartDays, monthlyUsage, startOfDayBefore, usageByDay } from './usage.ts';

const now = new Date(2026, 10, 22, 15, 30);
let nextId = 0;
const consumption = (
  daysAgo: number,
  hour: number,
  minutes: number,
  language = 'en',
): Consumption => {
  const day = startOfDayBefore(now, daysAgo);
  day.setHours(hour);
  nextId += 1;
  return {
    id: `t${nextId}`,
    radio_file_id: `r${nextId}`,
    created_at: day.toISOString(),
    language,
    minutes,
  } as Consumption;
};

describe('usage', () => {
  it('is totaled by day and language, today last', () => {
    const { days, languages, minutes } = usageByDay(
      [
        consumption(0, 0, 3),
        consumption(0, 23, 2, 'ar'),
        consumption(0, 9, 1),
        consumption(1, 23, 7, 'ar'),
        consumption(4, 12, 0),
      ],
      now,
    );
    expect(days).toHaveLength(chartDays);
    expect(days.at(-1)).toEqual({
      day: startOfDayBefore(now, 0).toISOString(),
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

  it('excludes entries before the first day and includes entries on it', () => {
    const { minutes, days } = usageByDay(
      [consumption(chartDays, 23, 5), consumption(chartDays - 1, 0, 2)],
      now,
    );
    expect(minutes).toBe(2);
    expect(days[0]?.minutes).toBe(2);
  });

  it('counts charged entries of this month, and each recording once', () => {
    const earliest = consumption(21, 0, 4);
    const list = [
      earliest,
      { ...consumption(3, 1, 2), radio_file_id: earliest.radio_file_id },
      consumption(22, 23, 9),
    ];
    expect(monthlyUsage([...list, consumption(2, 1, 0)], now)).toEqual({
      minutes: 6,
      recordings: 1,
    });
  });
});

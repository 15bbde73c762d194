import { describe, expect, it } from 'vitest';
import {
  createDayGrouper,
  dayParts,
  formatClock,
  formatDurationInSentence,
  formatEntryDate,
  formatList,
  formatMonth,
  formatPercentage,
  formatPrice,
  formatRoughDuration,
  formatSize,
  formatSpokenDuration,
} from './format.ts';

describe('clock', () => {
  it.each([
    [0, '0:00'],
    [7, '0:07'],
    [65.9, '1:05'],
    [3599, '59:59'],
    [3753, '1:02:33'],
    [-4, '0:00'],
    [Number.NaN, '0:00'],
    [Number.POSITIVE_INFINITY, '0:00'],
  ])('formats %d seconds as %s', (seconds, text) => {
    expect(formatClock(seconds, 'en')).toBe(text);
  });

  it('uses the same digits as the interface text in every region', () => {
    expect(formatClock(65, 'ar-EG')).toBe('1:05');
  });
});

describe('formatEntryDate', () => {
  const now = new Date('2026-11-24T12:00:00Z');

  it('shows the year only for other years', () => {
    expect(formatEntryDate('2026-03-02T12:00:00Z', 'en', now)).not.toContain('2026');
    expect(formatEntryDate('2025-11-24T12:00:00Z', 'en', now)).toContain('Nov 24, 2025');
    expect(formatEntryDate('2025-11-24T12:00:00Z', 'ja', now)).toContain('2025年11月24日');
  });
});

describe('durations', () => {
  it('are spelled out for screen readers', () => {
    expect(formatSpokenDuration(3665, 'en')).toBe('1 hour, 1 minute, 5 seconds');
    expect(formatSpokenDuration(0, 'en')).toBe('0 seconds');
    expect(formatSpokenDuration(59, 'ja')).toBe('59秒');
    expect(formatSpokenDuration(62, 'zh-Hans')).toBe('1分钟2秒');
  });

  it('are rounded in totals', () => {
    expect(formatRoughDuration(0, 'en')).toBe('0 min');
    expect(formatRoughDuration(2.6, 'en')).toBe('3 sec');
    expect(formatRoughDuration(60, 'en')).toBe('1 min');
    expect(formatRoughDuration(7200, 'en')).toBe('2 hr');
    expect(formatRoughDuration(3600 * 3 + 20 * 60, 'en')).toBe('3 hr 20 min');
  });
});

it('formatList joins names by the rules of the language', () => {
  expect(formatList(['Anna', 'Ben', 'Chen'], 'es')).toBe('Anna, Ben y Chen');
  expect(formatList(['Anna', 'Ben'], 'ja')).toBe('Anna、Ben');
});

describe('size', () => {
  it.each([
    [0, '0 byte'],
    [999, '999 byte'],
    [1000, '1 kB'],
    [1234, '1.2 kB'],
    [9_960, '10 kB'],
    [999_499, '999 kB'],
    [999_500, '1 MB'],
    [29e6, '29 MB'],
    [64e9, '64 GB'],
    [1.5e12, '1.5 TB'],
    [1.5e15, '1.5 PB'],
    [1.5e18, '1.5 EB'],
    [1.5e21, '1.5 ZB'],
    [1.5e24, '1.5 YB'],
    [5e27, '5,000 YB'],
    [-1, '0 byte'],
  ])('formats %d bytes as %s', (bytes, text) => {
    expect(formatSize(bytes, 'en')).toBe(text);
  });

  it.each([
    ['ru', '1,5 ГБ'],
    ['fr', '1,5 Go'],
    ['zh-Hans', '1.5 GB'],
  ])('follows the conventions of %s', (language, text) => {
    expect(formatSize(1.5e9, language).replace(/\s/, ' ')).toBe(text);
  });
});

describe('size in Arabic', () => {
  it('is isolated from the surrounding text, in either script', () => {
    for (const bytes of [41e9, 1.5e18])
      expect(formatSize(bytes, 'ar')).toMatch(/^\u2068[^\u2068\u2069]+\u2069$/);
  });
});

describe('percentage', () => {
  it('takes a percentage, not a fraction', () => {
    expect(formatPercentage(62.4, 'en')).toBe('62%');
  });
});

describe('createDayGrouper', () => {
  const getDayGroup = createDayGrouper(new Date(2026, 10, 21, 0, 30));
  const groupAt = (...[month, day, hour = 0, minute = 0]: number[]) =>
    getDayGroup(new Date(2026, month as number, day, hour, minute).toISOString());

  it('groups by calendar day, not by 24-hour period', () => {
    expect(groupAt(10, 21, 0, 1)).toBe('today');
    expect(groupAt(10, 20, 23, 59)).toBe('yesterday');
    expect(groupAt(10, 20)).toBe('yesterday');
    expect(groupAt(10, 19, 23, 59)).toBe('week');
    expect(groupAt(10, 14)).toBe('week');
    expect(groupAt(10, 13, 23, 59)).toEqual({ year: 2026, month: 10 });
  });

  it('returns the same group for all times in a month', () => {
    const march = groupAt(2, 31, 23, 59);
    expect(march).toEqual({ year: 2026, month: 2 });
    expect(groupAt(2, 1)).toBe(march);
    expect(groupAt(1, 28, 23, 59)).toEqual({ year: 2026, month: 1 });
    expect(groupAt(2, 15)).toEqual(march);
  });

  it('keeps recent days out of their month’s group, whatever the order of the calls', () => {
    expect(groupAt(10, 13, 12)).toEqual({ year: 2026, month: 10 });
    expect(groupAt(10, 14, 12)).toBe('week');
    expect(groupAt(10, 20, 0)).toBe('yesterday');
    expect(groupAt(10, 21, 0)).toBe('today');
    expect(groupAt(10, 1)).toEqual({ year: 2026, month: 10 });
  });

  it('parses timestamps with an offset from UTC', () => {
    const march = groupAt(2, 15);
    const first = new Date(2026, 2, 1);
    const before = new Date(2026, 1, 28, 23, 59);
    const formatAhead = (date: Date) =>
      `${new Date(date.getTime() + 5 * 3_600_000).toISOString().slice(0, 19)}+05:00`;
    expect(getDayGroup(formatAhead(first))).toBe(march);
    expect(getDayGroup(formatAhead(before))).toEqual({ year: 2026, month: 1 });
  });

  it('groups future days separately, because a clock may be wrong', () => {
    expect(groupAt(10, 21, 23, 59)).toBe('today');
    expect(groupAt(10, 22)).toBe('future');
  });
});

describe('price', () => {
  it.each([
    [999, 'USD', 'en', '$9.99'],
    [500, 'JPY', 'ja', '￥500'],
    [5120, 'KWD', 'en', 'KWD\u00a05.120'],
    [10, 'EUR', 'fr', '0,10\u00a0€'],
  ])('formats %d of the smallest %s unit in %s as %s', (amount, currency, language, words) => {
    expect(formatPrice(amount, currency, language)).toBe(words);
  });

  it('keeps the currency sign next to the number in Arabic text', () => {
    expect(formatPrice(999, 'USD', 'ar')).toMatch(/^\u2066.*9\.99.*US\$.*\u2069$/);
  });
});

describe('dayParts', () => {
  it.each([
    ['en', '24', 'Nov'],
    ['ja', '24', '11月'],
    ['ko', '24', '11월'],
    ['zh-Hans', '24', '11月'],
    ['ar-EG', '24', 'نوفمبر'],
  ])('returns the day and month in %s: %s, %s', (language, day, month) => {
    expect(dayParts('2026-11-24', language)).toMatchObject({ day, month });
  });
});

describe('formatMonth', () => {
  it.each([
    ['en', 'November 2026'],
    ['fr', 'Novembre 2026'],
    ['es', 'Noviembre de 2026'],
    ['pt', 'Novembro de 2026'],
    ['ru', 'Ноябрь 2026'],
    ['ja', '2026年11月'],
  ])('is a heading in %s: %s', (language, heading) => {
    expect(formatMonth({ year: 2026, month: 10 }, language)).toBe(heading);
  });
});

describe('formatDurationInSentence', () => {
  it.each([
    ['en', 2, '2 seconds'],
    ['en', 7500, '2 hours, 5 minutes'],
    ['ar', 2, 'ثانيتان'],
    ['ar', 15, '15 ثانية'],
    ['ja', 120, '2分'],
  ])('writes units in full in %s: %d seconds', (language, seconds, text) => {
    expect(formatDurationInSentence(seconds, language)).toBe(text);
  });
});

import { describe, expect, it } from 'vitest';
import { formatDay, localTime, nextLocalHour } from './calendar.ts';

describe('the next local hour', () => {
  it.each([
    ['2026-11-21T06:59:59.500Z', 8, 'Europe/Paris', '2026-11-21T07:00:00.000Z'],
    ['2026-11-21T07:00:00.000Z', 8, 'Europe/Paris', '2026-11-22T07:00:00.000Z'],
    ['2026-11-21T23:30:00.000Z', 8, 'Asia/Tokyo', '2026-11-22T23:00:00.000Z'],
    ['2026-11-21T12:00:00.000Z', 0, 'Asia/Kolkata', '2026-11-21T18:30:00.000Z'],
    // Daylight saving time starts and ends during the night in between.
    ['2026-03-28T20:00:00.000Z', 8, 'Europe/Paris', '2026-03-29T06:00:00.000Z'],
    ['2026-10-24T20:00:00.000Z', 8, 'Europe/Paris', '2026-10-25T07:00:00.000Z'],
    ['2026-12-31T23:00:00.000Z', 8, 'America/New_York', '2027-01-01T13:00:00.000Z'],
  ])('after %s at %d in %s is %s', (now, hour, timeZone, expected) => {
    expect(nextLocalHour(new Date(now), hour, timeZone).toISOString()).toBe(expected);
  });
});

it('the local day may differ from the UTC day', () => {
  expect(formatDay(localTime(new Date('2026-11-21T23:30:00Z'), 'Asia/Tokyo'))).toBe('2026-11-22');
  expect(formatDay(localTime(new Date('2026-11-21T23:30:00Z'), 'America/Lima'))).toBe('2026-11-21');
});

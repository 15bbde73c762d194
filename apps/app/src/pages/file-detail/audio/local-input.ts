/** Converts times for fields of the type `datetime-local`, whose values are in this phone's time zone. */

/** Returns the value of a field. @param time ISO 8601 in UTC */
export function toLocalInput(time: string): string {
  const date = new Date(time);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length);
}

/** Returns the time as ISO 8601 in UTC, or null if the field has no complete date of the years 1970 to 9999. */
export function fromLocalInput(value: string): string | null {
  const date = new Date(value);
  if (!/^\d{4}-/.test(value) || Number.isNaN(date.getTime()) || date.getTime() < 0) return null;
  return date.toISOString();
}

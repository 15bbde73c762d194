/** Converts times for `datetime-local` fields, whose values are in this phone's time zone. */

/**
 * Returns a field's value.
 * @param time ISO 8601 in UTC
 */
export function toLocalInput(time: string): string {
  const date = new Date(time);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length);
}

/** Returns a field's value, which must not be empty, as an ISO 8601 time in UTC. */
export const fromLocalInput = (value: string): string => new Date(value).toISOString();

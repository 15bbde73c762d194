/** Converts times for fields of the type `datetime-local`, whose values are in this phone's time zone. */

/** Returns the value of a field. @param time ISO 8601 in UTC */
export function toLocalInput(time: string): string {
  const date = new Date(time);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length);
}

/** Returns the time of a field's value, which must not be empty, as ISO 8601 in UTC. */
export const fromLocalInput = (value: string): string => new Date(value).toISOString();

import type { Row } from '../../db/database.ts';

/** Returns the UTC offset of an ISO 8601 time in minutes, or 0 if the time has no offset. */
export function utcOffset(time: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)$/.exec(time) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) || 0;
}

/** Returns the user's local time when the recording was made, as a date whose UTC fields contain the local time. */
export function ownersTime({
  recorded_at,
  utc_offset,
}: Pick<Row<'recordings'>, 'recorded_at' | 'utc_offset'>): Date {
  return new Date(recorded_at.getTime() + utc_offset * 60_000);
}

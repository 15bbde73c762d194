import type { InterfaceLanguage } from '@linnet/contract/interface-languages';
import type { Row } from '../../db/database.ts';
import { toLocale } from '../../words/index.ts';

/** The columns with the local time of a recording. */
export type RecordedTime = Pick<Row<'recordings'>, 'recorded_at' | 'utc_offset'>;

/** Returns the UTC offset of an ISO 8601 time in minutes, or 0 if the time has no offset. */
export function utcOffset(time: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)$/.exec(time) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) || 0;
}

/** Returns the local time when a recording was made, expressed as if it were UTC. */
export function toUserTime({ recorded_at, utc_offset }: RecordedTime): Date {
  return new Date(recorded_at.getTime() + utc_offset * 60_000);
}

/** Formats the time of a recording in the time zone where it was made. */
export function formatUserTime(language: InterfaceLanguage, recording: RecordedTime): string {
  return new Intl.DateTimeFormat(toLocale(language), {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(toUserTime(recording));
}

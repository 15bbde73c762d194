import type { TFunction } from 'i18next';
import { formatDayAndMonth } from './format.ts';

/** Returns a recording's name: the user's title, or else the generated title, or else the date. */
export function recordingName(
  record: { readonly title: string; readonly ai_title: string; readonly create_date: string },
  t: TFunction,
  language: string,
): string {
  return (
    record.title ||
    record.ai_title ||
    t('files.untitled', { date: formatDayAndMonth(record.create_date, language) })
  );
}

import { type RecSource, recSource } from '@linnet/contract/statuses';
import type { TFunction } from 'i18next';
import { dayAndMonth } from './format.ts';

/** What a recording is called: the owner's name, else the one found in it, else its date. */
export function nameOf(
  record: { readonly title: string; readonly ai_title: string; readonly create_date: string },
  t: TFunction,
  language: string,
): string {
  return (
    record.title ||
    record.ai_title ||
    t('files.untitled', { date: dayAndMonth(record.create_date, language) })
  );
}

/**
 * What kind of recording it is: a call, a note (meetings are notes to the recorder), or a file of sound that
 * came from elsewhere. The recorder decides that, not the owner.
 */
export function kindOf(
  { rec_source, sn }: { readonly rec_source: RecSource; readonly sn: string },
  t: TFunction,
): string {
  if (rec_source === recSource.call) return t('files.call');
  return t(sn === '' ? 'detail.importedAudio' : 'files.note');
}

import type { LocalRecord } from '@linnet/sync';
import type { TFunction } from 'i18next';
import type { ExportChoice } from '../../ports/exports.ts';
import type { Spoken } from './cues.ts';

/** The selected paragraphs with their speakers' names; null if names are omitted. */
export function spokenIn(
  record: Pick<LocalRecord, 'content' | 'speakers'>,
  choice: Pick<ExportChoice, 'speakers' | 'marked'>,
  t: TFunction,
): Spoken[] {
  return record.content
    .filter(({ is_tag, content }) => content.trim() !== '' && (!choice.marked || is_tag === 1))
    .map((paragraph) => {
      const label = choice.speakers ? paragraph.speaker : undefined;
      const speaker =
        label === undefined ? null : (record.speakers[label] ?? t('detail.speaker', { label }));
      return { paragraph, speaker };
    });
}

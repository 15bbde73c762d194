import type { LocalRecord } from '@linnet/sync';
import type { TFunction } from 'i18next';
import { speakerName } from '../../i18n/speaker-name.ts';
import type { ExportChoice } from '../../ports/exports.ts';
import type { SpokenParagraph } from './cues.ts';

/** Selects the paragraphs to export, with speaker names if requested. */
export function selectSpoken(
  record: Pick<LocalRecord, 'content' | 'speakers'>,
  choice: Pick<ExportChoice, 'speakers' | 'marked'>,
  t: TFunction,
): SpokenParagraph[] {
  return record.content
    .filter(({ is_tag, content }) => content.trim() !== '' && (!choice.marked || is_tag === 1))
    .map((paragraph) => {
      const label = choice.speakers ? paragraph.speaker : undefined;
      const speaker = label === undefined ? null : speakerName(t, label, record.speakers);
      return { paragraph, speaker };
    });
}

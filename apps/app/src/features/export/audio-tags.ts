import { TAG_SCAN_BYTES, tagAudio } from '@linnet/audio/tags';
import type { LocalRecord } from '@linnet/sync';
import type { ExportChoice } from '../../ports/exports.ts';

/** Returns the speakers that the user has named, in the order they first speak. */
function namedSpeakers({ content, speakers }: Pick<LocalRecord, 'content' | 'speakers'>): string {
  const labels = new Set(
    content.flatMap(({ speaker }) => (speaker === undefined ? [] : [speaker])),
  );
  return [...labels].flatMap((label) => speakers[label]?.trim() || []).join(', ');
}

/**
 * Adds a recording's title, speakers and date to an audio file. The samples don't change. If the file can't be tagged,
 * returns it unchanged.
 */
export async function addTags(
  file: Blob,
  title: string,
  record: Pick<LocalRecord, 'content' | 'speakers' | 'create_date'>,
  choice: Pick<ExportChoice, 'sound' | 'speakers'>,
): Promise<Blob> {
  const beginning = new Uint8Array(await file.slice(0, TAG_SCAN_BYTES).arrayBuffer());
  const tagged = tagAudio(choice.sound, beginning, {
    title,
    artist: choice.speakers ? namedSpeakers(record) : '',
    date: new Date(record.create_date),
  });
  if (!tagged) return file;
  return new Blob([tagged.head, file.slice(tagged.replacedBytes)], { type: file.type });
}

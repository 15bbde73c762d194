import type { LocalRecord, RecordWork } from '@linnet/sync';
import { summaryDocument } from '../../summary-points.ts';

/** Grows when something means another thing than before; what is only added does not count. */
const VERSION = 1;

/** Everything that is known of a recording, for programs: docs/export-json.md says what it means. */
export function jsonOf(record: LocalRecord & Pick<RecordWork, 'task'>): string {
  const document = {
    format: 'linnet.recording',
    version: VERSION,
    recording: {
      id: record.id,
      title: record.title || record.ai_title,
      recorded_at: record.create_date,
      seconds: record.record_time,
      source: record.rec_source === 2 ? 'call' : 'note',
      recorder: record.sn || null,
      language: record.task?.language ?? null,
      tags: record.tags,
      keywords: record.keywords,
      brief: record.brief,
      place: record.place,
    },
    speakers: record.speakers,
    paragraphs: record.content.map((paragraph) => ({
      id: paragraph.id,
      start: paragraph.start_time,
      end: paragraph.end_time,
      speaker: paragraph.speaker ?? null,
      text: paragraph.content,
      marked: paragraph.is_tag === 1,
      edited: paragraph.edited === true,
      words: paragraph.words ?? [],
    })),
    markers: record.markers,
    done: Object.keys(record.ticks).filter((id) => record.ticks[id]),
    summary: summaryDocument(record.summary_json),
    mind_map: record.mind_map ?? record.xmind_json,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

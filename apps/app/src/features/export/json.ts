import type { LocalRecord, RecordWork } from '@linnet/sync';
import { summaryDocument } from '../../summary-points.ts';

/** The format's version. Increment it when a field's meaning changes, but not for new fields. */
const VERSION = 1;

/** Formats all of a recording's data as JSON for other programs. The format is documented in docs/export-json.md. */
export function renderJson(record: LocalRecord & Pick<RecordWork, 'task'>): string {
  const document = {
    format: 'linnet.recording',
    version: VERSION,
    recording: {
      id: record.id,
      title: record.title || record.ai_title,
      recorded_at: record.create_date,
      seconds: record.record_time,
      type: record.scene,
      source: record.rec_source === 2 ? 'call' : 'note',
      recorder: record.sn || null,
      language: record.task?.language ?? null,
      tags: record.tags,
      archived: record.is_archived === 1,
      protected: record.is_protected === 1,
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
    notes: record.notes,
    done: Object.keys(record.ticks).filter((id) => record.ticks[id]),
    summary: summaryDocument(record.summary_json),
    mind_map: record.mind_map ?? record.xmind_json,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

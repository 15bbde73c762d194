/** Renders recordings as Markdown files, as the server does. */
import { withUtcOffset } from '@linnet/base';
import { structureHeadings } from '@linnet/contract/structures';
import { isLocal, type RecordDetail } from '@linnet/sync';
import { createNote } from '@linnet/vault/create-note';
import { type NoteHeadings, renderNote } from '@linnet/vault/note';
import type { TargetFile } from '@linnet/vault/update-file';
import type { TFunction } from 'i18next';
import { recordingName } from '../../i18n/record-name.ts';
import { summaryDocument } from '../../summary-points.ts';

export type DeviceNoteOptions = {
  readonly t: TFunction;
  /** The interface language. */
  readonly language: string;
  /** The app's origin. */
  readonly origin: string;
  /** The user's template, or null for the default template. */
  readonly template: string | null;
  /** The current time, used in the names of copies. */
  readonly now: Date;
};

type Heading = (typeof structureHeadings)[keyof typeof structureHeadings][number];
const headings: ReadonlySet<string> = new Set(Object.values(structureHeadings).flat());
const isHeading = (key: string): key is Heading => headings.has(key);

/** Returns the headings of notes, which must match the server's. */
export const noteHeadings = (t: TFunction): NoteHeadings => ({
  summary: t('export.parts.summary'),
  todos: t('export.parts.todos'),
  mindMap: t('detail.mindMap'),
  transcript: t('export.parts.transcript'),
});

/** Translates a heading of a built-in summary structure. */
export const sectionName = (t: TFunction, heading: string): string =>
  isHeading(heading) ? t(`summary.headings.${heading}`) : heading;

/** Returns whether a recording's audio is complete, that is, whether recording and transfer have ended. */
export const isComplete = (record: Pick<RecordDetail, 'is_local' | 'localfile'>): boolean =>
  record.is_local === isLocal.onServer || record.localfile !== '';

export function deviceNote(
  record: RecordDetail,
  { t, language, origin, template, now }: DeviceNoteOptions,
): TargetFile {
  const { id, tags, speakers, ticks, brief, summary } = record;
  const note = createNote(
    {
      id,
      tags,
      speakers,
      ticks,
      brief,
      summary,
      title: recordingName(record, t, language),
      date: localTime(new Date(record.create_date)).slice(0, 19),
      seconds: record.record_time,
      language: record.content.length > 0 ? (record.task?.language ?? null) : null,
      place: record.place?.name || null,
      link: `${origin}/pages/fileDetail?${new URLSearchParams({ id })}`,
      document: summaryDocument(record.summary_json),
      mindMap: record.mind_map ?? record.xmind_json ?? [],
      paragraphs: record.content,
    },
    { language, sectionName: (heading) => sectionName(t, heading) },
  );
  return {
    id,
    title: note.title,
    day: note.date.slice(0, 10),
    text: renderNote(note, noteHeadings(t), template),
    localTime: localTime(now),
  };
}

/** Returns a local time without its time zone. */
const localTime = (time: Date) => withUtcOffset(time).slice(0, 19);

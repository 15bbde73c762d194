/** Reads the current state of a recording as a note for a vault. */
import type { InterfaceLanguage } from '@linnet/contract/interface-languages';
import { createNote } from '@linnet/vault/create-note';
import type { Note, NoteHeadings } from '@linnet/vault/note';
import type { Queries } from '../../db/database.ts';
import { sectionName } from '../../transcript/section-words.ts';
import { fill, toLocale, words } from '../../words/index.ts';
import { toUserTime } from '../recording/user-time.ts';
import { displayName } from '../recording/view.ts';
import { latestTranscript } from '../task/latest-transcript.ts';

/** The result of reading a recording for a vault. */
export type NoteResult =
  /** The recording was permanently deleted. */
  | { readonly kind: 'erased' }
  /** The recording is in the recycle bin. `byRule` is true if a retention rule moved it there. */
  | { readonly kind: 'binned'; readonly byRule: boolean }
  /** `utcOffset` is the UTC offset of the user's local time, in minutes. */
  | { readonly kind: 'note'; readonly note: Note; readonly utcOffset: number };

/** Returns the translated headings used in notes. */
export function noteHeadings(language: InterfaceLanguage): NoteHeadings {
  const { share, note } = words[language];
  return { ...share, ...note };
}

/**
 * @param language the user's language, for headings and default speaker names
 * @param origin the server's public URL
 */
export async function readNote(
  queries: Queries,
  recordingId: string,
  language: InterfaceLanguage,
  origin: string,
): Promise<NoteResult> {
  const recording = await queries
    .selectFrom('recordings')
    .select(['id', 'client_flag', 'is_del', 'binned_by', 'total_time', 'recorded_at'])
    .select(['utc_offset', 'brief'])
    .select(['tags', 'place', 'speakers', 'ticks', 'mind_map', displayName.as('title')])
    .where('id', '=', recordingId)
    .executeTakeFirst();
  if (!recording) return { kind: 'erased' };
  if (recording.is_del === 1) return { kind: 'binned', byRule: recording.binned_by !== null };
  const { client_flag: flag, tags, place, speakers, ticks, brief } = recording;
  const transcript = await latestTranscript(queries, recordingId);
  const task = transcript
    ? await queries
        .selectFrom('tasks')
        .select(['summary', 'xmind_json'])
        .where('id', '=', transcript.id)
        .executeTakeFirst()
    : undefined;
  const paragraphs = transcript
    ? await queries
        .selectFrom('paragraphs')
        .select(['start_time', 'content', 'speaker', 'is_tag'])
        .where('task_id', '=', transcript.id)
        .orderBy('ordinal')
        .execute()
    : [];
  const time = toUserTime(recording);
  const createUntitledName = () =>
    fill(words[language].share.untitled, {
      date: new Intl.DateTimeFormat(toLocale(language), {
        dateStyle: 'long',
        timeZone: 'UTC',
      }).format(time),
    });
  return {
    kind: 'note',
    utcOffset: recording.utc_offset,
    note: createNote(
      {
        id: flag,
        title: recording.title.trim() || createUntitledName(),
        date: time.toISOString().slice(0, 19),
        seconds: recording.total_time,
        language: transcript?.language ?? null,
        tags,
        speakers,
        ticks,
        brief,
        paragraphs,
        place: place?.name || null,
        link: `${origin}/pages/fileDetail?${new URLSearchParams({ id: flag })}`,
        summary: task?.summary ?? '',
        document: transcript?.summary_json ?? null,
        mindMap: recording.mind_map ?? task?.xmind_json ?? [],
      },
      { language, sectionName: (heading) => sectionName(heading, language) },
    ),
  };
}

/** Creates a recording's note from its stored texts. Runs on the server and on each device. */
import { toClock } from '@linnet/base';
import type { MindNode, SummaryDocument } from '@linnet/contract';
import { wholeSeconds } from '@linnet/contract/durations';
import { speakerNameIn } from '@linnet/contract/speaker-names';
import { buildTree } from '@linnet/mind-map/tree';
import type { Note, NoteParagraph, NoteSection } from './note.ts';
import { summarySections } from './summary-sections.ts';

/** A recording with its latest results. */
export type NoteSource = Pick<Note, 'id' | 'date' | 'language' | 'tags' | 'place' | 'link'> & {
  /** The name that the app shows; not empty. */
  readonly title: string;
  /** The duration in seconds. */
  readonly seconds: number;
  readonly brief: string;
  /** The summary as plain text, used if `document` is null. */
  readonly summary: string;
  readonly document: SummaryDocument | null;
  /** Completed to-dos by their ID. */
  readonly ticks: Readonly<Record<string, boolean>>;
  readonly mindMap: readonly MindNode[];
  /** The names that the user has given to speakers, by speaker label. */
  readonly speakers: Readonly<Record<string, string>>;
  readonly paragraphs: readonly {
    /** Seconds from the start of the recording. */
    readonly start_time: number;
    readonly content: string;
    readonly speaker?: string | null | undefined;
    readonly is_tag: 0 | 1;
  }[];
};

/** The language of a note's headings and default speaker names. */
export type NoteLanguage = {
  /** BCP 47 tag. */
  readonly language: string;
  /** Translates a heading of a built-in summary structure. */
  readonly sectionName: (heading: string) => string;
};

export function createNote(source: NoteSource, { language, sectionName }: NoteLanguage): Note {
  const { document, summary, brief, speakers, ticks } = source;
  const seconds = wholeSeconds(source.seconds);
  const transcript = source.paragraphs
    .filter(({ content }) => content.trim() !== '')
    .map(
      ({ start_time, content, speaker, is_tag }): NoteParagraph => ({
        speaker:
          typeof speaker === 'string'
            ? {
                name: speakerNameIn(language, speaker, speakers),
                isNamed: Object.hasOwn(speakers, speaker) && speakers[speaker]?.trim() !== '',
              }
            : null,
        time: toClock(start_time),
        text: content,
        isMarked: is_tag === 1,
      }),
    );
  const isOwn = document?.structure === 'custom';
  const sections = summarySections({ document, summary }, brief).map(
    ({ heading, items }): NoteSection => ({
      heading: isOwn ? heading : sectionName(heading),
      points: items.map(({ text }) => text),
    }),
  );
  return {
    ...{ id: source.id, date: source.date, language: source.language, tags: source.tags },
    ...{ place: source.place, link: source.link, transcript },
    title: source.title.replace(/\s+/g, ' ').trim(),
    duration: { seconds, text: toClock(seconds) },
    people: [
      ...new Set(transcript.flatMap(({ speaker }) => (speaker?.isNamed ? [speaker.name] : []))),
    ],
    summary: [...(brief === '' ? [] : [{ heading: null, points: [brief] }]), ...sections],
    todos: (document?.todos ?? []).map(({ id, text, who, when, due }) => ({
      text,
      details: [who, due ?? when].flatMap((detail) => detail || []),
      done: ticks[id] === true,
    })),
    mindMap: buildTree(source.mindMap),
  };
}

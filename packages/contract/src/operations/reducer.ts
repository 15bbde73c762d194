import type { Marker, MindNode, Note, Paragraph, Place, UnplacedChange } from '../calls.ts';
import { type SpokenLanguage, toSpokenLanguage } from '../languages.ts';
import { toVocabularyEntry } from '../vocabulary.ts';
import type { ParagraphEdit, RecordingEdit } from './edits.ts';

/** The fields of a recording that can be edited. */
export type EditableFields = {
  /** The user's name for the recording. If it's empty, the app shows the generated title. */
  readonly name: string;
  readonly tags: readonly string[];
  /** When the recording was made, as ISO 8601 in UTC with milliseconds. */
  readonly recorded_at: string;
  readonly place: Place | null;
  /** The language spoken in the recording, or null for the account's language. */
  readonly language: SpokenLanguage | null;
  /** Names and terms that speech recognition looks for in the recording, in the order they were added. */
  readonly words: readonly string[];
  /** Speaker names, keyed by the speaker's label in the transcript. */
  readonly speakers: Readonly<Record<string, string>>;
  /** Names proposed for unnamed speakers, keyed by the speaker's label in the transcript. */
  readonly proposals: Readonly<Record<string, string>>;
  /** The markers, sorted by time. */
  readonly markers: readonly Marker[];
  /** The typed notes, sorted by time. */
  readonly notes: readonly Note[];
  /** Completed to-dos, keyed by their ID in the summary. */
  readonly ticks: Readonly<Record<string, boolean>>;
  /** The user's edited mind map, or null to show the generated one. */
  readonly mind_map: readonly MindNode[] | null;
  /** Changes the user made to earlier transcripts that couldn't be applied to the latest transcript. */
  readonly unplaced: readonly UnplacedChange[];
  /** 1 if the recording is in the recycle bin. */
  readonly is_del: 0 | 1;
  /** 1 if the recording is archived, and so hidden from the list. */
  readonly is_archived: 0 | 1;
  /** 1 if the recording is protected: retention rules never move it to the recycle bin. */
  readonly is_protected: 0 | 1;
};

/** Fields that hold collections, edited one entry at a time. */
export type CollectionFields = Pick<
  EditableFields,
  'tags' | 'words' | 'markers' | 'notes' | 'speakers' | 'ticks' | 'unplaced'
>;

/** The fields of a recording that determine the effect of an edit. */
export type EditedFields = CollectionFields & Pick<EditableFields, 'proposals'>;

/** The paragraph field set by an edit. A null speaker removes the label. */
export type ParagraphChange =
  | Pick<Paragraph, 'content'>
  | Pick<Paragraph, 'is_tag'>
  | { readonly speaker: string | null };

/** Returns the new values of the fields that an edit changes, or an empty object if it changes none. */
export function editRecording(
  { tags, words, markers, notes, speakers, proposals, ticks, unplaced }: EditedFields,
  edit: RecordingEdit,
): Partial<EditableFields> {
  switch (edit.type) {
    case 'recording.rename':
      return { name: edit.name.trim() };
    case 'recording.tag':
      return toggleInList(tags, edit.tag.trim(), edit.on, (changed) => ({ tags: changed }));
    case 'recording.word': {
      const word = toVocabularyEntry(edit.word);
      return word === null
        ? {}
        : toggleInList(words, word, edit.on, (changed) => ({ words: changed }));
    }
    case 'recording.date':
      return { recorded_at: new Date(edit.recorded_at).toISOString() };
    case 'recording.place':
      return { place: edit.place };
    case 'recording.language': {
      const language = edit.language === null ? null : toSpokenLanguage(edit.language);
      return language === undefined ? {} : { language };
    }
    case 'recording.speaker':
      return {
        speakers: withEntry(speakers, edit.speaker, edit.name.trim() || undefined),
        // Setting a name resolves the proposal. Older apps dismiss a proposal by setting an empty name.
        ...withoutProposal(proposals, edit.speaker),
      };
    case 'recording.dismissProposal':
      return withoutProposal(proposals, edit.speaker);
    case 'recording.marker':
      return { markers: withItem(markers, edit.marker, edit.value) };
    case 'recording.note':
      return { notes: withItem(notes, edit.note, edit.value) };
    case 'recording.tick':
      return { ticks: withEntry(ticks, edit.item, edit.done || undefined) };
    case 'recording.mindMap':
      return { mind_map: edit.mind_map };
    case 'recording.dismiss': {
      const others = unplaced.filter(({ id }) => id !== edit.item);
      const restored = edit.restored ? [{ ...edit.restored, id: edit.item }] : [];
      return { unplaced: [...others, ...restored] };
    }
    case 'recording.archive':
      return { is_archived: edit.on ? 1 : 0 };
    case 'recording.protect':
      return { is_protected: edit.on ? 1 : 0 };
    case 'recording.bin':
      return { is_del: 1 };
    case 'recording.recover':
      return { is_del: 0 };
  }
}

/** Returns the fields that an edit sets in its paragraph. */
export function editParagraph(edit: ParagraphEdit): ParagraphChange {
  switch (edit.type) {
    case 'paragraph.edit':
      return { content: edit.content };
    case 'paragraph.mark':
      return { is_tag: edit.is_tag };
    case 'paragraph.speaker':
      return { speaker: edit.speaker };
  }
}

/** Adds a string to a list, or removes it. Adding a string that is already in the list changes nothing. */
function toggleInList(
  texts: readonly string[],
  text: string,
  isOn: boolean,
  toFields: (texts: readonly string[]) => Partial<EditableFields>,
): Partial<EditableFields> {
  if (!isOn) return toFields(texts.filter((each) => each !== text));
  return texts.includes(text) ? {} : toFields([...texts, text]);
}

/** Removes the proposal for a speaker. Returns an empty object, which means no change, if there is no such proposal. */
function withoutProposal(
  proposals: EditableFields['proposals'],
  speaker: string,
): Partial<EditableFields> {
  return Object.hasOwn(proposals, speaker)
    ? { proposals: withEntry(proposals, speaker, undefined) }
    : {};
}

/**
 * Returns a copy of a map with one entry set, or removed if `value` is undefined. Safe for any key, even
 * `__proto__`.
 */
function withEntry<Value>(
  map: Readonly<Record<string, Value>>,
  key: string,
  value: Value | undefined,
): Readonly<Record<string, Value>> {
  const entries = new Map(Object.entries(map));
  if (value === undefined) entries.delete(key);
  else entries.set(key, value);
  return Object.fromEntries(entries);
}

/** Returns a copy of a list, sorted by time, with one item set, or removed if `value` is null. */
function withItem<Item extends { readonly id: string; readonly time: number }>(
  items: readonly Item[],
  id: string,
  value: Item | null,
): readonly Item[] {
  const others = items.filter((each) => each.id !== id);
  const edited = value === null ? [] : [{ ...value, id }];
  return [...others, ...edited].sort(byTime);
}

function byTime(a: Pick<Marker, 'id' | 'time'>, b: Pick<Marker, 'id' | 'time'>): number {
  return a.time - b.time || (a.id < b.id ? -1 : 1);
}

import type { Marker } from '@linnet/contract';
import type { CodeName } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import type { Updateable } from 'kysely';
import type { Row } from '../../db/database.ts';
import type { Tables } from '../../db/schema.ts';
import type { ParagraphAct, RecordingAct } from './operation.ts';

/** The columns to set, or why that cannot be. */
export type Patch<Table extends 'recordings' | 'paragraphs'> =
  | { readonly set: Updateable<Tables[Table]> }
  | { readonly refusal: CodeName };

/** What an act makes of a recording. */
export function patchRecording(
  act: RecordingAct,
  row: Row<'recordings'>,
  now: Date,
): Patch<'recordings'> {
  switch (act.type) {
    case 'recording.rename':
      return { set: { name: act.name } };
    case 'recording.tag': {
      const others = row.tags.filter((tag) => tag !== act.tag);
      if (!act.on) return { set: { tags: JSON.stringify(others) } };
      // Given again, a tag keeps its place.
      if (others.length < row.tags.length) return { set: {} };
      if (others.length >= limits.recording.tags) return { refusal: 'badRequest' };
      return { set: { tags: JSON.stringify([...others, act.tag]) } };
    }
    case 'recording.place':
      return { set: { place: orNull(act.place) } };
    case 'recording.speaker':
      return entry('speakers', row.speakers, act.speaker, act.name === '' ? null : act.name);
    case 'recording.tick':
      return entry('ticks', row.ticks, act.item, act.done ? true : null);
    case 'recording.marker': {
      const others = row.markers.filter(({ id }) => id !== act.marker);
      const markers = act.value === null ? others : [...others, { ...act.value, id: act.marker }];
      if (markers.length > limits.recording.markers) return { refusal: 'badRequest' };
      return { set: { markers: JSON.stringify(markers.sort(byTime)) } };
    }
    case 'recording.mindMap':
      return { set: { mind_map: orNull(act.mind_map) } };
    case 'recording.bin':
      return { set: { is_del: 1, binned_at: now } };
    case 'recording.recover':
      return { set: { is_del: 0, binned_at: null } };
  }
}

/** What an act makes of a paragraph. */
export function patchParagraph(act: ParagraphAct, row: Row<'paragraphs'>): Patch<'paragraphs'> {
  switch (act.type) {
    case 'paragraph.edit':
      return { set: { content: act.content, original: row.original ?? row.content } };
    case 'paragraph.mark':
      return { set: { is_tag: act.is_tag } };
    case 'paragraph.speaker':
      return { set: { speaker: act.speaker } };
  }
}

const byTime = (a: Marker, b: Marker) => a.time - b.time || (a.id < b.id ? -1 : 1);

const orNull = (value: object | null) => (value === null ? null : JSON.stringify(value));

/** Sets one entry of a map, or takes it away. */
function entry(
  column: 'speakers' | 'ticks',
  map: Readonly<Record<string, unknown>>,
  key: string,
  value: string | true | null,
): Patch<'recordings'> {
  const entries = new Map(Object.entries(map));
  if (value === null) entries.delete(key);
  else entries.set(key, value);
  if (entries.size > limits.recording[column]) return { refusal: 'badRequest' };
  return { set: { [column]: JSON.stringify(Object.fromEntries(entries)) } };
}

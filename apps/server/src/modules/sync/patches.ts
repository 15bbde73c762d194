import type { Marker } from '@linnet/contract';
import type { CodeName } from '@linnet/contract/codes';
import type { GrowingParts } from '@linnet/contract/operation-limits';
import { exceededPart } from '@linnet/contract/operation-limits';
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
      const tags = [...others, act.tag];
      return fits(row, { tags }) ?? { set: { tags: JSON.stringify(tags) } };
    }
    case 'recording.place':
      return { set: { place: orNull(act.place) } };
    case 'recording.speaker':
      return entry(row, 'speakers', act.speaker, act.name === '' ? null : act.name);
    case 'recording.tick':
      return entry(row, 'ticks', act.item, act.done ? true : null);
    case 'recording.marker': {
      const others = row.markers.filter(({ id }) => id !== act.marker);
      const markers = act.value === null ? others : [...others, { ...act.value, id: act.marker }];
      return fits(row, { markers }) ?? { set: { markers: JSON.stringify(markers.sort(byTime)) } };
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

/** @returns why a recording cannot hold what is changed; null when it can */
function fits(row: GrowingParts, changed: Partial<GrowingParts>): Patch<'recordings'> | null {
  const [part] = Object.keys(changed);
  // A recording that holds too much of something else already can still be changed.
  return exceededPart({ ...row, ...changed }) === part ? { refusal: 'recordingFull' } : null;
}

/** Sets one entry of a map, or takes it away. */
function entry(
  row: Row<'recordings'>,
  column: 'speakers' | 'ticks',
  key: string,
  value: string | true | null,
): Patch<'recordings'> {
  const entries = new Map<string, string | true>(Object.entries(row[column]));
  if (value === null) entries.delete(key);
  else entries.set(key, value);
  const after = Object.fromEntries(entries);
  return fits(row, { [column]: after }) ?? { set: { [column]: JSON.stringify(after) } };
}

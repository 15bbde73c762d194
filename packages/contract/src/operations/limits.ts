import { limits } from '../limits.ts';
import type { Edit } from './edits.ts';
import type { CollectionFields, EditableFields } from './reducer.ts';

/**
 * A limit that an edit can exceed: the number of entries in a field, the number of nodes in a mind map, or the length
 * of a string.
 */
export type EditLimit = keyof CollectionFields | 'mindMap' | 'text';

const entryLimits = {
  tags: limits.recording.tags,
  words: limits.recording.words,
  markers: limits.recording.markers,
  notes: limits.recording.notes,
  speakers: limits.recording.speakers,
  ticks: limits.recording.ticks,
  unplaced: limits.recording.unplaced,
} satisfies Record<keyof CollectionFields, number>;

const collectionFields = [
  'tags',
  'words',
  'markers',
  'notes',
  'speakers',
  'ticks',
  'unplaced',
] as const;

/**
 * Returns the field that a change would grow beyond its limit in {@link limits}, or null. A field that already exceeds
 * its limit may shrink or stay the same size. Phones check this before accepting an edit, the server before applying an
 * operation.
 */
export function exceededByChange(
  before: CollectionFields,
  change: Partial<EditableFields>,
): keyof CollectionFields | null {
  for (const name of collectionFields) {
    const changedValue = change[name];
    if (changedValue === undefined) continue;
    const size = countEntries(changedValue);
    if (size > entryLimits[name] && size > countEntries(before[name])) return name;
  }
  return null;
}

/**
 * Returns the limit that an edit exceeds regardless of its target, or null. The lengths must match the `operation`
 * schema, which the app doesn't load.
 */
export function exceededByEdit(edit: Edit): EditLimit | null {
  const { recording, paragraph, setting } = limits;
  switch (edit.type) {
    case 'recording.rename':
      return textLimit(edit.name.trim(), recording.nameMaxLength);
    case 'recording.tag':
      return textLimit(edit.tag.trim(), recording.tagMaxLength);
    case 'recording.word':
      return textLimit(edit.word.trim(), limits.vocabulary.entryMaxLength);
    case 'recording.place':
      return textLimit(edit.place?.name, recording.nameMaxLength);
    case 'recording.speaker':
      return (
        textLimit(edit.speaker, recording.speakerMaxLength) ??
        textLimit(edit.name.trim(), recording.speakerMaxLength)
      );
    case 'recording.dismissProposal':
      return textLimit(edit.speaker, recording.speakerMaxLength);
    case 'recording.marker':
      return textLimit(edit.value?.label, recording.nameMaxLength);
    case 'recording.note':
      return textLimit(edit.value?.text, recording.noteMaxLength);
    case 'recording.mindMap': {
      const nodes = edit.mind_map ?? [];
      if (nodes.length > recording.mindNodes) return 'mindMap';
      return nodes.some(({ topic }) => topic.length > recording.topicMaxLength) ? 'text' : null;
    }
    case 'recording.dismiss':
      return textLimit(edit.restored?.text, recording.unplacedMaxLength);
    case 'paragraph.edit':
      return textLimit(edit.content, paragraph.contentMaxLength);
    case 'paragraph.speaker':
      return textLimit(edit.speaker, recording.speakerMaxLength);
    case 'setting.set':
      return textLimit(edit.config_value, setting.valueMaxLength);
    case 'recording.date':
    case 'recording.language':
    case 'recording.tick':
    case 'recording.archive':
    case 'recording.protect':
    case 'recording.bin':
    case 'recording.recover':
    case 'recording.delete':
    case 'paragraph.mark':
      return null;
  }
}

function textLimit(text: string | null | undefined, maxLength: number): 'text' | null {
  return (text?.length ?? 0) > maxLength ? 'text' : null;
}

function countEntries(field: readonly unknown[] | Readonly<Record<string, unknown>>): number {
  return Object.keys(field).length;
}

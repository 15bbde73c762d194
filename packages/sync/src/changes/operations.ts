import type { Marker, Operation, Paragraph } from '@linnet/contract';
import { v7 as uuidv7 } from 'uuid';
import { isDel, type LocalRecord } from '../record.ts';

/** What every operation carries beside what it does. */
type Head = 'op_id' | 'base_rev' | 'at';
type WithoutHead<Each> = Each extends unknown ? Omit<Each, Head> : never;

/** What an owner does: an operation before it has an id, a time, and what was seen before it. */
export type Act = WithoutHead<Operation>;
export type ParagraphOperation = Extract<Operation, { type: `paragraph.${string}` }>;
export type SettingOperation = Extract<Operation, { type: 'setting.set' }>;
/** Operations that change a recording in place. */
export type RecordOperation = Exclude<
  Operation,
  ParagraphOperation | SettingOperation | { type: 'recording.delete' }
>;

/** What an owner may change of a record, its paragraphs apart. */
export type Editable = Pick<
  LocalRecord,
  'title' | 'tags' | 'place' | 'speakers' | 'markers' | 'ticks' | 'mind_map' | 'is_del'
>;

/**
 * Makes an operation of what an owner did.
 * @param seen the latest revision up to which everything was seen
 * @param at ISO-8601, UTC
 */
export function toOperation(act: Act, seen: number, at: string): Operation {
  return { ...act, op_id: uuidv7(), base_rev: seen, at };
}

export function isOfRecord(op: Operation): op is RecordOperation {
  return op.type.startsWith('recording.') && op.type !== 'recording.delete';
}

export function isOfParagraph(op: Operation): op is ParagraphOperation {
  return op.type.startsWith('paragraph.');
}

/** The recording that is meant, or null for a setting. */
export function recordingOf(op: Operation): string | null {
  return op.type === 'setting.set' ? null : op.recording;
}

/** What an operation makes of a record, here as on the server. */
export function applyToRecord(record: Editable, op: RecordOperation): Editable {
  switch (op.type) {
    case 'recording.rename':
      return { ...record, title: op.name.trim() };
    case 'recording.tag':
      return { ...record, tags: withTag(record.tags, op.tag.trim(), op.on) };
    case 'recording.place':
      return { ...record, place: op.place };
    case 'recording.speaker': {
      const name = op.name.trim();
      const speakers = withEntry(record.speakers, op.speaker, name === '' ? undefined : name);
      return { ...record, speakers };
    }
    case 'recording.marker': {
      const others = record.markers.filter(({ id }) => id !== op.marker);
      const markers = op.value === null ? others : [...others, { ...op.value, id: op.marker }];
      return { ...record, markers: markers.sort(byTime) };
    }
    case 'recording.tick':
      return { ...record, ticks: withEntry(record.ticks, op.item, op.done ? true : undefined) };
    case 'recording.mindMap':
      return { ...record, mind_map: op.mind_map };
    case 'recording.bin':
      return { ...record, is_del: isDel.binned };
    case 'recording.recover':
      return { ...record, is_del: isDel.kept };
  }
}

/** What an operation makes of its paragraph, here as on the server. */
export function applyToParagraph(paragraph: Paragraph, op: ParagraphOperation): Paragraph {
  switch (op.type) {
    case 'paragraph.edit':
      return { ...paragraph, content: op.content, edited: true };
    case 'paragraph.mark':
      return { ...paragraph, is_tag: op.is_tag };
    case 'paragraph.speaker': {
      const { speaker: _, ...rest } = paragraph;
      return op.speaker === null ? rest : { ...rest, speaker: op.speaker };
    }
  }
}

/** What the server has of a record, and on top of it what it was not told yet. */
export function rebaseRecord(base: Editable, pending: readonly Operation[]): Editable {
  return pending.filter(isOfRecord).reduce(applyToRecord, base);
}

/** What the server has of a paragraph, and on top of it what it was not told yet. */
export function rebaseParagraph(base: Paragraph, pending: readonly Operation[]): Paragraph {
  return pending
    .filter(isOfParagraph)
    .filter(({ paragraph }) => paragraph === base.id)
    .reduce(applyToParagraph, base);
}

/** A tag that is given again keeps its place. */
function withTag(tags: readonly string[], tag: string, on: boolean): readonly string[] {
  if (!on) return tags.filter((each) => each !== tag);
  return tags.includes(tag) ? tags : [...tags, tag];
}

/** Sets one entry, or takes it away. */
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

function byTime(a: Marker, b: Marker): number {
  return a.time - b.time || (a.id < b.id ? -1 : 1);
}

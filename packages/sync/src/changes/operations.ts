import type { Operation, Paragraph } from '@linnet/contract';
import {
  type Edit,
  type EditableFields,
  editParagraph,
  editRecording,
  isParagraphEdit,
  isRecordingEdit,
  type ParagraphEdit,
  type RecordingEdit,
} from '@linnet/contract/operations';
import { v7 as uuidv7 } from 'uuid';
import type { LocalRecord } from '../record.ts';

/** The record fields that edits can change, except the paragraphs. */
export type Editable = Pick<
  LocalRecord,
  'title' | 'create_date' | Exclude<keyof EditableFields, 'name' | 'recorded_at'>
>;

/**
 * Creates the operation that sends an edit to the server.
 * @param seen the revision up to which this phone has applied all server changes
 * @param at ISO 8601, UTC
 */
export function toOperation(edit: Edit, seen: number, at: string): Operation {
  return { ...edit, op_id: uuidv7(), base_rev: seen, at };
}

/** Applies an edit to a record exactly as the server does. */
export function applyToRecord(record: Editable, edit: RecordingEdit): Editable {
  const {
    name: title = record.title,
    recorded_at: create_date = record.create_date,
    ...change
  } = editRecording(record, edit);
  return { ...record, title, create_date, ...change };
}

/** Applies an edit to its paragraph exactly as the server does. */
export function applyToParagraph(paragraph: Paragraph, edit: ParagraphEdit): Paragraph {
  const change = editParagraph(edit);
  if ('content' in change) return { ...paragraph, ...change, edited: true };
  if ('is_tag' in change) return { ...paragraph, ...change };
  const { speaker: _, ...rest } = paragraph;
  return change.speaker === null ? rest : { ...rest, speaker: change.speaker };
}

/** Applies pending operations to a confirmed record. */
export function rebaseRecord(base: Editable, pending: readonly Operation[]): Editable {
  return pending.filter(isRecordingEdit).reduce(applyToRecord, base);
}

/** Applies pending operations to a confirmed paragraph. */
export function rebaseParagraph(base: Paragraph, pending: readonly Operation[]): Paragraph {
  return pending
    .filter(isParagraphEdit)
    .filter(({ paragraph }) => paragraph === base.id)
    .reduce(applyToParagraph, base);
}

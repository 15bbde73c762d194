import type { Operation } from '../calls.ts';

type Head = 'op_id' | 'base_rev' | 'at';
type WithoutHead<Each> = Each extends unknown ? Omit<Each, Head> : never;

/** The change that an operation makes: the operation without its ID, base revision and time. */
export type Edit = WithoutHead<Operation>;
export type ParagraphEdit = Extract<Edit, { type: `paragraph.${string}` }>;
export type SettingEdit = Extract<Edit, { type: 'setting.set' }>;
/** An edit that changes a recording without deleting it. */
export type RecordingEdit = Exclude<
  Edit,
  ParagraphEdit | SettingEdit | { type: 'recording.delete' }
>;

export function isRecordingEdit<Each extends Edit>(
  edit: Each,
): edit is Extract<Each, RecordingEdit> {
  return edit.type.startsWith('recording.') && edit.type !== 'recording.delete';
}

export function isParagraphEdit<Each extends Edit>(
  edit: Each,
): edit is Extract<Each, ParagraphEdit> {
  return edit.type.startsWith('paragraph.');
}

/** Returns the `client_flag` of the recording that an edit changes, or null for a setting. */
export function editedRecording(edit: Edit): string | null {
  return edit.type === 'setting.set' ? null : edit.recording;
}

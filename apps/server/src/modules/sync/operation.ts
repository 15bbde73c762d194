import type { CallInput } from '@linnet/contract';

/** One thing an owner did, as the contract's schemas checked it. */
export type CheckedOperation = CallInput<'sync/apply'>['ops'][number];
type Head = 'op_id' | 'base_rev' | 'at';
type WithoutHead<Op> = Op extends unknown ? Omit<Op, Head> : never;
/** What is to be done, before it is known by which operation. */
export type Act = WithoutHead<CheckedOperation>;
type OfType<Op, Type extends string> = Op extends { readonly type: infer T }
  ? T extends Type
    ? Op
    : never
  : never;
/** Acts that change a recording in place. */
export type RecordingAct = OfType<
  Act,
  Exclude<Extract<Act['type'], `recording.${string}`>, 'recording.delete'>
>;
export type ParagraphAct = OfType<Act, `paragraph.${string}`>;
export type SettingAct = OfType<Act, 'setting.set'>;

/**
 * The name of what an act changes. Two acts meet only in the same register; the last one applied there
 * is its present value.
 */
export function registerOf(act: Act): string {
  switch (act.type) {
    case 'recording.rename':
      return ofRecording(act.recording, 'name');
    case 'recording.tag':
      return ofRecording(act.recording, 'tag', act.tag);
    case 'recording.place':
      return ofRecording(act.recording, 'place');
    case 'recording.speaker':
      return ofRecording(act.recording, 'speaker', act.speaker);
    case 'recording.marker':
      return ofRecording(act.recording, 'marker', act.marker);
    case 'recording.tick':
      return ofRecording(act.recording, 'tick', act.item);
    case 'recording.mindMap':
      return ofRecording(act.recording, 'mindMap');
    case 'recording.bin':
    case 'recording.recover':
    case 'recording.delete':
      return ofRecording(act.recording, 'life');
    case 'paragraph.edit':
      return contentRegister(act.recording, act.paragraph);
    case 'paragraph.mark':
      return ofParagraph(act.recording, act.paragraph, 'mark');
    case 'paragraph.speaker':
      return ofParagraph(act.recording, act.paragraph, 'speaker');
    case 'setting.set':
      return path('setting', act.group_name, act.config_key);
  }
}

/** The register of a paragraph's text: its operations are the paragraph's history. */
export function contentRegister(clientFlag: string, paragraphId: string): string {
  return ofParagraph(clientFlag, paragraphId, 'content');
}

/** What every register of a recording begins with, and no other's. */
export function registersOf(clientFlag: string): string {
  return `${path('recording', clientFlag)}/`;
}

const ofRecording = (clientFlag: string, ...rest: string[]) =>
  `${registersOf(clientFlag)}${path(...rest)}`;

/** An id is the same id however it is spelled. */
const ofParagraph = (clientFlag: string, paragraphId: string, what: string) =>
  ofRecording(clientFlag, 'paragraph', paragraphId.toLowerCase(), what);

/** Names come from outside: encoded, none of them reaches into another's register. */
const path = (...names: string[]) => names.map(encodeURIComponent).join('/');

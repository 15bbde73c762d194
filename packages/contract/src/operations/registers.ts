import type { Edit } from './edits.ts';

/**
 * Returns the register that an edit writes to. A register is the smallest unit of conflict, such as a recording's name:
 * edits conflict only if they write to the same register, and the last applied edit wins.
 */
export function registerOf(edit: Edit): string {
  switch (edit.type) {
    case 'recording.rename':
      return ofRecording(edit.recording, 'name');
    case 'recording.tag':
      return ofRecording(edit.recording, 'tag', edit.tag);
    case 'recording.word':
      return ofRecording(edit.recording, 'word', edit.word);
    case 'recording.date':
      return ofRecording(edit.recording, 'date');
    case 'recording.place':
      return ofRecording(edit.recording, 'place');
    case 'recording.language':
      return ofRecording(edit.recording, 'language');
    case 'recording.speaker':
      return ofRecording(edit.recording, 'speaker', edit.speaker);
    case 'recording.dismissProposal':
      return ofRecording(edit.recording, 'proposal', edit.speaker);
    case 'recording.marker':
      return ofRecording(edit.recording, 'marker', edit.marker);
    case 'recording.note':
      return ofRecording(edit.recording, 'note', edit.note);
    case 'recording.tick':
      return ofRecording(edit.recording, 'tick', edit.item);
    case 'recording.mindMap':
      return ofRecording(edit.recording, 'mindMap');
    case 'recording.dismiss':
      return ofRecording(edit.recording, 'unplaced', edit.item);
    case 'recording.archive':
      return ofRecording(edit.recording, 'archive');
    case 'recording.protect':
      return ofRecording(edit.recording, 'protect');
    case 'recording.bin':
    case 'recording.recover':
    case 'recording.delete':
      return ofRecording(edit.recording, 'life');
    case 'paragraph.edit':
      return contentRegister(edit.recording, edit.paragraph);
    case 'paragraph.mark':
      return ofParagraph(edit.recording, edit.paragraph, 'mark');
    case 'paragraph.speaker':
      return ofParagraph(edit.recording, edit.paragraph, 'speaker');
    case 'setting.set':
      return path('setting', edit.group_name, edit.config_key);
  }
}

/** Returns the register of a paragraph's text. Operations on this register make up the paragraph's history. */
export function contentRegister(clientFlag: string, paragraphId: string): string {
  return ofParagraph(clientFlag, paragraphId, 'content');
}

/** Returns the prefix of a recording's registers. No other register has this prefix. */
export function registersOf(clientFlag: string): string {
  return `${path('recording', clientFlag)}/`;
}

const ofRecording = (clientFlag: string, ...rest: string[]) =>
  `${registersOf(clientFlag)}${path(...rest)}`;

/** Returns the register of a paragraph's field. Paragraph IDs are case-insensitive. */
const ofParagraph = (clientFlag: string, paragraphId: string, field: string) =>
  ofRecording(clientFlag, 'paragraph', paragraphId.toLowerCase(), field);

/** Joins names to a path. Names may be user input, so they are encoded to keep registers unambiguous. */
const path = (...names: string[]) => names.map(encodeURIComponent).join('/');

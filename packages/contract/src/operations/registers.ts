import type { Edit } from './edits.ts';

/**
 * Returns the register that an edit writes to. A register is the smallest unit of conflict, such as a recording's name:
 * edits conflict only if they write to the same register, and the last applied edit wins.
 */
export function getRegister(edit: Edit): string {
  switch (edit.type) {
    case 'recording.rename':
      return recordingRegister(edit.recording, 'name');
    case 'recording.tag':
      return recordingRegister(edit.recording, 'tag', edit.tag);
    case 'recording.word':
      return recordingRegister(edit.recording, 'word', edit.word);
    case 'recording.date':
      return recordingRegister(edit.recording, 'date');
    case 'recording.place':
      return recordingRegister(edit.recording, 'place');
    case 'recording.language':
      return recordingRegister(edit.recording, 'language');
    case 'recording.speaker':
      return recordingRegister(edit.recording, 'speaker', edit.speaker);
    case 'recording.dismissProposal':
      return recordingRegister(edit.recording, 'proposal', edit.speaker);
    case 'recording.marker':
      return recordingRegister(edit.recording, 'marker', edit.marker);
    case 'recording.note':
      return recordingRegister(edit.recording, 'note', edit.note);
    case 'recording.tick':
      return recordingRegister(edit.recording, 'tick', edit.item);
    case 'recording.mindMap':
      return recordingRegister(edit.recording, 'mindMap');
    case 'recording.dismiss':
      return recordingRegister(edit.recording, 'unplaced', edit.item);
    case 'recording.archive':
      return recordingRegister(edit.recording, 'archive');
    case 'recording.protect':
      return recordingRegister(edit.recording, 'protect');
    case 'recording.bin':
    case 'recording.recover':
    case 'recording.delete':
      return recordingRegister(edit.recording, 'life');
    case 'paragraph.edit':
      return contentRegister(edit.recording, edit.paragraph);
    case 'paragraph.mark':
      return paragraphRegister(edit.recording, edit.paragraph, 'mark');
    case 'paragraph.speaker':
      return paragraphRegister(edit.recording, edit.paragraph, 'speaker');
    case 'setting.set':
      return path('setting', edit.group_name, edit.config_key);
  }
}

/** Returns the register of a paragraph's text. Operations on this register make up the paragraph's history. */
export function contentRegister(clientFlag: string, paragraphId: string): string {
  return paragraphRegister(clientFlag, paragraphId, 'content');
}

/** Returns the prefix of a recording's registers. No other register has this prefix. */
export function getRegisterPrefix(clientFlag: string): string {
  return `${path('recording', clientFlag)}/`;
}

const recordingRegister = (clientFlag: string, ...rest: string[]) =>
  `${getRegisterPrefix(clientFlag)}${path(...rest)}`;

/** Returns the register of a paragraph's field. Paragraph IDs are case-insensitive. */
const paragraphRegister = (clientFlag: string, paragraphId: string, field: string) =>
  recordingRegister(clientFlag, 'paragraph', paragraphId.toLowerCase(), field);

/** Joins names to a path. Names may be user input, so they are encoded to keep registers unambiguous. */
const path = (...names: string[]) => names.map(encodeURIComponent).join('/');

import type { Drafts, NoteDraft } from '../ports/drafts.ts';

/**
 * Returns the drafts after a recording has started or stopped. Notes typed before the recording belong to it once it
 * starts. A note that was still being typed when its recording stopped is added to that recording.
 * @param drafts the note being typed, and the notes waiting to be added
 * @param recordId the recording in progress, or null
 * @param isThisDevice whether that recording was started with this device's microphone. Notes typed in advance are only
 * meant for such a recording, because a recording on a recorder may have started long before the app learns of it.
 */
export function assignNotes(
  { typed, waiting }: { typed: NoteDraft | null; waiting: readonly NoteDraft[] },
  recordId: string | null,
  isThisDevice: boolean,
): { typed: NoteDraft | null; waiting: readonly NoteDraft[] } {
  const started = isThisDevice ? recordId : null;
  const assign = (note: NoteDraft) => ({ ...note, recording: note.recording ?? started });
  const assigned = typed && assign(typed);
  const isTypedHere = assigned === null || assigned.recording === recordId;
  const queue = waiting.map(assign);
  if (isTypedHere) return { typed: assigned, waiting: queue };
  return { typed: null, waiting: assigned.text.trim() === '' ? queue : [...queue, assigned] };
}

export function readNotes(drafts: Drafts): {
  typed: NoteDraft | null;
  waiting: readonly NoteDraft[];
} {
  return { typed: drafts.read('note'), waiting: drafts.read('notes') ?? [] };
}

/** Stores the notes that are waiting to be added. */
export function writeWaiting(drafts: Drafts, notes: readonly NoteDraft[]): void {
  drafts.write('notes', notes.length === 0 ? null : notes);
}

import type { Drafts, NoteDraft } from '../ports/drafts.ts';

/**
 * Returns the drafts after a recording has started or stopped. Notes typed before the recording belong to it once it
 * starts. A note that was still being typed when its recording stopped is added to that recording.
 * @param drafts the note being typed, and the pending notes
 * @param recordId the recording in progress, or null
 * @param isThisDevice whether that recording was started with this device's microphone. Notes typed in advance are only
 * meant for such a recording, because a recording on a recorder may have started long before the app learns of it.
 */
export function assignNotes(
  { typed, pending }: { typed: NoteDraft | null; pending: readonly NoteDraft[] },
  recordId: string | null,
  isThisDevice: boolean,
): { typed: NoteDraft | null; pending: readonly NoteDraft[] } {
  const started = isThisDevice ? recordId : null;
  const assign = (note: NoteDraft) => ({ ...note, recording: note.recording ?? started });
  const assigned = typed && assign(typed);
  const isTypedHere = assigned === null || assigned.recording === recordId;
  const queue = pending.map(assign);
  if (isTypedHere) return { typed: assigned, pending: queue };
  return { typed: null, pending: assigned.text.trim() === '' ? queue : [...queue, assigned] };
}

export function readNotes(drafts: Drafts): {
  typed: NoteDraft | null;
  pending: readonly NoteDraft[];
} {
  return { typed: drafts.read('note'), pending: drafts.read('notes') ?? [] };
}

/** Stores the pending notes. */
export function writePending(drafts: Drafts, notes: readonly NoteDraft[]): void {
  drafts.write('notes', notes.length === 0 ? null : notes);
}

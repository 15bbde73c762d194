import type { RecorderKind } from '@linnet/recorders';
import { useCallback, useEffect } from 'react';
import { noteEdit } from './note-edits.ts';
import { assignNotes, readNotes, writeWaiting } from './note-queue.ts';
import { useSave } from './saving.ts';
import { useServices } from './services-context.ts';

/**
 * Returns a function that adds the waiting notes to their recordings. They stay in the drafts until they are in the
 * local database, and keep their ids, so a crash at any point neither loses nor duplicates one.
 */
export function useAddWaitingNotes(): (onAdded?: () => void) => void {
  const { drafts, library } = useServices();
  const save = useSave();
  return useCallback(
    (onAdded) => {
      const notes = readNotes(drafts).waiting.flatMap(({ recording, ...note }) =>
        recording === null ? [] : [{ recording, note }],
      );
      if (notes.length === 0) return;
      const edits = notes.map(({ recording, note }) => noteEdit(recording, note.id, note));
      save(
        () => library.editAll(edits),
        () => {
          const added = new Set(notes.map(({ note }) => note.id));
          writeWaiting(
            drafts,
            readNotes(drafts).waiting.filter(({ id }) => !added.has(id)),
          );
          onAdded?.();
        },
      );
    },
    [drafts, library, save],
  );
}

/** Adds the notes typed before a recording to it once it starts, and an unfinished note once its recording ends. */
export function useNoteQueue(recordId: string | null, recorder: RecorderKind): void {
  const { drafts } = useServices();
  const addWaitingNotes = useAddWaitingNotes();
  useEffect(() => {
    const { typed, waiting } = assignNotes(readNotes(drafts), recordId, recorder === 'this-device');
    writeWaiting(drafts, waiting);
    drafts.write('note', typed);
    addWaitingNotes();
  }, [drafts, addWaitingNotes, recordId, recorder]);
}

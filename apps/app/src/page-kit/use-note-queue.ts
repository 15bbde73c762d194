import type { RecorderKind } from '@linnet/recorders';
import { useCallback, useEffect } from 'react';
import { noteEdit } from './note-edits.ts';
import { assignNotes, readNotes, writePending } from './note-queue.ts';
import { useSave } from './saving.ts';
import { useServices } from './services-context.ts';

/**
 * Returns a function that adds the pending notes to their recordings, and then calls `onAdded` with the IDs of the
 * added notes. A note stays in the drafts until it is in the local database, and keeps its ID, so a crash at any point
 * neither loses nor duplicates it. A note that can't be added, because its recording isn't in the database yet or has
 * too many notes, doesn't block the rest and is retried later.
 */
export function useAddPendingNotes(): (onAdded?: (ids: ReadonlySet<string>) => void) => void {
  const { drafts, library } = useServices();
  const save = useSave();
  return useCallback(
    (onAdded) => {
      const added = new Set<string>();
      save(
        async () => {
          let failure: unknown = null;
          for (const { recording, ...note } of readNotes(drafts).pending) {
            if (recording === null) continue;
            try {
              if (await library.edit(noteEdit(recording, note.id, note))) added.add(note.id);
            } catch (error) {
              failure ??= error;
            }
            const { pending } = readNotes(drafts);
            if (added.has(note.id)) {
              writePending(
                drafts,
                pending.filter(({ id }) => id !== note.id),
              );
            }
          }
          if (failure !== null) throw failure;
        },
        () => onAdded?.(added),
      );
    },
    [drafts, library, save],
  );
}

/**
 * Adds the notes typed before a recording once that recording starts, and an unfinished note once its recording stops.
 */
export function useNoteQueue(recordId: string | null, recorder: RecorderKind): void {
  const { drafts } = useServices();
  const addPendingNotes = useAddPendingNotes();
  useEffect(() => {
    const { typed, pending } = assignNotes(readNotes(drafts), recordId, recorder === 'this-device');
    writePending(drafts, pending);
    drafts.write('note', typed);
    addPendingNotes();
  }, [drafts, addPendingNotes, recordId, recorder]);
}

import type { Note } from '@linnet/contract';
import type { Edit } from '@linnet/contract/operations';
import { noteId } from '@linnet/sync';
import { useMemo } from 'react';
import { formatClock } from '../i18n/format.ts';
import { useLanguage, useTranslation } from '../i18n/index.ts';
import { useToast } from '../ui/toast.tsx';
import { useSave } from './saving.ts';
import { useServices } from './services-context.ts';

/** Edits to a recording's notes. Each shows a toast with an Undo button. */
export type NoteEdits = {
  /** @param time seconds from the start of the recording */
  add(time: number, text: string): void;
  change(note: Note, text: string): void;
  remove(note: Note): void;
};

/** Returns the edit that sets a note, or removes it if the value is null. */
export function noteEdit(recording: string, note: string, value: Note | null): Edit {
  return { type: 'recording.note', recording, note, value };
}

export function useNoteEdits(recording: string): NoteEdits {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library } = useServices();
  const save = useSave();
  const show = useToast();
  return useMemo(() => {
    const apply = (
      { id, before, after }: { id: string; before: Note | null; after: Note | null },
      message: string,
    ) => {
      const write = (value: Note | null) => () => library.edit(noteEdit(recording, id, value));
      const undo = { label: t('common.undo'), run: () => save(write(before)) };
      save(write(after), () => show({ message, action: undo }));
    };
    return {
      add(seconds, text) {
        const id = noteId();
        const time = Math.round(seconds * 1000) / 1000;
        const message = t('notes.added', { time: formatClock(time, language) });
        apply({ id, before: null, after: { id, time, text } }, message);
      },
      change(note, text) {
        if (text === note.text) return;
        const after = { ...note, text };
        apply({ id: note.id, before: note, after }, t('notes.changed'));
      },
      remove: (note) => apply({ id: note.id, before: note, after: null }, t('notes.deleted')),
    };
  }, [library, save, show, t, language, recording]);
}

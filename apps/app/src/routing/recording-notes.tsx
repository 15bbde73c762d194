import { formatClock } from '../i18n/format.ts';
import { useLanguage, useTranslation } from '../i18n/index.ts';
import { noteEdit } from '../page-kit/note-edits.ts';
import { readNotes, writePending } from '../page-kit/note-queue.ts';
import { useSave } from '../page-kit/saving.ts';
import { useServices } from '../page-kit/services-context.ts';
import { useAddPendingNotes } from '../page-kit/use-note-queue.ts';
import { useToast } from '../ui/toast.tsx';
import { NoteForm } from './note-form.tsx';

/** Adds notes to the recording in progress. */
export function RecordingNotes({
  recording,
  elapsed,
  continuesEarlyNote,
}: {
  recording: string;
  /** Seconds. */
  elapsed: number;
  /** Whether to continue a note that the user started typing before the recording. */
  continuesEarlyNote: boolean;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { drafts, library } = useServices();
  const save = useSave();
  const show = useToast();
  const addPendingNotes = useAddPendingNotes();
  return (
    <NoteForm
      recording={recording}
      now={elapsed}
      continuesEarlyNote={continuesEarlyNote}
      onAdd={(note) => {
        const { id, time } = note;
        writePending(drafts, [...readNotes(drafts).pending, note]);
        addPendingNotes((added) => {
          if (!added.has(id)) return;
          const run = () => save(() => library.edit(noteEdit(recording, id, null)));
          show({
            message: t('notes.added', { time: formatClock(time, language) }),
            action: { label: t('common.undo'), run },
          });
        });
      }}
    />
  );
}

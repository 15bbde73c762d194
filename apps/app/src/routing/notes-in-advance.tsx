import Trash2 from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { readNotes, writePending } from '../page-kit/note-queue.ts';
import { useServices } from '../page-kit/services-context.ts';
import type { NoteDraft } from '../ports/drafts.ts';
import { IconButton } from '../ui/button.tsx';
import { useToast } from '../ui/toast.tsx';
import { NoteForm } from './note-form.tsx';

/** Notes for the microphone's next recording. They appear at its beginning. */
export function NotesInAdvance() {
  const { t } = useTranslation();
  const { drafts } = useServices();
  const show = useToast();
  const [pending, setPending] = useState(() => readNotes(drafts).pending);
  const notes = pending.filter(({ recording }) => recording === null);

  const change = (changed: (pending: readonly NoteDraft[]) => readonly NoteDraft[]) => {
    const next = changed(readNotes(drafts).pending);
    writePending(drafts, next);
    setPending(next);
  };
  const remove = (removed: NoteDraft) => {
    const run = () => change((before) => [...before, removed]);
    change((before) => before.filter(({ id }) => id !== removed.id));
    show({ message: t('notes.deleted'), action: { label: t('common.undo'), run } });
  };
  return (
    <div className="recording-advance">
      {notes.length > 0 && (
        <ul className="recording-advance-notes" aria-label={t('notes.title')}>
          {notes.map((note) => (
            <li key={note.id} data-testid="advance-note">
              <span dir="auto">{note.text}</span>
              <IconButton
                label={t('markers.delete', { name: note.text })}
                onClick={() => remove(note)}
              >
                <Trash2 size={18} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <NoteForm
        recording={null}
        now={0}
        continuesEarlyNote
        hint={t('record.noteInAdvance')}
        onAdd={(note) => change((before) => [...before, note])}
      />
    </div>
  );
}

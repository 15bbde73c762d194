import Plus from 'lucide-react/icons/plus';
import Trash2 from 'lucide-react/icons/trash-2';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { readNotes, writeWaiting } from '../page-kit/note-queue.ts';
import { useServices } from '../page-kit/services-context.ts';
import type { NoteDraft } from '../ports/drafts.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { useToast } from '../ui/toast.tsx';
import { NoteField, useTypedNote } from './recording-notes.tsx';

/** Notes for the microphone's next recording. They appear at its beginning. */
export function NotesInAdvance() {
  const { t } = useTranslation();
  const { drafts } = useServices();
  const show = useToast();
  const [notes, setNotes] = useState(() =>
    readNotes(drafts).waiting.filter(({ recording }) => recording === null),
  );
  const { note, type, clear } = useTypedNote(null, 0, true);
  const text = note?.text.trim() ?? '';

  const write = (change: (waiting: readonly NoteDraft[]) => readonly NoteDraft[]) => {
    const waiting = change(readNotes(drafts).waiting);
    writeWaiting(drafts, waiting);
    setNotes(waiting.filter(({ recording }) => recording === null));
  };
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (note === null || text === '') return;
    write((waiting) => [...waiting, { ...note, text }]);
    clear();
  };
  const remove = (removed: NoteDraft) => {
    const restore = () => write((waiting) => [...waiting, removed]);
    write((waiting) => waiting.filter(({ id }) => id !== removed.id));
    show({ message: t('notes.deleted'), action: { label: t('common.undo'), run: restore } });
  };
  return (
    <div className="recording-advance">
      {notes.length > 0 && (
        <ul className="recording-advance-notes" aria-label={t('notes.title')}>
          {notes.map((each) => (
            <li key={each.id} data-testid="advance-note">
              <span dir="auto">{each.text}</span>
              <IconButton
                label={t('markers.delete', { name: each.text })}
                onClick={() => remove(each)}
              >
                <Trash2 size={18} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <form className="recording-note-form" onSubmit={add}>
        <NoteField value={note?.text ?? ''} onType={type} />
        <Button
          type="submit"
          icon={<Plus size={18} />}
          disabled={text === ''}
          data-testid="advance-add-note"
        >
          {t('notes.add')}
        </Button>
      </form>
      <p className="field-hint">{t('record.noteInAdvance')}</p>
    </div>
  );
}

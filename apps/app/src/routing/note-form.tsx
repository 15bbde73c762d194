import { limits } from '@linnet/contract/limits';
import { noteId } from '@linnet/sync';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { useServices } from '../page-kit/services-context.ts';
import type { NoteDraft } from '../ports/drafts.ts';
import { IconButton } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';

/**
 * The field for typing a note. Enter adds the note. The text is stored with every key press, so it survives a reload.
 */
export function NoteForm({
  recording,
  now,
  continuesEarlyNote,
  hint,
  onAdd,
}: {
  /** The recording in progress, or null before it starts. It must not change while the component is mounted. */
  recording: string | null;
  /** Seconds from the start of the recording. A note's time is when the user started typing it. */
  now: number;
  /** Whether to continue a note that the user started typing before the recording. */
  continuesEarlyNote: boolean;
  hint?: string;
  onAdd(note: NoteDraft): void;
}) {
  const { t } = useTranslation();
  const { drafts } = useServices();
  const [note, setNote] = useState(() => {
    const draft = drafts.read('note');
    const isEarlyNote = draft?.recording === null && continuesEarlyNote;
    return draft?.recording === recording || isEarlyNote ? draft : null;
  });
  const write = (next: NoteDraft | null) => {
    setNote(next);
    drafts.write('note', next);
  };
  const text = note?.text.trim() ?? '';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (note === null || text === '') return;
        onAdd({ ...note, text, recording });
        write(null);
      }}
    >
      <Field
        label={t('notes.text')}
        {...(hint && { hint })}
        value={note?.text ?? ''}
        maxLength={limits.recording.noteMaxLength}
        autoComplete="off"
        enterKeyHint="done"
        dir="auto"
        data-testid="record-note"
        end={
          <IconButton
            type="submit"
            label={t('notes.add')}
            disabled={text === ''}
            data-testid="record-add-note"
          >
            <Plus size={20} />
          </IconButton>
        }
        onChange={({ target }) => {
          const { id, time } = note ?? { id: noteId(), time: now };
          write(target.value === '' ? null : { id, text: target.value, time, recording });
        }}
      />
    </form>
  );
}

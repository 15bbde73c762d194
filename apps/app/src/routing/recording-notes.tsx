import { limits } from '@linnet/contract/limits';
import { markerId, noteId } from '@linnet/sync';
import Flag from 'lucide-react/icons/flag';
import Plus from 'lucide-react/icons/plus';
import { type FormEvent, useState } from 'react';
import { formatClock } from '../i18n/format.ts';
import { useLanguage, useTranslation } from '../i18n/index.ts';
import { noteEdit } from '../page-kit/note-edits.ts';
import { readNotes, writeWaiting } from '../page-kit/note-queue.ts';
import { useSave } from '../page-kit/saving.ts';
import { useServices } from '../page-kit/services-context.ts';
import { useAddWaitingNotes } from '../page-kit/use-note-queue.ts';
import type { NoteDraft } from '../ports/drafts.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { useToast } from '../ui/toast.tsx';

/**
 * The note being typed. It is stored with every key press, so that it survives a reload.
 * @param recording the recording in progress; null before it
 * @param now seconds from the start of the recording
 * @param continuesAdvance whether a note whose typing began before the recording is continued
 */
export function useTypedNote(recording: string | null, now: number, continuesAdvance: boolean) {
  const { drafts } = useServices();
  const [note, setNote] = useState<NoteDraft | null>(() => {
    const draft = drafts.read('note');
    const isInAdvance = draft?.recording === null && continuesAdvance;
    return draft?.recording === recording || isInAdvance ? draft : null;
  });
  const write = (next: NoteDraft | null) => {
    setNote(next);
    drafts.write('note', next);
  };
  return {
    note,
    type(text: string) {
      if (text === '') return write(null);
      const { id, time } = note ?? { id: noteId(), time: now };
      write({ id, text, time, recording });
    },
    clear: () => write(null),
  };
}

/** The field in which a note is typed. */
export function NoteField({ value, onType }: { value: string; onType(text: string): void }) {
  const { t } = useTranslation();
  return (
    <Field
      label={t('notes.text')}
      value={value}
      maxLength={limits.recording.noteMaxLength}
      autoComplete="off"
      enterKeyHint="done"
      dir="auto"
      data-testid="record-note"
      onChange={({ target }) => onType(target.value)}
    />
  );
}

/**
 * Adds notes and markers to the recording in progress. A note gets the time when its typing began. Without text, the
 * button sets a marker.
 */
export function RecordingNotes({
  recordId,
  elapsed,
  continuesAdvance,
}: {
  recordId: string;
  /** Seconds. */
  elapsed: number;
  /** Whether a note whose typing began before the recording is continued. */
  continuesAdvance: boolean;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { drafts, library } = useServices();
  const save = useSave();
  const show = useToast();
  const addWaitingNotes = useAddWaitingNotes();
  const { note, type, clear } = useTypedNote(recordId, elapsed, continuesAdvance);
  const text = note?.text.trim() ?? '';

  const addMarker = () => {
    const id = markerId();
    const marker = { id, time: elapsed, label: '' };
    const edit = { type: 'recording.marker', recording: recordId, marker: id } as const;
    save(
      () => library.edit({ ...edit, value: marker }),
      () => show({ message: t('markers.added', { time: formatClock(elapsed, language) }) }),
    );
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (note === null || text === '') return addMarker();
    const { id, time } = note;
    const added = { id, time, text, recording: recordId };
    writeWaiting(drafts, [...readNotes(drafts).waiting, added]);
    clear();
    addWaitingNotes(() => {
      const run = () => save(() => library.edit(noteEdit(recordId, id, null)));
      show({
        message: t('notes.added', { time: formatClock(time, language) }),
        action: { label: t('common.undo'), run },
      });
    });
  };
  return (
    <form className="recording-note-form" onSubmit={submit}>
      <NoteField value={note?.text ?? ''} onType={type} />
      {text === '' ? (
        <Button type="submit" icon={<Flag size={18} />} data-testid="record-marker">
          {t('record.addMarker')}
        </Button>
      ) : (
        <Button type="submit" icon={<Plus size={18} />} data-testid="record-add-note">
          {t('notes.add')}
        </Button>
      )}
    </form>
  );
}

import { useTranslation } from '../../../i18n/index.ts';
import { useNoteEdits } from '../../../page-kit/note-edits.ts';
import type { TabProps } from '../tab.ts';
import { AddNote } from './add-note.tsx';
import { NoteList } from './note-list.tsx';

/** Shows the notes of a recording without a transcript. Renders nothing if there are no notes and none can be added. */
export function NotesSection({ record, player }: Pick<TabProps, 'record' | 'player'>) {
  const { t } = useTranslation();
  const edits = useNoteEdits(record.id);
  const { notes } = record;
  const canAdd = player.status === 'ready';
  if (notes.length === 0 && !canAdd) return null;
  return (
    <section className="notes-section" aria-label={t('notes.title')}>
      {notes.length > 0 && (
        <>
          <h2>{t('notes.title')}</h2>
          <NoteList notes={notes} edits={edits} onPlay={player.playFrom} />
        </>
      )}
      {canAdd && <AddNote player={player} edits={edits} />}
    </section>
  );
}

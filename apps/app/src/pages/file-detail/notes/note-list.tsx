import type { Note } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { formatClock } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import type { NoteEdits } from '../../../page-kit/note-edits.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Prompt } from '../../../ui/dialog.tsx';
import { Menu, preloadMenu } from '../../../ui/menu.tsx';
import './notes.css';

/** Lists notes. Selecting one plays from its time. */
export function NoteList({
  notes,
  edits,
  onPlay,
}: {
  notes: readonly Note[];
  edits: NoteEdits;
  onPlay(time: number): void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [menu, setMenu] = useState<{ readonly note: Note; readonly anchor: Element } | null>(null);
  const [editedNote, setEditedNote] = useState<Note | null>(null);
  return (
    <>
      <ul className="notes" aria-label={t('notes.title')} data-testid="notes">
        {notes.map((note) => {
          const time = formatClock(note.time, language);
          return (
            <li key={note.id} data-testid="note">
              <button type="button" className="note-go" onClick={() => onPlay(note.time)}>
                <span className="note-time tabular">{time}</span>
                <span className="note-text" dir="auto">
                  {note.text}
                </span>
              </button>
              <IconButton
                label={t('notes.more', { time })}
                aria-haspopup="menu"
                data-testid="note-more"
                onPointerEnter={preloadMenu}
                onClick={(event) => setMenu({ note, anchor: event.currentTarget })}
              >
                <Ellipsis size={18} />
              </IconButton>
            </li>
          );
        })}
      </ul>
      <Menu
        anchor={menu?.anchor ?? null}
        label={t('notes.options')}
        items={
          menu === null
            ? []
            : [
                {
                  kind: 'action',
                  label: t('notes.edit'),
                  icon: <Pencil size={18} />,
                  run: () => setEditedNote(menu.note),
                },
                {
                  kind: 'action',
                  label: t('notes.delete'),
                  icon: <Trash2 size={18} />,
                  run: () => edits.remove(menu.note),
                },
              ]
        }
        onClose={() => setMenu(null)}
      />
      {editedNote && (
        <NotePrompt
          title={t('notes.edit')}
          value={editedNote.text}
          onSubmit={(text) => {
            setEditedNote(null);
            edits.change(editedNote, text);
          }}
          onCancel={() => setEditedNote(null)}
        />
      )}
    </>
  );
}

/** A dialog for a note's text. */
export function NotePrompt(props: {
  title: string;
  value: string;
  onSubmit(text: string): void;
  onCancel(): void;
}) {
  const { t } = useTranslation();
  return (
    <Prompt
      {...props}
      label={t('notes.text')}
      maxLength={limits.recording.noteMaxLength}
      submitLabel={t('common.save')}
    />
  );
}

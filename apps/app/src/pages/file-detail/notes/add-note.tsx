import NotebookPen from 'lucide-react/icons/notebook-pen';
import { useState } from 'react';
import { formatClock } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import type { NoteEdits } from '../../../page-kit/note-edits.ts';
import { Button } from '../../../ui/button.tsx';
import type { Player } from '../player/use-player.ts';
import { NotePrompt } from './note-list.tsx';

/** Adds a note at the playback position when the button was pressed. */
export function AddNote({ player, edits }: { player: Player; edits: NoteEdits }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [time, setTime] = useState<number | null>(null);
  return (
    <>
      <Button
        variant="quiet"
        icon={<NotebookPen size={18} />}
        data-testid="note-add"
        onClick={() => setTime(player.position.get())}
      >
        {t('notes.add')}
      </Button>
      {time !== null && (
        <NotePrompt
          title={t('common.named', { what: t('notes.add'), which: formatClock(time, language) })}
          value=""
          onSubmit={(text) => {
            setTime(null);
            edits.add(time, text);
          }}
          onCancel={() => setTime(null)}
        />
      )}
    </>
  );
}

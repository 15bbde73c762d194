import type { UnplacedChange } from '@linnet/contract';
import ListX from 'lucide-react/icons/list-x';
import { useState } from 'react';
import { formatCount } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { useSave } from '../../../page-kit/saving.ts';
import { useServices } from '../../../page-kit/services-context.ts';
import { Button } from '../../../ui/button.tsx';
import { useCopy } from '../../../ui/copy.ts';
import { Sheet } from '../../../ui/sheet.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { PlayTime } from '../analysis/source-link.tsx';
import type { TabProps } from '../tab.ts';

/** The translation key of each kind of change. */
const kinds = {
  edit: 'text',
  removal: 'removal',
  highlight: 'highlight',
  speaker: 'speaker',
  todo: 'todo',
} as const satisfies Record<UnplacedChange['kind'], string>;

/**
 * Lists changes to an earlier transcript that couldn't be carried over to this one, with their times. Each can be
 * copied or dismissed. Renders nothing if all changes were carried over.
 */
export function UnplacedChanges({ record, player }: Pick<TabProps, 'record' | 'player'>) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library } = useServices();
  const save = useSave();
  const copy = useCopy();
  const show = useToast();
  const [isOpen, setIsOpen] = useState(false);
  const { id: recording, unplaced } = record;
  const dismiss = (item: string, restored: Omit<UnplacedChange, 'id'>) => {
    const edit = { type: 'recording.dismiss' as const, recording, item };
    const undo = () => save(() => library.edit({ ...edit, restored }));
    save(
      () => library.edit(edit),
      () => {
        const action = { label: t('common.undo'), run: undo };
        show({ message: t('transcript.dismissed'), action });
      },
    );
  };
  if (unplaced.length === 0) {
    // If changes are added later, the list stays closed until the user opens it.
    if (isOpen) setIsOpen(false);
    return null;
  }
  const counted = { count: unplaced.length, formatted: formatCount(unplaced.length, language) };
  return (
    <>
      <Button
        variant="quiet"
        icon={<ListX size={18} className="turns" />}
        data-testid="unplaced-open"
        onClick={() => setIsOpen(true)}
      >
        {t('transcript.unplaced', counted)}
      </Button>
      {isOpen && (
        <Sheet title={t('transcript.unplaced', counted)} onClose={() => setIsOpen(false)}>
          <p>{t('transcript.unplacedHint')}</p>
          <ul className="versions" data-testid="unplaced">
            {unplaced.map(({ id, kind, text, time }) => (
              <li key={id}>
                <p className="versions-head">
                  <strong>{t(`edits.kinds.${kinds[kind]}`)}</strong>
                  <PlayTime time={time} onPlay={player.playFrom} />
                </p>
                <p dir="auto">{text}</p>
                <Button data-testid="unplaced-copy" onClick={() => void copy(text)}>
                  {t('edits.copy')}
                </Button>
                <Button
                  data-testid="unplaced-dismiss"
                  onClick={() => dismiss(id, { kind, text, time })}
                >
                  {t('edits.dismiss')}
                </Button>
              </li>
            ))}
          </ul>
        </Sheet>
      )}
    </>
  );
}

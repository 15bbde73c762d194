import { AlertDialog } from '@base-ui/react/alert-dialog';
import { limits } from '@linnet/contract/limits';
import Check from 'lucide-react/icons/check';
import Minus from 'lucide-react/icons/minus';
import { useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import '../../ui/dialog.css';
import '../../ui/pick.css';
import './tag-dialog.css';

type Tagged = { readonly id: string; readonly tags: readonly string[] };

export type TagDialogProps = {
  readonly title: string;
  /** Current records, so that changes show immediately. */
  readonly records: readonly Tagged[];
  /** Existing tags to choose from. */
  readonly inUse: readonly string[];
  /** Adds or removes a tag on all of them. */
  onTag(tag: string, on: boolean): void;
  onClose(): void;
};

/** Whether all, some or none of the records have the tag, as a value of `aria-pressed`. */
function tagState(records: readonly Tagged[], tag: string): 'true' | 'false' | 'mixed' {
  const tagged = records.filter(({ tags }) => tags.includes(tag)).length;
  return tagged === 0 ? 'false' : tagged === records.length ? 'true' : 'mixed';
}

/** Adds or removes tags of recordings with one tap each, and creates new tags. */
export function TagDialog({ title, records, inUse, onTag, onClose }: TagDialogProps) {
  const { t } = useTranslation();
  const [offered, setOffered] = useState(inUse);
  const [words, setWords] = useState('');
  const tag = words.trim();
  // Tags are compared case-insensitively.
  const known = offered.find((each) => each.toLocaleLowerCase() === tag.toLocaleLowerCase());
  const isFull = (added: string) =>
    records.some(({ tags }) => tags.length >= limits.recording.tags && !tags.includes(added));
  const shown = tag
    ? offered.filter((each) => each.toLocaleLowerCase().includes(tag.toLocaleLowerCase()))
    : offered;
  const add = () => {
    const newTag = known ?? tag;
    if (newTag === '' || isFull(newTag)) return;
    if (!offered.includes(newTag)) setOffered([newTag, ...offered]);
    onTag(newTag, true);
    setWords('');
  };
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="dialog-backdrop" />
        <AlertDialog.Popup className="dialog tag-dialog" data-testid="tag-dialog">
          <AlertDialog.Title className="dialog-title display" dir="auto">
            {title}
          </AlertDialog.Title>
          {shown.length > 0 && (
            <ul className="tag-list" aria-label={t('library.tags')}>
              {shown.map((each) => {
                const state = tagState(records, each);
                return (
                  <li key={each}>
                    <button
                      type="button"
                      className="pick"
                      data-testid="tag"
                      aria-pressed={state}
                      disabled={state !== 'true' && isFull(each)}
                      onClick={() => onTag(each, state !== 'true')}
                    >
                      {state === 'true' && <Check size={16} aria-hidden="true" />}
                      {state === 'mixed' && <Minus size={16} aria-hidden="true" />}
                      <span dir="auto">{each}</span>
                    </button>
                  </li>
                );
              })}
            </ul>
          )}
          <form
            className="dialog-form"
            onSubmit={(event) => {
              event.preventDefault();
              if (tag === '') onClose();
              else add();
            }}
          >
            <Field
              label={t('library.newTag')}
              value={words}
              maxLength={limits.recording.tagMaxLength}
              dir="auto"
              autoComplete="off"
              data-testid="new-tag"
              error={isFull(known ?? tag) ? t('library.tagsFull') : null}
              end={
                <Button look="quiet" type="submit" disabled={tag === ''} data-testid="add-tag">
                  {t('library.addTag')}
                </Button>
              }
              onChange={(event) => setWords(event.currentTarget.value)}
            />
            <div className="dialog-actions">
              <Button look="primary" data-testid="tags-done" onClick={onClose}>
                {t('library.tagsDone')}
              </Button>
            </div>
          </form>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

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

type TaggedRecording = { readonly id: string; readonly tags: readonly string[] };

export type TagDialogProps = {
  readonly title: string;
  /** The current records, so that changes show immediately. */
  readonly records: readonly TaggedRecording[];
  /** Existing tags to choose from. */
  readonly inUse: readonly string[];
  /** Adds or removes a tag on all records. */
  onTag(tag: string, isOn: boolean): void;
  onClose(): void;
};

/** Returns whether all, some or none of the records have the tag, as an `aria-pressed` value. */
function tagState(records: readonly TaggedRecording[], tag: string): 'true' | 'false' | 'mixed' {
  const taggedCount = records.filter(({ tags }) => tags.includes(tag)).length;
  return taggedCount === 0 ? 'false' : taggedCount === records.length ? 'true' : 'mixed';
}

/** Adds tags to recordings or removes them, with one tap each, and creates new tags. */
export function TagDialog({ title, records, inUse, onTag, onClose }: TagDialogProps) {
  const { t } = useTranslation();
  const [knownTags, setKnownTags] = useState(inUse);
  const [text, setText] = useState('');
  const tag = text.trim();
  // Tags are compared case-insensitively.
  const existingTag = knownTags.find(
    (each) => each.toLocaleLowerCase() === tag.toLocaleLowerCase(),
  );
  const isFull = (added: string) =>
    records.some(({ tags }) => tags.length >= limits.recording.tags && !tags.includes(added));
  const visibleTags = tag
    ? knownTags.filter((each) => each.toLocaleLowerCase().includes(tag.toLocaleLowerCase()))
    : knownTags;
  const add = () => {
    const newTag = existingTag ?? tag;
    if (newTag === '' || isFull(newTag)) return;
    if (!knownTags.includes(newTag)) setKnownTags([newTag, ...knownTags]);
    onTag(newTag, true);
    setText('');
  };
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="dialog-backdrop" />
        <AlertDialog.Popup className="dialog tag-dialog" data-testid="tag-dialog">
          <AlertDialog.Title className="dialog-title display" dir="auto">
            {title}
          </AlertDialog.Title>
          {visibleTags.length > 0 && (
            <ul className="tag-list" aria-label={t('library.tags')}>
              {visibleTags.map((visibleTag) => {
                const state = tagState(records, visibleTag);
                return (
                  <li key={visibleTag}>
                    <button
                      type="button"
                      className="pick"
                      data-testid="tag"
                      aria-pressed={state}
                      disabled={state !== 'true' && isFull(visibleTag)}
                      onClick={() => {
                        onTag(visibleTag, state !== 'true');
                        // The text was typed to find the tag, so `Done` must not add it as a new tag.
                        setText('');
                      }}
                    >
                      {state === 'true' && <Check size={16} aria-hidden="true" />}
                      {state === 'mixed' && <Minus size={16} aria-hidden="true" />}
                      <span dir="auto">{visibleTag}</span>
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
              value={text}
              maxLength={limits.recording.tagMaxLength}
              dir="auto"
              autoComplete="off"
              data-testid="new-tag"
              error={isFull(existingTag ?? tag) ? t('library.tagsFull') : null}
              end={
                <Button variant="quiet" type="submit" disabled={tag === ''} data-testid="add-tag">
                  {t('library.addTag')}
                </Button>
              }
              onChange={(event) => setText(event.currentTarget.value)}
            />
            <div className="dialog-actions">
              <Button
                variant="primary"
                data-testid="tags-done"
                onClick={() => {
                  add();
                  onClose();
                }}
              >
                {t('library.tagsDone')}
              </Button>
            </div>
          </form>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

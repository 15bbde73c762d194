import { limits } from '@linnet/contract/limits';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/index.ts';
import { useEditInPlace } from '../../../page-kit/edit-in-place.ts';
import { Button } from '../../../ui/button.tsx';

/** The form for editing a paragraph. Also saves the text when focus leaves the form. */
export function ParagraphEditor({
  content,
  draft,
  onDraft,
  onSave,
  onLeave,
}: {
  content: string;
  /** Text typed before a reload, or null. */
  draft: string | null;
  onDraft(text: string): void;
  /** @param byUser true if the user saved with a button or shortcut, false on blur */
  onSave(content: string, byUser: boolean): void;
  onLeave(): void;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState(draft ?? content);
  const save = (byUser: boolean) => {
    // Don't save an empty paragraph: the user couldn't select it anymore.
    if (text.trim() === '') onLeave();
    else onSave(text.trim(), byUser);
  };
  const endOnce = useEditInPlace(() => save(false));
  const saveByUser = () => endOnce(() => save(true));
  return (
    <form
      className="paragraph-form"
      onSubmit={(event) => {
        event.preventDefault();
        saveByUser();
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) endOnce(() => save(false));
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          endOnce(onLeave);
        } else if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
          event.preventDefault();
          saveByUser();
        }
      }}
    >
      <textarea
        className="paragraph-editor"
        aria-label={t('transcript.text')}
        aria-describedby="paragraph-editor-hint"
        data-testid="paragraph-editor"
        dir="auto"
        rows={2}
        maxLength={limits.paragraph.contentMaxLength}
        value={text}
        // The user has just chosen to edit the paragraph.
        // biome-ignore lint/a11y/noAutofocus: see above
        autoFocus
        onFocus={({ currentTarget }) =>
          currentTarget.setSelectionRange(currentTarget.value.length, currentTarget.value.length)
        }
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          onDraft(currentTarget.value);
        }}
      />
      {/* Keep focus in the text while a button is pressed. Safari would move it to no element, which would save the
          text. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
      <div className="paragraph-form-end" onMouseDown={(event) => event.preventDefault()}>
        <p className="paragraph-editor-hint" id="paragraph-editor-hint">
          {t('transcript.editHint')}
        </p>
        <Button data-testid="paragraph-cancel" onClick={() => endOnce(onLeave)}>
          {t('common.cancel')}
        </Button>
        <Button variant="primary" type="submit" data-testid="paragraph-save">
          {t('common.save')}
        </Button>
      </div>
    </form>
  );
}

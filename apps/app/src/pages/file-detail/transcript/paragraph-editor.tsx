import { limits } from '@linnet/contract/limits';
import { useEffect, useRef } from 'react';
import { useTranslation } from '../../../i18n/index.ts';

/** The text field for editing a paragraph. Escape cancels. */
export function ParagraphEditor({
  content,
  onSave,
  onLeave,
}: {
  content: string;
  onSave(content: string, byKey: boolean): void;
  onLeave(): void;
}) {
  const { t } = useTranslation();
  // Prevents the blur event of a removed field from saving a canceled edit.
  const done = useRef(false);
  const save = (text: string, byKey: boolean) => {
    if (done.current) return;
    done.current = true;
    // Empty paragraphs are rejected, because the user could not select them anymore.
    if (text.trim() === '') onLeave();
    else onSave(text.trim(), byKey);
  };
  // Save the text when the page unmounts the field, which fires no blur event.
  const field = useRef<HTMLTextAreaElement>(null);
  const saveNow = useRef(save);
  saveNow.current = save;
  useEffect(() => {
    const element = field.current;
    return () => {
      if (element && element.value !== element.defaultValue) saveNow.current(element.value, false);
    };
  }, []);
  return (
    <textarea
      ref={field}
      className="paragraph-editor"
      aria-label={t('transcript.text')}
      aria-describedby="paragraph-editor-hint"
      data-testid="paragraph-editor"
      dir="auto"
      rows={2}
      maxLength={limits.paragraph.contentMaxLength}
      defaultValue={content}
      // The user has just chosen to edit the paragraph.
      // biome-ignore lint/a11y/noAutofocus: see above
      autoFocus
      onFocus={({ currentTarget }) =>
        currentTarget.setSelectionRange(content.length, content.length)
      }
      onBlur={(event) => save(event.currentTarget.value, false)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          done.current = true;
          event.stopPropagation();
          onLeave();
        } else if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
          event.preventDefault();
          save(event.currentTarget.value, true);
        }
      }}
    />
  );
}

import { limits } from '@linnet/contract/limits';
import { useEffect, useRef } from 'react';
import { useTranslation } from '../../i18n/index.ts';

/** A paragraph's text while its owner writes in it. Escape leaves it as it was. */
export function ParagraphEditor({
  content,
  onKeep,
  onLeave,
}: {
  content: string;
  onKeep(content: string, byKey: boolean): void;
  onLeave(): void;
}) {
  const { t } = useTranslation();
  // Leaving takes the field away, which must not count as having done with it.
  const done = useRef(false);
  const keep = (text: string, byKey: boolean) => {
    if (done.current) return;
    done.current = true;
    // A text that is gone would be a paragraph that nobody could find again.
    if (text.trim() === '') onLeave();
    else onKeep(text.trim(), byKey);
  };
  // Whoever goes back from the page takes the field away without leaving it first: what was written counts.
  const field = useRef<HTMLTextAreaElement>(null);
  const keepNow = useRef(keep);
  keepNow.current = keep;
  useEffect(() => {
    const element = field.current;
    return () => {
      if (element && element.value !== element.defaultValue) keepNow.current(element.value, false);
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
      // The owner just asked to edit it.
      // biome-ignore lint/a11y/noAutofocus: see above
      autoFocus
      onFocus={({ currentTarget }) =>
        currentTarget.setSelectionRange(content.length, content.length)
      }
      onBlur={(event) => keep(event.currentTarget.value, false)}
      onKeyDown={(event) => {
        // Keys of an input method: Escape drops its suggestion, not what was written.
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Escape') {
          done.current = true;
          event.stopPropagation();
          onLeave();
        } else if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
          event.preventDefault();
          keep(event.currentTarget.value, true);
        }
      }}
    />
  );
}

import type { Paragraph } from '@linnet/contract';
import type { Edit } from '@linnet/contract/operations';
import { useMemo } from 'react';
import { formatCount } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { useSave } from '../../../page-kit/saving.ts';
import { useServices } from '../../../page-kit/services-context.ts';
import { useToast } from '../../../ui/toast.tsx';
import type { OpenRecord } from '../open-record.ts';

/** Edits to a transcript. Every edit except `mark` shows a toast with an Undo button. */
export type TranscriptEdits = {
  write(paragraph: Paragraph, content: string): void;
  /**
   * Replaces the text of several paragraphs.
   * @param texts new text by paragraph id
   */
  replaceTexts(texts: ReadonlyMap<string, string>): void;
  mark(paragraph: Paragraph): void;
  assign(paragraph: Paragraph, speaker: string): void;
  name(speaker: string, name: string): void;
};

export function useTranscriptEdits({
  id,
  content,
  speakers,
}: Pick<OpenRecord, 'id' | 'content' | 'speakers'>): TranscriptEdits {
  const { library } = useServices();
  const save = useSave();
  const { t } = useTranslation();
  const language = useLanguage();
  const show = useToast();
  return useMemo(() => {
    const createEdit = (paragraph: string, text: string): Edit => ({
      type: 'paragraph.edit',
      recording: id,
      paragraph,
      content: text,
    });
    const applyEdits = (message: string, edits: readonly Edit[], undo: readonly Edit[]) => {
      if (edits.length === 0) return;
      const run = () => save(() => library.editAll(undo));
      save(
        () => library.editAll(edits),
        () => show({ message, action: { label: t('common.undo'), run } }),
      );
    };
    return {
      write({ id: paragraph, content: before }, after) {
        if (after === before) return;
        const undo = [createEdit(paragraph, before)];
        applyEdits(t('transcript.changed'), [createEdit(paragraph, after)], undo);
      },
      replaceTexts(texts) {
        const changed = content.filter((one) => (texts.get(one.id) ?? one.content) !== one.content);
        applyEdits(
          t('transcript.changedAll', {
            count: changed.length,
            formatted: formatCount(changed.length, language),
          }),
          changed.map((one) => createEdit(one.id, texts.get(one.id) ?? one.content)),
          changed.map((one) => createEdit(one.id, one.content)),
        );
      },
      mark({ id: paragraph, is_tag }) {
        const mark = { type: 'paragraph.mark', recording: id, paragraph } as const;
        save(() => library.edit({ ...mark, is_tag: is_tag === 1 ? 0 : 1 }));
      },
      assign({ id: paragraph, speaker: before = null }, speaker) {
        const assign = { type: 'paragraph.speaker', recording: id, paragraph } as const;
        const message = t('transcript.assigned');
        applyEdits(message, [{ ...assign, speaker }], [{ ...assign, speaker: before }]);
      },
      name(speaker, name) {
        const rename = { type: 'recording.speaker', recording: id, speaker } as const;
        const undo = [{ ...rename, name: speakers[speaker] ?? '' }];
        applyEdits(t('transcript.renamed', { name }), [{ ...rename, name }], undo);
      },
    };
  }, [library, save, show, t, language, id, content, speakers]);
}

import type { Paragraph } from '@linnet/contract';
import type { Edit } from '@linnet/contract/operations';
import { useMemo } from 'react';
import { formatCount } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { useSave } from '../../../page-kit/saving.ts';
import { useServerInfo, useServices } from '../../../page-kit/services-context.ts';
import { useChangeVocabulary } from '../../../page-kit/vocabulary.ts';
import { useToast } from '../../../ui/toast.tsx';
import type { OpenRecord } from '../open-record.ts';
import { findCorrection } from './correction.ts';
import { createDismissal, paragraphsFrom } from './speakers.ts';

/**
 * Edits to a transcript. Every edit except `mark` and `dismissProposal` shows a toast with an Undo button. If the edit
 * repeats an earlier correction of a name, the toast offers to add the name to the vocabulary instead.
 */
export type TranscriptEdits = {
  write(paragraph: Paragraph, content: string): void;
  /**
   * Replaces the text of several paragraphs.
   * @param texts new text by paragraph ID
   */
  replaceTexts(texts: ReadonlyMap<string, string>): void;
  mark(paragraph: Paragraph): void;
  assign(paragraph: Paragraph, speaker: string): void;
  /** Assigns a paragraph and all later paragraphs of the same speaker to a new speaker. */
  split(from: Paragraph, speaker: string, name: string): void;
  /**
   * Assigns all of a speaker's paragraphs to the speaker `into`. If `into` has no name, it gets the name of `speaker`.
   */
  merge(speaker: string, into: string): void;
  name(speaker: string, name: string): void;
  /** Dismisses the name proposed for a speaker. */
  dismissProposal(speaker: string): void;
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
  const { noteCorrection } = useChangeVocabulary();
  const serverInfo = useServerInfo();
  const dismissesProposals = serverInfo?.dismissesProposals === true;
  return useMemo(() => {
    const createEdit = (paragraph: string, text: string): Edit => ({
      type: 'paragraph.edit',
      recording: id,
      paragraph,
      content: text,
    });
    const applyEdits = (
      message: string,
      edits: readonly Edit[],
      undo: readonly Edit[],
      correction: string | null = null,
    ) => {
      if (edits.length === 0) return;
      const run = () => save(() => library.editAll(undo));
      save(
        () => library.editAll(edits),
        () => {
          if (correction !== null && noteCorrection(correction)) return;
          show({ message, action: { label: t('common.undo'), run } });
        },
      );
    };
    return {
      write(paragraph, after) {
        const { id: target, content: before } = paragraph;
        if (after === before) return;
        const edits = [createEdit(target, after)];
        const undo = [createEdit(target, before)];
        applyEdits(t('transcript.changed'), edits, undo, findCorrection(paragraph, after));
      },
      replaceTexts(texts) {
        const changed = content.filter(
          (item) => (texts.get(item.id) ?? item.content) !== item.content,
        );
        applyEdits(
          t('transcript.changedAll', {
            count: changed.length,
            formatted: formatCount(changed.length, language),
          }),
          changed.map((item) => createEdit(item.id, texts.get(item.id) ?? item.content)),
          changed.map((item) => createEdit(item.id, item.content)),
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
      split(from, speaker, name) {
        const rename = { type: 'recording.speaker', recording: id, speaker } as const;
        const assign = (label: string | null) =>
          paragraphsFrom(content, from).map((item): Edit => {
            return { type: 'paragraph.speaker', recording: id, paragraph: item.id, speaker: label };
          });
        applyEdits(
          t('transcript.assigned'),
          [{ ...rename, name }, ...assign(speaker)],
          [{ ...rename, name: '' }, ...assign(from.speaker ?? null)],
        );
      },
      merge(speaker, into) {
        const rename = { type: 'recording.speaker', recording: id } as const;
        const assign = (label: string) =>
          content
            .filter((item) => item.speaker === speaker)
            .map((item): Edit => {
              return {
                type: 'paragraph.speaker',
                recording: id,
                paragraph: item.id,
                speaker: label,
              };
            });
        const [name, intoName] = [speakers[speaker], speakers[into]];
        const takesName = name !== undefined && intoName === undefined;
        const nameEdit = (label: string, text = ''): Edit => ({
          ...rename,
          speaker: label,
          name: text,
        });
        // Each call can change only one name of the recording.
        const apply = async (label: string, intoText?: string, text?: string) => {
          await library.editAll([
            ...assign(label),
            ...(takesName ? [nameEdit(into, intoText)] : []),
          ]);
          if (name !== undefined) await library.edit(nameEdit(speaker, text));
        };
        const undo = () => save(() => apply(speaker, intoName, name));
        save(
          () => apply(into, name),
          () => {
            const action = { label: t('common.undo'), run: undo };
            show({ message: t('transcript.merged'), action });
          },
        );
      },
      name(speaker, name) {
        const rename = { type: 'recording.speaker', recording: id, speaker } as const;
        const undo = [{ ...rename, name: speakers[speaker] ?? '' }];
        applyEdits(t('transcript.renamed', { name }), [{ ...rename, name }], undo);
      },
      dismissProposal(speaker) {
        save(() => library.edit(createDismissal(id, speaker, dismissesProposals)));
      },
    };
  }, [library, save, show, noteCorrection, dismissesProposals, t, language, id, content, speakers]);
}

import { limits } from '@linnet/contract/limits';
import type { LocalParagraph } from '@linnet/sync';
import Copy from 'lucide-react/icons/copy';
import History from 'lucide-react/icons/history';
import Pencil from 'lucide-react/icons/pencil';
import UserRound from 'lucide-react/icons/user-round';
import UserRoundPlus from 'lucide-react/icons/user-round-plus';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/index.ts';
import { useCopy } from '../../../ui/copy.ts';
import { Prompt } from '../../../ui/dialog.tsx';
import { Menu, type MenuItem } from '../../../ui/menu.tsx';
import { newLabel } from './speakers.ts';
import type { TranscriptEdits } from './use-transcript-edits.ts';

/** The open menu, its paragraph and its anchor. */
export type OpenMenu = {
  readonly kind: 'paragraph' | 'speakers';
  readonly paragraph: LocalParagraph;
  readonly anchor: Element;
};

/** The menus of a transcript. At most one is open, anchored at its paragraph. */
export function TranscriptMenus({
  open,
  labels,
  nameOf,
  edits,
  onEdit,
  onVersions,
  onOpen,
}: {
  open: OpenMenu | null;
  /** The transcript's speaker labels. */
  labels: readonly string[];
  nameOf(label: string): string;
  edits: TranscriptEdits;
  onEdit(paragraph: LocalParagraph): void;
  onVersions(paragraph: LocalParagraph): void;
  onOpen(menu: OpenMenu | null): void;
}) {
  const { t } = useTranslation();
  const copy = useCopy();
  /** The speaker being renamed. If `of` is a paragraph, it is then assigned to the speaker. */
  const [naming, setNaming] = useState<{ label: string; of: LocalParagraph | null } | null>(null);
  const paragraph = open?.paragraph;

  const ofParagraph = (one: LocalParagraph, anchor: Element): MenuItem[] => [
    {
      kind: 'action',
      label: t('transcript.edit'),
      icon: <Pencil size={18} />,
      run: () => onEdit(one),
    },
    {
      kind: 'action',
      label: t('transcript.speaker'),
      icon: <UserRound size={18} />,
      run: () => setTimeout(() => onOpen({ kind: 'speakers', paragraph: one, anchor })),
    },
    {
      kind: 'action',
      label: t('transcript.copy'),
      icon: <Copy size={18} />,
      run: () => void copy(one.content),
    },
    ...(one.edited
      ? [
          {
            kind: 'action' as const,
            label: t('transcript.versions'),
            icon: <History size={18} />,
            run: () => onVersions(one),
          },
        ]
      : []),
  ];
  const ofSpeakers = (one: LocalParagraph): MenuItem[] => [
    ...labels.map(
      (label): MenuItem => ({
        kind: 'choice',
        label: nameOf(label),
        checked: label === one.speaker,
        run: () => label !== one.speaker && edits.assign(one, label),
      }),
    ),
    {
      kind: 'action',
      label: t('transcript.newSpeaker'),
      icon: <UserRoundPlus size={18} />,
      run: () => setNaming({ label: newLabel(labels), of: one }),
    },
    ...(one.speaker === undefined
      ? []
      : [
          {
            kind: 'action' as const,
            label: t('transcript.rename', { name: nameOf(one.speaker) }),
            icon: <Pencil size={18} />,
            run: () => setNaming({ label: one.speaker ?? '', of: null }),
          },
        ]),
  ];
  return (
    <>
      <Menu
        anchor={open?.anchor ?? null}
        label={t(open?.kind === 'speakers' ? 'transcript.speaker' : 'transcript.acts')}
        items={
          !open || !paragraph
            ? []
            : open.kind === 'speakers'
              ? ofSpeakers(paragraph)
              : ofParagraph(paragraph, open.anchor)
        }
        onClose={() => onOpen(null)}
      />
      {naming && (
        <Prompt
          title={t(naming.of ? 'transcript.newSpeaker' : 'transcript.renameTitle')}
          label={t('transcript.name')}
          value={naming.of ? '' : nameOf(naming.label)}
          maxLength={limits.recording.speakerMaxLength}
          submitLabel={t('common.save')}
          onSubmit={(name) => {
            setNaming(null);
            edits.name(naming.label, name);
            if (naming.of) edits.assign(naming.of, naming.label);
          }}
          onCancel={() => setNaming(null)}
        />
      )}
    </>
  );
}

import { limits } from '@linnet/contract/limits';
import type { LocalParagraph } from '@linnet/sync';
import Copy from 'lucide-react/icons/copy';
import History from 'lucide-react/icons/history';
import Merge from 'lucide-react/icons/merge';
import Pencil from 'lucide-react/icons/pencil';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import Split from 'lucide-react/icons/split';
import UserRound from 'lucide-react/icons/user-round';
import UserRoundPlus from 'lucide-react/icons/user-round-plus';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../../i18n/index.ts';
import { useServices } from '../../../page-kit/services-context.ts';
import { useCopy } from '../../../ui/copy.ts';
import { Prompt } from '../../../ui/dialog.tsx';
import { Menu, type MenuItem } from '../../../ui/menu.tsx';
import { nextLabel, paragraphsFrom } from './speakers.ts';
import type { TranscriptEdits } from './use-transcript-edits.ts';

/** The open menu, its paragraph and its anchor. */
export type OpenMenu = {
  readonly kind: 'paragraph' | 'speakers' | 'merge';
  readonly paragraph: LocalParagraph;
  readonly anchor: Element;
};

/** The speaker being named, and the paragraphs to assign to it. */
type NamingTarget = { readonly label: string } & (
  | { readonly assigns: 'none' }
  | { readonly assigns: 'one' | 'following'; readonly paragraph: LocalParagraph }
);

/** A transcript's menus. At most one is open, anchored to its paragraph. */
export function TranscriptMenus({
  open,
  content,
  labels,
  speakerName: getName,
  edits,
  onEdit,
  onVersions,
  onRange,
  onOpen,
}: {
  open: OpenMenu | null;
  content: readonly LocalParagraph[];
  /** The transcript's speaker labels. */
  labels: readonly string[];
  speakerName(label: string): string;
  edits: TranscriptEdits;
  onEdit(paragraph: LocalParagraph): void;
  onVersions(paragraph: LocalParagraph): void;
  /** Opens the form for transcribing from a paragraph on; null if that isn't possible now. */
  onRange: ((paragraph: LocalParagraph) => void) | null;
  onOpen(menu: OpenMenu | null): void;
}) {
  const { t } = useTranslation();
  const copy = useCopy();
  const [renaming, setRenaming] = useState<NamingTarget | null>(null);
  const { library } = useServices();
  const [earlierNames, setEarlierNames] = useState<readonly string[]>([]);
  const isNaming = renaming !== null;
  useEffect(() => {
    let isCurrent = isNaming;
    if (isNaming) void library.speakerNames().then((names) => isCurrent && setEarlierNames(names));
    return () => {
      isCurrent = false;
    };
  }, [library, isNaming]);
  const usedNames = labels.map(getName);
  const suggestedNames = earlierNames.filter((name) => !usedNames.includes(name));

  const paragraphItems = (paragraph: LocalParagraph, anchor: Element): MenuItem[] => [
    {
      kind: 'action',
      label: t('transcript.edit'),
      icon: <Pencil size={18} />,
      run: () => onEdit(paragraph),
    },
    {
      kind: 'action',
      label: t('transcript.speaker'),
      icon: <UserRound size={18} />,
      run: () => setTimeout(() => onOpen({ kind: 'speakers', paragraph, anchor })),
    },
    {
      kind: 'action',
      label: t('transcript.copy'),
      icon: <Copy size={18} />,
      run: () => void copy(paragraph.content),
    },
    ...(paragraph.edited
      ? [
          {
            kind: 'action' as const,
            label: t('transcript.versions'),
            icon: <History size={18} />,
            run: () => onVersions(paragraph),
          },
        ]
      : []),
    ...(onRange
      ? [
          {
            kind: 'action' as const,
            label: t('range.ask'),
            icon: <RefreshCw size={18} />,
            run: () => onRange(paragraph),
          },
        ]
      : []),
  ];
  const speakerItems = (paragraph: LocalParagraph, anchor: Element): MenuItem[] => [
    ...labels.map(
      (label): MenuItem => ({
        kind: 'choice',
        label: getName(label),
        checked: label === paragraph.speaker,
        run: () => label !== paragraph.speaker && edits.assign(paragraph, label),
      }),
    ),
    {
      kind: 'action',
      label: t('transcript.newSpeaker'),
      icon: <UserRoundPlus size={18} />,
      run: () => setRenaming({ label: nextLabel(labels), assigns: 'one', paragraph }),
    },
    ...(paragraph.speaker === undefined || paragraphsFrom(content, paragraph).length < 2
      ? []
      : [
          {
            kind: 'action' as const,
            label: t('transcript.newSpeakerOnward'),
            icon: <Split size={18} />,
            run: () => setRenaming({ label: nextLabel(labels), assigns: 'following', paragraph }),
          },
        ]),
    ...(paragraph.speaker === undefined
      ? []
      : [
          {
            kind: 'action' as const,
            label: t('transcript.rename', { name: getName(paragraph.speaker) }),
            icon: <Pencil size={18} />,
            run: () => setRenaming({ label: paragraph.speaker ?? '', assigns: 'none' }),
          },
        ]),
    ...(paragraph.speaker === undefined || labels.length < 2
      ? []
      : [
          {
            kind: 'action' as const,
            label: t('transcript.merge', { name: getName(paragraph.speaker) }),
            icon: <Merge size={18} />,
            run: () => setTimeout(() => onOpen({ kind: 'merge', paragraph, anchor })),
          },
        ]),
  ];
  const mergeItems = ({ speaker }: LocalParagraph): MenuItem[] =>
    labels
      .filter((label) => label !== speaker)
      .map((label) => ({
        kind: 'action',
        label: getName(label),
        icon: <UserRound size={18} />,
        run: () => speaker !== undefined && edits.merge(speaker, label),
      }));
  const menuItems = ({ kind, paragraph, anchor }: OpenMenu): MenuItem[] => {
    switch (kind) {
      case 'paragraph':
        return paragraphItems(paragraph, anchor);
      case 'speakers':
        return speakerItems(paragraph, anchor);
      case 'merge':
        return mergeItems(paragraph);
    }
  };
  const menuLabel =
    open?.kind === 'merge'
      ? t('transcript.merge', { name: getName(open.paragraph.speaker ?? '') })
      : t(open?.kind === 'speakers' ? 'transcript.speaker' : 'transcript.acts');
  return (
    <>
      <Menu
        anchor={open?.anchor ?? null}
        label={menuLabel}
        items={open ? menuItems(open) : []}
        onClose={() => onOpen(null)}
      />
      {renaming && (
        <Prompt
          title={t(
            renaming.assigns === 'none' ? 'transcript.renameTitle' : 'transcript.newSpeaker',
          )}
          label={t('transcript.name')}
          value={renaming.assigns === 'none' ? getName(renaming.label) : ''}
          maxLength={limits.recording.speakerMaxLength}
          submitLabel={t('common.save')}
          suggestions={{ title: t('transcript.earlierNames'), texts: suggestedNames }}
          onSubmit={(name) => {
            setRenaming(null);
            if (renaming.assigns === 'following') {
              edits.split(renaming.paragraph, renaming.label, name);
              return;
            }
            edits.name(renaming.label, name);
            if (renaming.assigns === 'one') edits.assign(renaming.paragraph, renaming.label);
          }}
          onCancel={() => setRenaming(null)}
        />
      )}
    </>
  );
}

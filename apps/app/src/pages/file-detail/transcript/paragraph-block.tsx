import type { LocalParagraph } from '@linnet/sync';
import Bookmark from 'lucide-react/icons/bookmark';
import Check from 'lucide-react/icons/check';
import Ellipsis from 'lucide-react/icons/ellipsis';
import X from 'lucide-react/icons/x';
import { memo, useMemo } from 'react';
import { formatClock, isolate } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { IconButton } from '../../../ui/button.tsx';
import { preloadMenu } from '../../../ui/menu.tsx';
import { ParagraphEditor } from './paragraph-editor.tsx';
import { offsetAtPoint } from './spoken-word.ts';
import { splitByConfidence, wordAtOffset } from './words.ts';

/** Actions on a paragraph. */
export type ParagraphActions = {
  play(time: number): void;
  /**
   * Saves the edited text.
   * @param byUser true if the user saved with a button or shortcut, false on blur
   */
  save(paragraph: LocalParagraph, content: string, byUser: boolean): void;
  draft(paragraph: LocalParagraph, text: string): void;
  leave(paragraph: LocalParagraph): void;
  mark(paragraph: LocalParagraph): void;
  menu(paragraph: LocalParagraph, anchor: Element): void;
  speakers(paragraph: LocalParagraph, anchor: Element): void;
  /** Confirms the name proposed for the speaker, or dismisses it. */
  answerProposal(speaker: string, name: string, isRight: boolean): void;
};

/** Shows a paragraph with its speaker, time, text and actions. */
export const ParagraphBlock = memo(function ParagraphBlock({
  paragraph,
  voice,
  voiceName,
  proposal,
  spoken,
  isTarget,
  editing,
  draft,
  actions,
}: {
  paragraph: LocalParagraph;
  /** The speaker's color (`--voice-…`), or null if speakers aren't distinguished. */
  voice: number | null;
  /** The speaker's name. */
  voiceName: string;
  /** The name proposed for the speaker, or null if this paragraph doesn't show it. */
  proposal: string | null;
  spoken: boolean;
  /** Whether the paragraph is the target of the most recently followed link. */
  isTarget: boolean;
  editing: boolean;
  /** Text typed into the paragraph before a reload, or null. */
  draft: string | null;
  actions: ParagraphActions;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const text = useMemo(() => splitByConfidence(paragraph), [paragraph]);
  const begin = formatClock(paragraph.start_time, language);
  const isMarked = paragraph.is_tag === 1;
  const isChanged = paragraph.edited && paragraph.original !== paragraph.content;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keyboard users can use the time button.
    // biome-ignore lint/a11y/useKeyWithClickEvents: keyboard users can use the time button.
    <div
      className="paragraph"
      data-testid="paragraph"
      data-paragraph-id={paragraph.id}
      data-start={paragraph.start_time}
      data-spoken={spoken || undefined}
      data-target={isTarget || undefined}
      data-marked={isMarked || undefined}
      data-voice={voice ?? undefined}
      onClick={(event) => {
        if (editing || (event.target as Element).closest('button')) return;
        // Selecting text must not start playback.
        if (!window.getSelection()?.isCollapsed) return;
        const offset = offsetAtPoint(event.currentTarget, event.clientX, event.clientY);
        const word = offset === null ? null : wordAtOffset(paragraph, offset);
        const time = word === null ? undefined : paragraph.words?.[word]?.start;
        actions.play(time ?? paragraph.start_time);
      }}
    >
      <div className="paragraph-head">
        {voice !== null && (
          <button
            type="button"
            className="paragraph-speaker"
            aria-label={t('transcript.speakerOf', { name: voiceName })}
            aria-haspopup="menu"
            data-testid="paragraph-speaker"
            onPointerEnter={preloadMenu}
            onClick={(event) => actions.speakers(paragraph, event.currentTarget)}
          >
            <bdi>{voiceName}</bdi>
          </button>
        )}
        <button
          type="button"
          className="paragraph-time tabular"
          aria-label={t('detail.playFrom', { time: begin })}
          onClick={() => actions.play(paragraph.start_time)}
        >
          {begin}
        </button>
        {isChanged && <span className="paragraph-edited">{t('transcript.edited')}</span>}
        {!editing && (
          <span className="paragraph-actions">
            <IconButton
              label={t('transcript.mark')}
              aria-pressed={isMarked}
              data-testid="paragraph-mark"
              onClick={() => actions.mark(paragraph)}
            >
              <Bookmark size={18} fill={isMarked ? 'currentColor' : 'none'} />
            </IconButton>
            <IconButton
              label={t('transcript.more', { time: begin })}
              aria-haspopup="menu"
              data-testid="paragraph-more"
              onPointerEnter={preloadMenu}
              onClick={(event) => actions.menu(paragraph, event.currentTarget)}
            >
              <Ellipsis size={18} />
            </IconButton>
          </span>
        )}
      </div>
      {proposal !== null && (
        <Proposal
          name={proposal}
          onAnswer={(isRight) => {
            if (paragraph.speaker === undefined) return;
            actions.answerProposal(paragraph.speaker, proposal, isRight);
          }}
        />
      )}
      {editing ? (
        <ParagraphEditor
          content={paragraph.content}
          draft={draft}
          onDraft={(text) => actions.draft(paragraph, text)}
          onSave={(content, byUser) => actions.save(paragraph, content, byUser)}
          onLeave={() => actions.leave(paragraph)}
        />
      ) : (
        <p className="paragraph-text" dir="auto">
          {text.map((piece) =>
            piece.uncertain ? (
              <span key={piece.start} className="paragraph-uncertain">
                {piece.text}
              </span>
            ) : (
              piece.text
            ),
          )}
        </p>
      )}
    </div>
  );
});

/** Asks whether a speaker has the proposed name. */
function Proposal({ name, onAnswer }: { name: string; onAnswer(isRight: boolean): void }) {
  const { t } = useTranslation();
  return (
    <span className="proposal" data-testid="proposal">
      <span className="proposal-name">{t('transcript.proposal', { name: isolate(name) })}</span>
      <IconButton
        label={t('transcript.confirmName', { name: isolate(name) })}
        data-testid="proposal-confirm"
        onClick={() => onAnswer(true)}
      >
        <Check size={18} />
      </IconButton>
      <IconButton
        label={t('transcript.dismissName', { name: isolate(name) })}
        data-testid="proposal-dismiss"
        onClick={() => onAnswer(false)}
      >
        <X size={18} />
      </IconButton>
    </span>
  );
}

import type { LocalParagraph } from '@linnet/sync';
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import ArrowDown from 'lucide-react/icons/arrow-down';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { useLocation, useNavigationType, useSearchParams } from 'react-router';
import { useTranslation } from '../../../i18n/index.ts';
import { speakerName } from '../../../i18n/speaker-name.ts';
import { useNoteEdits } from '../../../page-kit/note-edits.ts';
import { useServices } from '../../../page-kit/services-context.ts';
import { Button } from '../../../ui/button.tsx';
import { NoteList } from '../notes/note-list.tsx';
import { notesByParagraph } from '../notes/notes-by-paragraph.ts';
import type { OpenRecord } from '../open-record.ts';
import type { Player } from '../player/use-player.ts';
import type { Match } from './find.ts';
import { useMatchHighlight } from './match-highlight.ts';
import { type ParagraphActions, ParagraphBlock } from './paragraph-block.tsx';
import { proposalPlaces, speakerLabels, voiceColor } from './speakers.ts';
import { useSpokenWord } from './spoken-word.ts';
import { type OpenMenu, TranscriptMenus } from './transcript-menus.tsx';
import { useFollow } from './use-follow.ts';
import { useScroller } from './use-scroller.ts';
import type { TranscriptEdits } from './use-transcript-edits.ts';
import { VersionsDialog } from './versions-dialog.tsx';
import { paragraphAtTime } from './words.ts';
import './transcript.css';

/** Header height in pixels, for estimating the height of paragraphs that haven't been measured yet. */
const headPixels = 60;
/** Line height in pixels, for the same estimate. */
const linePixels = 26;
/** Number of characters per line, for the same estimate. */
const charactersPerLine = 64;
/** Estimated height of a note in pixels. */
const notePixels = 44;
/** Heights in pixels of the bars that overlap the scroll container. */
const barHeightAbove = 112;
const barHeightBelow = 64;
const gapPixels = 4;
const overscan = 6;

/** Shows the transcript with virtual scrolling. During playback, highlights the spoken paragraph and word. */
export function Transcript({
  record,
  paragraphs,
  player,
  edits,
  hits,
  hit,
  onRange,
}: {
  record: OpenRecord;
  /** The paragraphs to show. */
  paragraphs: readonly LocalParagraph[];
  player: Player;
  edits: TranscriptEdits;
  /** All matches, and the current one. */
  hits: readonly Match[];
  hit: Match | null;
  /** Opens the form for transcribing from a paragraph on; null if that isn't possible now. */
  onRange: ((paragraph: LocalParagraph) => void) | null;
}) {
  const { t } = useTranslation();
  const { content, speakers, notes, proposals } = record;
  const proposalsAt = useMemo(() => proposalPlaces(content, proposals), [content, proposals]);
  const labels = useMemo(() => speakerLabels(content, speakers), [content, speakers]);
  const getName = (label: string) => speakerName(t, label, speakers);
  const noteEdits = useNoteEdits(record.id);
  const notesAt = useMemo(() => notesByParagraph(notes, content), [notes, content]);
  const container = useRef<HTMLDivElement>(null);
  const { scroller, margin } = useScroller(container);
  const { drafts } = useServices();
  // The paragraph being edited, with any text typed before a reload, or null.
  const [edit, setEdit] = useState<{ readonly id: string; readonly text: string | null } | null>(
    () => drafts.read('paragraph', record.id),
  );
  const editedId = edit?.id ?? null;
  // Whether the pointer was pressed while a paragraph was being edited.
  const endsEdit = useRef(false);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const [versionsParagraph, setVersionsParagraph] = useState<LocalParagraph | null>(null);
  const indexById = useMemo(
    () => new Map(paragraphs.map(({ id }, index) => [id, index])),
    [paragraphs],
  );
  const pinned = editedId === null ? undefined : indexById.get(editedId);

  const list = useVirtualizer({
    count: paragraphs.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => {
      const { id = '', content: text = '' } = paragraphs[index] ?? {};
      const lines = Math.ceil(text.length / charactersPerLine);
      return headPixels + linePixels * lines + notePixels * (notesAt.get(id)?.length ?? 0);
    },
    getItemKey: (index) => paragraphs[index]?.id ?? index,
    // Keep a paragraph rendered while it is being edited, even when it is out of view.
    rangeExtractor: (range: Range) => {
      const indexes = defaultRangeExtractor(range);
      if (pinned === undefined || indexes.includes(pinned)) return indexes;
      return [...indexes, pinned].sort((a, b) => a - b);
    },
    scrollMargin: margin,
    scrollPaddingStart: barHeightAbove,
    scrollPaddingEnd: barHeightBelow,
    gap: gapPixels,
    overscan,
  });
  const items = list.getVirtualItems();

  // The selector makes React render only when the spoken paragraph changes. Words are highlighted outside React.
  const spokenId = useSyncExternalStore(player.position.subscribe, () => {
    const position = player.position.get();
    return position > 0 ? (content[paragraphAtTime(content, position)]?.id ?? null) : null;
  });
  const spokenIndex = spokenId === null ? -1 : (indexById.get(spokenId) ?? -1);
  const isSpokenRendered = items.some(({ index }) => index === spokenIndex);
  const renderedKeys = items.map(({ key }) => key).join();
  useSpokenWord(
    container,
    editedId === spokenId ? null : (paragraphs[spokenIndex] ?? null),
    player,
    renderedKeys,
  );
  useMatchHighlight(container, hits, hit, renderedKeys);

  const findElement = useCallback(
    (id: string | undefined) =>
      container.current?.querySelector<HTMLElement>(
        `[data-paragraph-id="${CSS.escape(id ?? '')}"]`,
      ),
    [],
  );
  const reveal = (index: number) => {
    const block = findElement(paragraphs[index]?.id);
    if (block) block.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
    else list.scrollToIndex(index, { align: 'center' });
  };
  const { following, follow, stopFollowing } = useFollow(
    scroller,
    spokenIndex,
    player.playing,
    reveal,
  );

  const scrollTo = useRef<(id: string) => void>(() => {});
  scrollTo.current = (id) => {
    const index = indexById.get(id);
    if (index === undefined) return;
    stopFollowing();
    list.scrollToIndex(index, { align: 'center' });
  };
  useEffect(() => {
    if (hit) scrollTo.current(hit.paragraph);
  }, [hit]);

  // Links from the search and the analysis have a target paragraph.
  const [parameters] = useSearchParams();
  const target = parameters.get('paragraph');
  // Don't restart playback after a reload or when the user navigates back.
  const isBackNavigation = useNavigationType() === 'POP';
  const playFrom = parameters.get('play');
  const { key: navigationKey } = useLocation();
  const [targetId, setTargetId] = useState<string | null>(null);
  const isTargetRendered = targetId !== null && items.some(({ key }) => key === targetId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: following the same link again navigates again.
  useEffect(() => {
    const paragraph =
      content.find(({ id }) => id === target) ??
      (playFrom === null ? undefined : content[paragraphAtTime(content, Number(playFrom))]);
    if (!paragraph) return;
    if (playFrom === null || isBackNavigation) player.seek(paragraph.start_time);
    else player.playFrom(paragraph.start_time);
    setTargetId(paragraph.id);
    scrollTo.current(paragraph.id);
  }, [target, navigationKey, margin === 0]);
  useEffect(() => {
    if (!isTargetRendered || targetId === null) return;
    findElement(targetId)
      ?.querySelector<HTMLElement>('.paragraph-time')
      ?.focus({ preventScroll: true });
  }, [isTargetRendered, targetId, findElement]);

  const latest = useRef({ player, edits, follow });
  latest.current = { player, edits, follow };
  const endEdit = useCallback(() => {
    drafts.write('paragraph', null, record.id);
    setEdit(null);
  }, [drafts, record.id]);
  /** Closes the editor and returns focus to the paragraph's menu button. */
  const closeEditor = useCallback(
    (id: string) => {
      flushSync(endEdit);
      findElement(id)
        ?.querySelector<HTMLElement>('[aria-haspopup="menu"]:last-child')
        ?.focus({ preventScroll: true });
    },
    [findElement, endEdit],
  );
  const actions = useMemo<ParagraphActions>(
    () => ({
      play(time) {
        latest.current.player.playFrom(time);
        latest.current.follow();
      },
      save(paragraph, text, byUser) {
        if (byUser) closeEditor(paragraph.id);
        else endEdit();
        latest.current.edits.write(paragraph, text);
      },
      draft: ({ id }, text) => drafts.write('paragraph', { id, text }, record.id),
      leave: ({ id }) => closeEditor(id),
      mark: (paragraph) => latest.current.edits.mark(paragraph),
      menu: (paragraph, anchor) => setMenu({ kind: 'paragraph', paragraph, anchor }),
      speakers: (paragraph, anchor) => setMenu({ kind: 'speakers', paragraph, anchor }),
      answerProposal(speaker, name, isRight) {
        if (isRight) latest.current.edits.name(speaker, name);
        else latest.current.edits.dismissProposal(speaker);
      },
    }),
    [closeEditor, endEdit, drafts, record.id],
  );

  return (
    <div className="transcript" data-notes={notesAt.size > 0 || undefined}>
      {/* biome-ignore lint/a11y/useSemanticElements: most of the list is not rendered. */}
      <div
        ref={container}
        role="list"
        className="transcript-list"
        data-testid="transcript"
        aria-label={t('detail.transcription')}
        // A press that ends an edit must not also start playback.
        onPointerDownCapture={() => {
          endsEdit.current = editedId !== null;
        }}
        onClickCapture={(event) => {
          const isOnText = !(event.target as Element).closest('button, textarea');
          if (endsEdit.current && isOnText) event.stopPropagation();
        }}
        style={{ blockSize: list.getTotalSize() }}
      >
        {items.map(({ key, index, start }) => {
          const paragraph = paragraphs[index];
          if (!paragraph) return null;
          const { id, speaker } = paragraph;
          const paragraphNotes = notesAt.get(id);
          return (
            // biome-ignore lint/a11y/useSemanticElements: as the list
            <div
              key={key}
              ref={list.measureElement}
              role="listitem"
              aria-setsize={paragraphs.length}
              aria-posinset={index + 1}
              data-index={index}
              className="transcript-item"
              style={{ transform: `translateY(${start - margin}px)` }}
              onAnimationEnd={() => targetId === id && setTargetId(null)}
            >
              {paragraphNotes && (
                <NoteList notes={paragraphNotes} edits={noteEdits} onPlay={actions.play} />
              )}
              <ParagraphBlock
                paragraph={paragraph}
                voice={speaker === undefined ? null : voiceColor(labels, speaker)}
                voiceName={speaker === undefined ? '' : getName(speaker)}
                proposal={proposalsAt.get(id) ?? null}
                spoken={index === spokenIndex}
                isTarget={id === targetId}
                editing={id === editedId}
                draft={id === editedId ? (edit?.text ?? null) : null}
                actions={actions}
              />
            </div>
          );
        })}
      </div>
      {!following && spokenIndex >= 0 && (player.playing || !isSpokenRendered) && (
        <div className="transcript-follow">
          <Button icon={<ArrowDown size={18} />} data-testid="follow" onClick={follow}>
            {t('transcript.follow')}
          </Button>
        </div>
      )}
      <TranscriptMenus
        open={menu}
        content={record.content}
        labels={labels}
        speakerName={getName}
        edits={edits}
        onEdit={({ id }) => setEdit({ id, text: null })}
        onVersions={setVersionsParagraph}
        onRange={onRange}
        onOpen={setMenu}
      />
      {versionsParagraph && (
        <VersionsDialog
          record={record}
          paragraph={content.find(({ id }) => id === versionsParagraph.id) ?? versionsParagraph}
          onUse={(text) => {
            setVersionsParagraph(null);
            edits.write(versionsParagraph, text);
          }}
          onClose={() => setVersionsParagraph(null)}
        />
      )}
    </div>
  );
}

import type { Paragraph } from '@linnet/contract';
import { memo, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { clock } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { offsetAtPoint, useSpokenWord } from './spoken-word.ts';
import type { Player } from './use-player.ts';
import { paragraphAtTime, pieces, wordAtOffset } from './words.ts';

const ParagraphBlock = memo(function ParagraphBlock({
  paragraph,
  spoken,
  onPlay,
}: {
  paragraph: Paragraph;
  spoken: boolean;
  onPlay(time: number): void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const text = useMemo(() => pieces(paragraph), [paragraph]);
  const begin = clock(paragraph.start_time, language);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its time is a button for the keyboard.
    // biome-ignore lint/a11y/useKeyWithClickEvents: its time is a button for the keyboard.
    <div
      className="paragraph"
      data-testid="paragraph"
      data-paragraph-id={paragraph.id}
      data-start={paragraph.start_time}
      data-spoken={spoken || undefined}
      onClick={(event) => {
        // Marking words to copy them is not a wish to hear them.
        if (!window.getSelection()?.isCollapsed) return;
        const offset = offsetAtPoint(event.currentTarget, event.clientX, event.clientY);
        const word = offset === null ? null : wordAtOffset(paragraph, offset);
        onPlay((word === null ? null : paragraph.words?.[word]?.start) ?? paragraph.start_time);
      }}
    >
      <p className="paragraph-head">
        {paragraph.speaker && <span className="paragraph-speaker">{paragraph.speaker}</span>}
        <button
          type="button"
          className="paragraph-time tabular"
          aria-label={t('detail.playFrom', { time: begin })}
          onClick={(event) => {
            event.stopPropagation();
            onPlay(paragraph.start_time);
          }}
        >
          {begin}
        </button>
      </p>
      <p className="paragraph-text" dir="auto">
        {text.map((piece) =>
          piece.unsure ? (
            <span key={piece.start} className="paragraph-unsure">
              {piece.text}
            </span>
          ) : (
            piece.text
          ),
        )}
      </p>
    </div>
  );
});

/** The paragraphs; the spoken one and its spoken word are marked while it plays. */
export function Transcript({
  paragraphs,
  player,
}: {
  paragraphs: readonly Paragraph[];
  player: Player;
}) {
  const container = useRef<HTMLDivElement>(null);
  // Only a change of paragraph draws anew; words are marked without React.
  const spoken = useSyncExternalStore(player.position.subscribe, () => {
    const position = player.position.get();
    return position > 0 ? paragraphAtTime(paragraphs, position) : -1;
  });
  useSpokenWord(container, paragraphs[spoken] ?? null, player);

  const { playing } = player;
  useEffect(() => {
    if (!playing || spoken < 0) return;
    const block = container.current?.children[spoken];
    block?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  }, [spoken, playing]);

  return (
    <div className="transcript" ref={container}>
      {paragraphs.map((paragraph, index) => (
        <ParagraphBlock
          key={paragraph.id}
          paragraph={paragraph}
          spoken={index === spoken}
          onPlay={player.playFrom}
        />
      ))}
    </div>
  );
}

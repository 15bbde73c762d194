import type { Paragraph } from '@linnet/contract';
import { useEffect, useRef } from 'react';
import { findSilences, hasWordIn, type Silence } from './silence.ts';
import type { Player } from './use-player.ts';

/** Length of an analyzed chunk, and how far the analysis stays ahead of playback, in seconds. */
const chunkSeconds = 30;
const aheadSeconds = 10;

/** During playback, skips silent sections that have no transcribed word. */
export function useSkipSilence(player: Player, paragraphs: readonly Paragraph[]): void {
  const { levels, skipsSilence, playing, position, seek } = player;
  const latestParagraphs = useRef(paragraphs);
  latestParagraphs.current = paragraphs;
  useEffect(() => {
    if (!levels || !skipsSilence || !playing) return;
    let isDisposed = false;
    let isReading = false;
    let isReadable = true;
    /** The analyzed range and its silences. */
    let analyzed = { from: 0, to: 0 };
    let silences: Silence[] = [];
    const analyze = async (from: number) => {
      isReading = true;
      try {
        const chunk = await levels.read(from, from + chunkSeconds);
        if (isDisposed) return;
        const isContiguous = analyzed.to === from && analyzed.to > analyzed.from;
        analyzed = { from: isContiguous ? analyzed.from : from, to: from + chunkSeconds };
        const chunkSilences = findSilences(chunk, levels.step, from);
        silences = [...(isContiguous ? silences : []), ...chunkSilences].filter(
          (silence) => !hasWordIn(silence, latestParagraphs.current),
        );
      } catch {
        // Audio that can't be analyzed is played without skipping. The player reports its own failures.
        isReadable = false;
      } finally {
        isReading = false;
      }
    };
    const onPosition = () => {
      const now = position.get();
      const silence = silences.find(({ from, to }) => now >= from && now < to);
      if (silence) seek(silence.to);
      if (isReading || !isReadable) return;
      if (now < analyzed.from || now >= analyzed.to) void analyze(now);
      else if (now > analyzed.to - aheadSeconds) void analyze(analyzed.to);
    };
    onPosition();
    const unsubscribe = position.subscribe(onPosition);
    return () => {
      isDisposed = true;
      unsubscribe();
    };
  }, [levels, skipsSilence, playing, position, seek]);
}

import type { Paragraph } from '@linnet/contract';
import { useEffect, useRef } from 'react';
import { isSpokenIn, type Silence, silences } from './silence.ts';
import type { Player } from './use-player.ts';

/** Length of audio analyzed at once, and how far ahead of playback. Seconds. */
const stretchSeconds = 30;
const aheadSeconds = 10;

/** Skips silence during playback: sections that are silent and contain no transcribed word. */
export function useSkipSilence(player: Player, paragraphs: readonly Paragraph[]): void {
  const { levels, skipsSilence, playing, position, seek } = player;
  const words = useRef(paragraphs);
  words.current = paragraphs;
  useEffect(() => {
    if (!levels || !skipsSilence || !playing) return;
    let gone = false;
    let reading = false;
    let readable = true;
    /** The analyzed range and its silences. */
    let known = { from: 0, to: 0 };
    let found: Silence[] = [];
    const analyze = async (from: number) => {
      reading = true;
      try {
        const part = await levels.read(from, from + stretchSeconds);
        if (gone) return;
        const inOne = known.to === from && known.to > known.from;
        known = { from: inOne ? known.from : from, to: from + stretchSeconds };
        const here = silences(part, levels.step, from);
        found = [...(inOne ? found : []), ...here].filter((one) => !isSpokenIn(one, words.current));
      } catch {
        // Unreadable audio is played without skipping; the player reports failures.
        readable = false;
      } finally {
        reading = false;
      }
    };
    const move = () => {
      const now = position.get();
      const silence = found.find(({ from, to }) => now >= from && now < to);
      if (silence) seek(silence.to);
      if (reading || !readable) return;
      if (now < known.from || now >= known.to) void analyze(now);
      else if (now > known.to - aheadSeconds) void analyze(known.to);
    };
    move();
    const unsubscribe = position.subscribe(move);
    return () => {
      gone = true;
      unsubscribe();
    };
  }, [levels, skipsSilence, playing, position, seek]);
}

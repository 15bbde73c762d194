import type { Paragraph } from '@linnet/contract';
import { useEffect, useRef } from 'react';
import { isSpokenIn, type Silence, silences } from './silence.ts';
import type { Player } from './use-player.ts';

/** How much of the sound is looked at in one go, and how long before it is reached. Seconds. */
const stretchSeconds = 30;
const aheadSeconds = 10;

/** Jumps over silence while it plays: over what the sound itself says is silent, and no word is in. */
export function useSkipSilence(player: Player, paragraphs: readonly Paragraph[]): void {
  const { levels, skipsSilence, playing, position, seek } = player;
  const words = useRef(paragraphs);
  words.current = paragraphs;
  useEffect(() => {
    if (!levels || !skipsSilence || !playing) return;
    let gone = false;
    let reading = false;
    let readable = true;
    /** What of the sound was looked at, and the silences in it. */
    let known = { from: 0, to: 0 };
    let found: Silence[] = [];
    const look = async (from: number) => {
      reading = true;
      try {
        const part = await levels.read(from, from + stretchSeconds);
        if (gone) return;
        const inOne = known.to === from && known.to > known.from;
        known = { from: inOne ? known.from : from, to: from + stretchSeconds };
        const here = silences(part, levels.step, from);
        found = [...(inOne ? found : []), ...here].filter((one) => !isSpokenIn(one, words.current));
      } catch {
        // What cannot be looked at is played as it is; what is wrong with it the player says.
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
      if (now < known.from || now >= known.to) void look(now);
      else if (now > known.to - aheadSeconds) void look(known.to);
    };
    move();
    const unsubscribe = position.subscribe(move);
    return () => {
      gone = true;
      unsubscribe();
    };
  }, [levels, skipsSilence, playing, position, seek]);
}

import { milliseconds } from '../milliseconds.ts';
import type { SpeakerTurn } from './port.ts';

/**
 * Turns in order of time, with speakers numbered as they are first heard, inside the audio. Engines number
 * them as they please.
 * @param seconds length of the audio
 */
export function inOrderOfAppearance(
  turns: readonly SpeakerTurn[],
  seconds: number,
): readonly SpeakerTurn[] {
  const numbers = new Map<number, number>();
  return turns
    .map(({ start, end, speaker }) => ({
      start: milliseconds(Math.max(0, start)),
      end: milliseconds(Math.min(seconds, end)),
      speaker,
    }))
    .filter(({ start, end }) => end > start)
    .sort((a, b) => a.start - b.start || a.end - b.end || a.speaker - b.speaker)
    .map((turn) => {
      const number = numbers.get(turn.speaker) ?? numbers.size;
      numbers.set(turn.speaker, number);
      return { ...turn, speaker: number };
    });
}

import { roundToMilliseconds } from '../milliseconds.ts';
import type { SpeakerTurn } from './port.ts';

/**
 * Sorts turns by time, clamps them to the audio, and numbers the speakers in order of first appearance, because engines
 * number speakers arbitrarily.
 * @param seconds length of the audio
 */
export function numberByAppearance(
  turns: readonly SpeakerTurn[],
  seconds: number,
): readonly SpeakerTurn[] {
  const numbers = new Map<number, number>();
  return turns
    .map(({ start, end, speaker }) => ({
      start: roundToMilliseconds(Math.max(0, start)),
      end: roundToMilliseconds(Math.min(seconds, end)),
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

/**
 * Decides where to cut the audio of a live recording, so each slice can be recognized as soon as a speaker pauses. A
 * settled slice is final. The audio after it is the open part, whose text may be shown as tentative until it is settled.
 * Decisions depend only on the loudness. Lengths and positions are in packets of 20 ms.
 */
import { PACKET_MS } from '@linnet/audio/format';

const packets = (seconds: number) => Math.round((seconds * 1000) / PACKET_MS);

/**
 * Minimum length of a slice. Engines need some audio to adapt to the channel and to use context, but a longer slice takes
 * longer to recognize. Of 5, 6, 7 and 8 seconds, 6 gave the lowest word error rate with PocketSphinx on the talk in
 * `npm run bench -- talk-live` (1.9%, compared with 2.9% for 8).
 */
const MIN_SLICE_PACKETS = packets(6);
/** Maximum length of a slice. Limits the engine's memory use and how late the text appears. */
const MAX_SLICE_PACKETS = packets(20);
/** Shortest pause after which text is worth recognizing. Pauses between words are shorter. */
const PAUSE_PACKETS = packets(0.5);
/** Pause after which even a short slice is settled, because later speech can't change how it is recognized. */
const LONG_PAUSE_PACKETS = packets(2);
/** Quiet packets kept around speech, because unvoiced sounds start and end below the threshold. */
const MARGIN_PACKETS = packets(0.3);
/** Half the width of the window used to find the quietest point in speech without a pause. */
const QUIET_HALF_PACKETS = packets(0.14);
/** Level of digital silence: anything below −60 dB of full scale, as in `slices.ts`. */
const SILENCE_RMS = 33;
/** Minimum level of speech above the noise floor: 8 decibels, as in `level.ts`. */
const ABOVE_FLOOR = 10 ** (8 / 20);
/** Width of the moving average of the loudness, shorter than a syllable. */
const SMOOTHING = 3;

/** A decision about the open part of a recording. Positions are relative to its start. */
export type Cut =
  /** The first `to` packets contain no speech. */
  | { readonly kind: 'silence'; readonly to: number }
  /** The first `to` packets are complete. The speech in them ends at `speechEnd`. */
  | { readonly kind: 'settle'; readonly to: number; readonly speechEnd: number }
  /** There is a pause at `to`, but the slice is still too short to settle. Its text can be shown as tentative. */
  | { readonly kind: 'tentative'; readonly to: number; readonly speechEnd: number }
  | { readonly kind: 'wait' };

/** A pause that follows speech. */
interface Pause {
  /** The first packet of the pause, where the speech ends. */
  readonly speechEnd: number;
  /** Length in packets. */
  readonly length: number;
  /** Where to cut within the pause. */
  readonly to: number;
}

/**
 * Plans the next cut: at the first pause that makes the slice long enough, or tentatively at the latest pause. Speech
 * may have continued after the pause, because packets arrive in batches that rarely end in a pause.
 * @param loudness root mean square of each packet in the open part
 * @param floor the lowest loudness in the ten seconds before the open part, or infinity at the start of the recording
 * @param ended whether this is the end of the recording
 */
export function planCut(loudness: readonly number[], floor: number, ended: boolean): Cut {
  const { length } = loudness;
  if (length === 0) return { kind: 'wait' };
  const smooth = smoothLevels(loudness);
  const threshold = Math.max(SILENCE_RMS, Math.min(floor, ...smooth) * ABOVE_FLOOR);
  const isLoud = smooth.map((level) => level > threshold);
  const firstLoudIndex = isLoud.indexOf(true);
  if (firstLoudIndex < 0) {
    if (ended) return quietPart(smooth, Math.min(length, MAX_SLICE_PACKETS));
    return length >= MIN_SLICE_PACKETS
      ? quietPart(smooth, Math.min(length, MAX_SLICE_PACKETS) - MARGIN_PACKETS)
      : { kind: 'wait' };
  }
  if (firstLoudIndex >= LONG_PAUSE_PACKETS)
    return quietPart(smooth, Math.min(firstLoudIndex, MAX_SLICE_PACKETS) - MARGIN_PACKETS);
  if (ended && length <= MAX_SLICE_PACKETS) {
    return { kind: 'settle', to: length, speechEnd: isLoud.lastIndexOf(true) + 1 };
  }
  const pauses = findPauses(isLoud, firstLoudIndex).filter(({ to }) => to <= MAX_SLICE_PACKETS);
  // Take the first pause that is long or late enough: short slices keep the delay short when a lot of audio has arrived.
  const end = pauses.find(
    ({ to, length }) => to >= MIN_SLICE_PACKETS || length >= LONG_PAUSE_PACKETS,
  );
  if (end) return { kind: 'settle', to: end.to, speechEnd: end.speechEnd };
  if (length > MAX_SLICE_PACKETS) {
    const to = quietest(smooth, MIN_SLICE_PACKETS, MAX_SLICE_PACKETS);
    return { kind: 'settle', to, speechEnd: to };
  }
  const latest = pauses.at(-1);
  return latest
    ? { kind: 'tentative', to: latest.to, speechEnd: latest.speechEnd }
    : { kind: 'wait' };
}

/** Returns the pauses after the first loud packet. */
function findPauses(isLoud: readonly boolean[], firstLoudIndex: number): Pause[] {
  const pauses: Pause[] = [];
  let speechEnd = firstLoudIndex;
  for (let index = firstLoudIndex; index <= isLoud.length; index += 1) {
    if (index < isLoud.length && !isLoud[index]) continue;
    const length = index - speechEnd;
    if (length >= PAUSE_PACKETS) {
      pauses.push({
        speechEnd,
        length,
        to: speechEnd + Math.min(MARGIN_PACKETS, Math.floor(length / 2)),
      });
    }
    speechEnd = index + 1;
  }
  return pauses;
}

/**
 * Returns the cut for audio without speech above the threshold. Only audio close to digital silence is skipped, because distant
 * speech may be quiet, too.
 */
function quietPart(smooth: readonly number[], to: number): Cut {
  const isSilent = smooth.slice(0, to).every((level) => level <= SILENCE_RMS);
  return isSilent ? { kind: 'silence', to } : { kind: 'settle', to, speechEnd: to };
}

/** Returns the middle of the quietest range within [from, to]. */
function quietest(levels: readonly number[], from: number, to: number): number {
  const sumAround = (middle: number) =>
    levels
      .slice(middle - QUIET_HALF_PACKETS, middle + QUIET_HALF_PACKETS)
      .reduce((sum, level) => sum + level, 0);
  let best = from;
  let least = Number.POSITIVE_INFINITY;
  for (let middle = from; middle <= to; middle += 1) {
    const sum = sumAround(middle);
    if (sum < least) {
      best = middle;
      least = sum;
    }
  }
  return best;
}

/** Computes the centered moving average. */
function smoothLevels(levels: readonly number[]): number[] {
  const half = Math.floor(SMOOTHING / 2);
  return levels.map((_, index) => {
    const nearbyLevels = levels.slice(Math.max(0, index - half), index + half + 1);
    return nearbyLevels.reduce((sum, level) => sum + level, 0) / nearbyLevels.length;
  });
}

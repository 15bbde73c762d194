/** Divides a recording into the pieces that are sent. Pure: loudness in, pieces out. */
import type { SpeechSegment } from '../../voice/port.ts';
import { FRAME_SECONDS, planSlices } from '../slices.ts';

/** Seconds of the recording. */
export interface Piece {
  /** Start of the span it represents. Pieces are in order, and these spans do not overlap. */
  readonly from: number;
  readonly to: number;
  /** Start of the audio that is sent. */
  readonly audioFrom: number;
  readonly audioTo: number;
}

/** Seconds by which a piece begins earlier and ends later than what it stands for: a few words in each direction. */
export const OVERLAP_SECONDS = 2.5;
/** Silence that is cheaper to send than to ask once more: what engines of this kind hear at once. */
const WORTHLESS_SECONDS = 30;

/**
 * @param loudness one value per `FRAME_SECONDS`
 * @param segments where somebody speaks; everywhere that is not silent when left out
 * @param longest seconds that are sent at most
 */
export function planPieces(
  loudness: Float32Array,
  segments: readonly SpeechSegment[] | undefined,
  longest: number,
): Piece[] {
  const own = longest - 2 * OVERLAP_SECONDS;
  const heard = segments ? silenceBetween(loudness, segments) : loudness;
  const slices = planSlices(heard, { shortest: own / 2, longest: own });
  const end = loudness.length * FRAME_SECONDS;
  const runs: { from: number; to: number }[] = [];
  for (const slice of slices) {
    const [from, to] = [slice.from * FRAME_SECONDS, slice.to * FRAME_SECONDS];
    const run = runs.at(-1);
    if (run && to - run.from <= own && from - run.to < WORTHLESS_SECONDS) run.to = to;
    else runs.push({ from, to });
  }
  return runs.map(({ from, to }) => ({
    from,
    to,
    audioFrom: Math.max(0, from - OVERLAP_SECONDS),
    audioTo: Math.min(end, to + OVERLAP_SECONDS),
  }));
}

function silenceBetween(loudness: Float32Array, segments: readonly SpeechSegment[]): Float32Array {
  const heard = new Float32Array(loudness.length);
  for (const { start, end } of segments) {
    const from = Math.max(0, Math.floor(start / FRAME_SECONDS));
    heard.set(loudness.subarray(from, Math.max(from, Math.ceil(end / FRAME_SECONDS))), from);
  }
  return heard;
}

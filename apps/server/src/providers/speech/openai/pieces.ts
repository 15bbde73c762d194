/** Divides a recording into pieces for upload, based only on its loudness. */
import type { SpeechSegment } from '../../voice/port.ts';
import { FRAME_SECONDS, planSlices } from '../slices.ts';

/** A piece of a recording. Times are in seconds. */
export interface Piece {
  /** Start of the span that the piece represents. Pieces are in order, and their spans don't overlap. */
  readonly from: number;
  readonly to: number;
  /** Start of the uploaded audio, which includes the overlap. */
  readonly audioFrom: number;
  readonly audioTo: number;
}

/** Overlap in seconds added at both ends of a piece: a few words. */
export const OVERLAP_SECONDS = 2.5;
/**
 * Maximum silence within a piece, in seconds. Equal to Whisper's window, so uploading a longer silence costs more than
 * another request.
 */
const MAX_GAP_SECONDS = 30;

/**
 * Plans the pieces of a recording.
 * @param loudness one value per `FRAME_SECONDS`
 * @param segments speech segments, by default everything that isn't silent
 * @param maxSeconds maximum seconds per piece, including the overlap
 */
export function planPieces(
  loudness: Float32Array,
  segments: readonly SpeechSegment[] | undefined,
  maxSeconds: number,
): Piece[] {
  const maxSpan = maxSeconds - 2 * OVERLAP_SECONDS;
  const speech = segments ? muteOutside(loudness, segments) : loudness;
  const slices = planSlices(speech, { shortest: maxSpan / 2, longest: maxSpan });
  const end = loudness.length * FRAME_SECONDS;
  const runs: { from: number; to: number }[] = [];
  for (const slice of slices) {
    const [from, to] = [slice.from * FRAME_SECONDS, slice.to * FRAME_SECONDS];
    const run = runs.at(-1);
    if (run && to - run.from <= maxSpan && from - run.to < MAX_GAP_SECONDS) run.to = to;
    else runs.push({ from, to });
  }
  return runs.map(({ from, to }) => ({
    from,
    to,
    audioFrom: Math.max(0, from - OVERLAP_SECONDS),
    audioTo: Math.min(end, to + OVERLAP_SECONDS),
  }));
}

/** Zeroes the loudness outside of the segments. */
function muteOutside(loudness: Float32Array, segments: readonly SpeechSegment[]): Float32Array {
  const result = new Float32Array(loudness.length);
  for (const { start, end } of segments) {
    const from = Math.max(0, Math.floor(start / FRAME_SECONDS));
    result.set(loudness.subarray(from, Math.max(from, Math.ceil(end / FRAME_SECONDS))), from);
  }
  return result;
}

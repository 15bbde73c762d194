import type { SpeakerTurn } from './port.ts';

/**
 * Maximum seconds of speech to compute a voice from, using the longest parts first. More speech barely changes the
 * result.
 */
const maxSeconds = 30;
/** Minimum length of a part in seconds. Shorter parts are mostly interjections. */
const minPartSeconds = 1;
/**
 * Minimum seconds of speech to compute a voice from. Excerpts of about this length are common in training speaker
 * models.
 */
const minSeconds = 3;

/** The parts of a recording where only one speaker is talking, longest first. Times are in seconds. */
export interface SoloSpeech {
  readonly speaker: number;
  readonly parts: readonly { readonly start: number; readonly end: number }[];
}

/** Returns the speech to compute each speaker's voice from. Speakers with too little solo speech are omitted. */
export function soloSpeech(turns: readonly SpeakerTurn[]): SoloSpeech[] {
  const parts = turns.flatMap((turn) => {
    const others = turns.filter(({ speaker }) => speaker !== turn.speaker);
    return subtract(turn, others).map((part) => ({ ...part, speaker: turn.speaker }));
  });
  const bySpeaker = Map.groupBy(
    parts.filter(({ start, end }) => end - start >= minPartSeconds),
    ({ speaker }) => speaker,
  );
  return [...bySpeaker].flatMap(([speaker, own]) => {
    const chosen: { start: number; end: number }[] = [];
    let seconds = 0;
    for (const { start, end } of own.sort((a, b) => b.end - b.start - (a.end - a.start))) {
      if (seconds >= maxSeconds) break;
      const part = { start, end: Math.min(end, start + maxSeconds - seconds) };
      chosen.push(part);
      seconds += part.end - part.start;
    }
    return seconds < minSeconds ? [] : [{ speaker, parts: chosen }];
  });
}

type Span = Pick<SpeakerTurn, 'start' | 'end'>;

/** Returns the parts of a span that none of the other spans overlap. */
function subtract(span: Span, others: readonly Span[]): Span[] {
  const parts: Span[] = [];
  let start = span.start;
  for (const other of others.toSorted((a, b) => a.start - b.start)) {
    if (other.start >= span.end) break;
    if (other.end <= start) continue;
    if (other.start > start) parts.push({ start, end: other.start });
    start = Math.max(start, other.end);
  }
  if (start < span.end) parts.push({ start, end: span.end });
  return parts;
}

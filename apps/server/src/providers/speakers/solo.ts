import type { SpeakerTurn } from './port.ts';

/** Seconds of speech from which a voice is computed. The longest parts come first, and more changes it little. */
const maxSeconds = 30;
/** Seconds of the shortest part in use. Shorter parts are mostly interjections. */
const minPartSeconds = 1;
/** Seconds of speech that a voice needs. Excerpts of about this length are common in training speaker models. */
const minSeconds = 3;

/** The parts of a recording in which a speaker is the only one, longest first. Times are in seconds. */
export interface SoloSpeech {
  readonly speaker: number;
  readonly parts: readonly { readonly start: number; readonly end: number }[];
}

/** Returns the speech from which the voice of each speaker is computed. Speakers with too little of it are left out. */
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

/** Returns the parts of a span that no other span overlaps. */
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

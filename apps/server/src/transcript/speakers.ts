import type { SpeakerTurn } from '../providers/speakers/port.ts';

interface TimedWord {
  readonly start: number;
  readonly end: number;
}

/**
 * Words (in order of time) with who says them: the speaker whose turns overlap a word longest, else the
 * one whose turn is nearest. Labels are `1`, `2` … in the order in which words have them. Without any
 * turn the words stay as they are.
 */
export function withSpeakers<Word extends TimedWord>(
  words: readonly Word[],
  turns: readonly SpeakerTurn[],
): (Word & { readonly speaker?: string })[] {
  const labels = new Map<number, string>();
  /** In order of their beginning: those that a word can belong to are `open`, or still to come. */
  const coming = turns.toSorted((a, b) => a.start - b.start);
  let open: SpeakerTurn[] = [];
  let last: SpeakerTurn | undefined;
  let next = 0;
  return words.map((word) => {
    for (let turn = coming[next]; turn && turn.start < word.end; turn = coming[next]) {
      open.push(turn);
      next += 1;
    }
    for (const turn of open) {
      if (turn.end <= word.start && turn.end >= (last?.end ?? turn.end)) last = turn;
    }
    open = open.filter((turn) => turn.end > word.start);
    const speaker = longest(word, open) ?? nearest(word, last, coming[next])?.speaker;
    if (speaker === undefined) return word;
    const label = labels.get(speaker) ?? String(labels.size + 1);
    labels.set(speaker, label);
    return { ...word, speaker: label };
  });
}

/** Who speaks longest while a word is said; of two equals the one who began first. */
function longest({ start, end }: TimedWord, turns: readonly SpeakerTurn[]): number | undefined {
  const overlaps = new Map<number, number>();
  for (const turn of turns) {
    const overlap = Math.min(end, turn.end) - Math.max(start, turn.start);
    if (overlap > 0) overlaps.set(turn.speaker, (overlaps.get(turn.speaker) ?? 0) + overlap);
  }
  let best: number | undefined;
  for (const [speaker, overlap] of overlaps) {
    if (best === undefined || overlap > (overlaps.get(best) ?? 0)) best = speaker;
  }
  return best;
}

/** The nearer of the turns before and behind a word that nobody's turn has. */
function nearest(
  { start, end }: TimedWord,
  before: SpeakerTurn | undefined,
  behind: SpeakerTurn | undefined,
): SpeakerTurn | undefined {
  if (!before || !behind) return before ?? behind;
  return behind.start - end < start - before.end ? behind : before;
}

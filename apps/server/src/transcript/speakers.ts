import type { CallSpeaker, CallSpeakers } from '@linnet/audio/call';
import type { SpeakerTurn } from '../providers/speakers/port.ts';

interface TimedWord {
  readonly start: number;
  readonly end: number;
}

/**
 * Assigns a speaker to each word (in chronological order): the speaker whose turns overlap the word longest, or else
 * the speaker of the nearest turn. Labels are `1`, `2` … in order of appearance. Without turns, the words are returned
 * unchanged.
 */
export function assignSpeakers<Word extends TimedWord>(
  words: readonly Word[],
  turns: readonly SpeakerTurn[],
): (Word & { readonly speaker?: string })[] {
  const speakers = speakersOfWords(words, turns);
  const labels = assignLabels(speakers);
  return words.map((word, index) => {
    const label = labels.get(speakers[index] as number);
    return label === undefined ? word : { ...word, speaker: label };
  });
}

/**
 * Returns the labels that {@link assignSpeakers} gives to the speakers of the turns. Speakers without words have none.
 */
export function speakerLabels(
  words: readonly TimedWord[],
  turns: readonly SpeakerTurn[],
): ReadonlyMap<number, string> {
  return assignLabels(speakersOfWords(words, turns));
}

function assignLabels(speakers: readonly (number | undefined)[]): ReadonlyMap<number, string> {
  const distinct = new Set(speakers.filter((speaker) => speaker !== undefined));
  return new Map([...distinct].map((speaker, index) => [speaker, String(index + 1)]));
}

/** Returns the speaker of each word, or undefined for every word if there are no turns. */
function speakersOfWords(
  words: readonly TimedWord[],
  turns: readonly SpeakerTurn[],
): (number | undefined)[] {
  const turnsByStart = turns.toSorted((a, b) => a.start - b.start);
  /** The turns that may overlap the current word. */
  let openTurns: SpeakerTurn[] = [];
  let last: SpeakerTurn | undefined;
  let next = 0;
  return words.map((word) => {
    for (let turn = turnsByStart[next]; turn && turn.start < word.end; turn = turnsByStart[next]) {
      openTurns.push(turn);
      next += 1;
    }
    for (const turn of openTurns) {
      if (turn.end <= word.start && turn.end >= (last?.end ?? turn.end)) last = turn;
    }
    openTurns = openTurns.filter((turn) => turn.end > word.start);
    return (
      findLongestOverlap(word, openTurns) ??
      findNearestTurn(word, last, turnsByStart[next])?.speaker
    );
  });
}

/** Returns the speaker whose turns overlap a word longest. The earlier speaker wins a tie. */
function findLongestOverlap(
  { start, end }: TimedWord,
  turns: readonly SpeakerTurn[],
): number | undefined {
  const overlaps = new Map<number, number>();
  for (const turn of turns) {
    const overlap = Math.min(end, turn.end) - Math.max(start, turn.start);
    if (overlap > 0) overlaps.set(turn.speaker, (overlaps.get(turn.speaker) ?? 0) + overlap);
  }
  let bestSpeaker: number | undefined;
  for (const [speaker, overlap] of overlaps) {
    if (bestSpeaker === undefined || overlap > (overlaps.get(bestSpeaker) ?? 0))
      bestSpeaker = speaker;
  }
  return bestSpeaker;
}

/** Returns the nearer of the turns before and after a word, for a word that no turn overlaps. */
function findNearestTurn(
  { start, end }: TimedWord,
  before: SpeakerTurn | undefined,
  after: SpeakerTurn | undefined,
): SpeakerTurn | undefined {
  if (!before || !after) return before ?? after;
  return after.start - end < start - before.end ? after : before;
}

/**
 * Returns the speaker of each word in a call (in chronological order). A word without energy in either channel gets the
 * speaker of the previous word, or of the first word with a known speaker. Null if no word has one.
 */
export function assignCallSpeakers(
  words: readonly TimedWord[],
  call: CallSpeakers,
): (CallSpeaker | null)[] {
  const detected = words.map(({ start, end }) => call.speakerBetween(start, end));
  let last = detected.find((speaker) => speaker !== null) ?? null;
  return detected.map((speaker) => {
    last = speaker ?? last;
    return last;
  });
}

/**
 * Returns the speaker of each word (in chronological order), taken from the nearest paragraph of an earlier transcript
 * (also in order), or null if that paragraph has no speaker.
 */
export function keepSpeakers(
  words: readonly TimedWord[],
  paragraphs: readonly {
    readonly start_time: number;
    readonly end_time: number;
    readonly speaker: string | null;
  }[],
): (string | null)[] {
  let nearest = 0;
  return words.map(({ start, end }) => {
    const middle = (start + end) / 2;
    const distanceTo = (index: number) => {
      const paragraph = paragraphs[index];
      if (!paragraph) return Number.POSITIVE_INFINITY;
      return Math.max(0, paragraph.start_time - middle, middle - paragraph.end_time);
    };
    while (distanceTo(nearest + 1) < distanceTo(nearest)) nearest += 1;
    return paragraphs[nearest]?.speaker ?? null;
  });
}

/** Adds each word's speaker label, if it has one. */
export function withLabels<Word extends TimedWord>(
  words: readonly Word[],
  labels: readonly (string | null)[],
): (Word & { readonly speaker?: string })[] {
  return words.map((word, index) => {
    const speaker = labels[index];
    return speaker ? { ...word, speaker } : word;
  });
}

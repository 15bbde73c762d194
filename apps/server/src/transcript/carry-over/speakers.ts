/** Carries speaker names and the user's speaker assignments over to another transcript. */
import { paragraphsWithin } from './paragraphs-by-time.ts';
import { overlap, Timeline } from './timeline.ts';
import type {
  CarriedValue,
  SourceParagraph,
  TargetParagraph,
  UnplacedChangeContent,
} from './types.ts';

/**
 * `same`: the target uses the source's speaker labels, because only a range was transcribed again. `own`: its labels
 * are independent.
 */
export type TargetLabels = 'same' | 'own';

export interface CarriedSpeakers {
  /** The target's label for each of the source's speakers, except speakers that the target doesn't distinguish. */
  readonly labels: ReadonlyMap<string, string>;
  readonly names: Readonly<Record<string, string>>;
  readonly assigned: readonly CarriedValue<string>[];
  readonly unplaced: readonly UnplacedChangeContent[];
}

/**
 * Carries over speaker names and the user's speaker assignments. A name goes to the target speaker that overlaps most
 * of the named speaker's time. A speaker that only the user distinguished gets a separate label.
 */
export function carrySpeakers(
  source: readonly SourceParagraph[],
  target: readonly TargetParagraph[],
  names: Readonly<Record<string, string>>,
  targetLabels: TargetLabels = 'own',
): CarriedSpeakers {
  const { labels, assigned, unassigned } = assignSpeakers(source, target, targetLabels);
  const unplaced = unassigned.map(({ speaker, start: time }): UnplacedChangeContent => {
    return { kind: 'speaker', text: names[speaker] ?? speaker, time };
  });
  const carriedNames = new Map<string, string>();
  for (const [speaker, name] of Object.entries(names)) {
    const label = labels.get(speaker);
    if (label !== undefined) carriedNames.set(label, name);
    else {
      const time = source.find((item) => item.speaker === speaker)?.start ?? 0;
      unplaced.push({ kind: 'speaker', text: name, time });
    }
  }
  return { labels, names: Object.fromEntries(carriedNames), assigned, unplaced };
}

/**
 * Returns the target's label for each of the source's speakers, except speakers that the target doesn't distinguish.
 */
export function carriedLabels(
  source: readonly SourceParagraph[],
  target: readonly TargetParagraph[],
): ReadonlyMap<string, string> {
  return assignSpeakers(source, target, 'own').labels;
}

/** Matches speakers, and finds the target paragraphs for the user's assignments. */
function assignSpeakers(
  source: readonly SourceParagraph[],
  target: readonly TargetParagraph[],
  targetLabels: TargetLabels,
) {
  const timeline = new Timeline(target);
  const labels =
    targetLabels === 'same'
      ? new Map(source.flatMap(({ speaker }) => (speaker === null ? [] : [[speaker, speaker]])))
      : matchSpeakers(source, timeline);
  const usedLabels = new Set(target.flatMap(({ speaker }) => speaker ?? []));
  const assigned: CarriedValue<string>[] = [];
  const unassigned: { readonly speaker: string; readonly start: number }[] = [];
  for (const { id, speaker, isAssigned, start, end } of source) {
    if (!isAssigned || speaker === null) continue;
    const goals = paragraphsWithin({ start, end }, timeline);
    if (goals.length === 0) {
      unassigned.push({ speaker, start });
      continue;
    }
    const label = labels.get(speaker) ?? unusedLabel(speaker, usedLabels);
    labels.set(speaker, label);
    usedLabels.add(label);
    for (const goal of goals) {
      // A later transcript needs to know that the user assigned a speaker, even if the label stays the same.
      if (targetLabels === 'same' || goal.speaker !== label) {
        assigned.push({ paragraph: goal.id, value: label, sources: [id] });
      }
    }
  }
  return { labels, assigned, unassigned };
}

/** Returns the target's label for each of the source's speakers. No two speakers get the same label. */
function matchSpeakers(
  source: readonly SourceParagraph[],
  target: Timeline<TargetParagraph>,
): Map<string, string> {
  const shared = new Map<string, Map<string, number>>();
  for (const item of source) {
    if (item.speaker === null) continue;
    const times = shared.get(item.speaker) ?? new Map<string, number>();
    shared.set(item.speaker, times);
    for (const other of target.at(item)) {
      if (other.speaker === null) continue;
      const seconds = (times.get(other.speaker) ?? 0) + overlap(item, other);
      times.set(other.speaker, seconds);
    }
  }
  const pairs = [...shared].flatMap(([from, times]) => {
    const total = [...times.values()].reduce((sum, seconds) => sum + seconds, 0);
    return [...times].flatMap(([to, seconds]) =>
      seconds > total / 2 ? [{ from, to, seconds }] : [],
    );
  });
  const matched = new Map<string, string>();
  for (const { from, to } of pairs.sort((a, b) => b.seconds - a.seconds)) {
    if (![...matched.values()].includes(to)) matched.set(from, to);
  }
  return matched;
}

/** Returns a label that isn't in use: the given label if possible, or else a number. */
export function unusedLabel(label: string, used: ReadonlySet<string>): string {
  let [free, number] = [label, used.size];
  while (used.has(free)) {
    number += 1;
    free = String(number);
  }
  return free;
}

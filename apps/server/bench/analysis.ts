import { createBuiltinAnalyzer } from '../src/providers/analysis/builtin/index.ts';
import type { Analysis, TranscriptAnalyzer } from '../src/providers/analysis/port.ts';
import { type Meeting, type MeetingSet, readMeetings } from './meetings/meetings.ts';
import type { Measurement } from './speech.ts';

/**
 * The compared lists. `values` are amounts with correct number and currency. `decisions` and `topics` are labeled in
 * the long meetings only. A topic is found if it begins near a labeled topic. The first topic isn't counted.
 */
const lists = ['todos', 'questions', 'dates', 'amounts', 'values', 'decisions', 'topics'] as const;
type List = (typeof lists)[number];

/** Numbers of items. An item is correct if it was both found and labeled. */
export interface Count {
  found: number;
  labeled: number;
  correct: number;
}

/** The precision and recall of these lists that the product promises. */
const promised: Partial<Record<List, number>> = { todos: 0.75, amounts: 0.75 };

const NONE: Count = { found: 0, labeled: 0, correct: 0 };

/** The position of words in a paragraph. */
interface Place {
  readonly paragraph: string;
  readonly from: number;
  readonly to: number;
  /** The number and currency of an amount. */
  readonly value?: string;
}

/** Maximum distance between the found and the labeled start of a topic, in paragraphs. */
const TOPIC_TOLERANCE = 2;

/** Time of recording. The meetings have no date of their own. */
const RECORDED_AT = new Date('2026-03-04T10:00:00Z');

/** Measures the precision and recall of the built-in analyzer on labeled meetings, by list and by language. */
export async function run(meetingSet: MeetingSet = 'held-out'): Promise<Measurement[]> {
  const counts = await countMeetings(createBuiltinAnalyzer(), meetingSet);
  return lists.flatMap((list) =>
    (['precision', 'recall'] as const).map((measure) => ({
      name: `analysis ${measure} of ${list}, ${meetingSet}`,
      value: ratio(total(counts, list), measure),
      unit: 'ratio',
      ...(promised[list] !== undefined && { least: promised[list] }),
      detail: {
        ...total(counts, list),
        ...Object.fromEntries(
          [...counts].map(([language, each]) => [language, ratio(each[list], measure)]),
        ),
      },
    })),
  );
}

/** Counts an analyzer's results in the meetings of one set, by language. */
export async function countMeetings(
  analyzer: TranscriptAnalyzer,
  meetingSet: MeetingSet,
): Promise<Map<string, Record<List, Count>>> {
  const counts = new Map<string, Record<List, Count>>();
  for (const meeting of await readMeetings(meetingSet)) {
    const { document } = await analyzer.analyze({
      paragraphs: meeting.paragraphs,
      language: meeting.language,
      structures: ['meeting'],
      recordedAt: RECORDED_AT,
    });
    const count = countMeeting(meeting, document);
    const previousCount = counts.get(meeting.language);
    counts.set(
      meeting.language,
      previousCount === undefined ? count : addLists(previousCount, count),
    );
  }
  return counts;
}

/** Adds the counts of two meetings, list by list. */
function addLists(a: Record<List, Count>, b: Record<List, Count>): Record<List, Count> {
  return {
    todos: add(a.todos, b.todos),
    questions: add(a.questions, b.questions),
    dates: add(a.dates, b.dates),
    amounts: add(a.amounts, b.amounts),
    values: add(a.values, b.values),
    decisions: add(a.decisions, b.decisions),
    topics: add(a.topics, b.topics),
  };
}

function add(a: Count, b: Count): Count {
  return {
    found: a.found + b.found,
    labeled: a.labeled + b.labeled,
    correct: a.correct + b.correct,
  };
}

/** Sums the counts of all languages. */
export function total(counts: Awaited<ReturnType<typeof countMeetings>>, list: List): Count {
  return [...counts.values()].map((each) => each[list]).reduce(add, NONE);
}

/** Returns the fraction of found or labeled items that are correct; 1 if there are none. */
export function ratio({ found, labeled, correct }: Count, measure: 'precision' | 'recall'): number {
  const all = measure === 'precision' ? found : labeled;
  return all === 0 ? 1 : Math.round((correct / all) * 1000) / 1000;
}

function countMeeting(meeting: Meeting, document: Analysis['document']): Record<List, Count> {
  const { expected } = meeting;
  const texts = new Map(meeting.paragraphs.map(({ id, text }) => [id, text]));
  /** Returns the position of `words` in the sentence `within`, or in the paragraph. */
  const place = (paragraph: string, words: string, within = words): Place => {
    const from = (texts.get(paragraph) ?? '').indexOf(within) + within.indexOf(words);
    return { paragraph, from, to: from + words.length };
  };
  const quotes = (labels: readonly { paragraph: string; quote: string }[]) =>
    labels.map(({ paragraph, quote }) => place(paragraph, quote));
  const sentences = (items: readonly { paragraph_id: string; text: string }[]) =>
    items.map((item) => place(item.paragraph_id, item.text));
  const sums = document.finance.map((item) => ({
    ...place(item.paragraph_id, item.text),
    value: `${item.amount} ${item.currency}`,
  }));
  const labeledSums = expected.amounts.map((label) => ({
    ...place(label.paragraph, label.quote),
    value: `${label.amount} ${label.currency}`,
  }));
  const decisions =
    document.structures.meeting?.sections.find(({ heading }) => heading === 'decisions')?.items ??
    [];
  const ids = meeting.paragraphs.map(({ id }) => id);
  /** Returns the paragraphs in which topics begin, except the first topic, as places by paragraph index. */
  const beginnings = (paragraphs: readonly string[]) =>
    paragraphs.slice(1).map((paragraph): Place => {
      const index = ids.indexOf(paragraph);
      return { paragraph, from: index, to: index };
    });
  return {
    todos: match(sentences(document.todos), quotes(expected.todos), contains),
    questions: match(sentences(document.questions), quotes(expected.questions), contains),
    dates: match(
      document.timeline.map(({ paragraph_id, when, text }) => place(paragraph_id, when, text)),
      quotes(expected.dates),
      overlaps,
    ),
    amounts: match(sums, labeledSums, overlaps),
    values: match(sums, labeledSums, (a, b) => overlaps(a, b) && a.value === b.value),
    decisions: expected.decisions
      ? match(sentences(decisions), quotes(expected.decisions), contains)
      : NONE,
    topics: expected.topics
      ? match(
          beginnings(document.topics.map((item) => item.paragraph_id)),
          beginnings(expected.topics.map((topic) => topic.from)),
          (a, b) => Math.abs(a.from - b.from) <= TOPIC_TOLERANCE,
        )
      : NONE,
  };
}

/** Matches each found item with at most one label, identical values first. */
function match(
  found: readonly Place[],
  labeled: readonly Place[],
  matches: (a: Place, b: Place) => boolean,
): Count {
  const remaining = [...labeled];
  const unmatched = found.filter(
    (item) =>
      !removeFirst(
        remaining,
        (candidate) => item.value === candidate.value && matches(item, candidate),
      ),
  );
  const correct = unmatched.filter((item) =>
    removeFirst(remaining, (candidate) => matches(item, candidate)),
  ).length;
  return {
    found: found.length,
    labeled: labeled.length,
    correct: found.length - unmatched.length + correct,
  };
}

/** Removes the first matching place from a list. Returns whether there was one. */
function removeFirst(places: Place[], matches: (place: Place) => boolean): boolean {
  const index = places.findIndex(matches);
  if (index < 0) return false;
  places.splice(index, 1);
  return true;
}

function overlaps(a: Place, b: Place): boolean {
  return a.paragraph === b.paragraph && a.from < b.to && b.from < a.to;
}

function contains(a: Place, b: Place): boolean {
  if (a.paragraph !== b.paragraph) return false;
  return (a.from <= b.from && b.to <= a.to) || (b.from <= a.from && a.to <= b.to);
}

if (import.meta.main) {
  const meetingSet = process.argv.includes('--development') ? 'development' : 'held-out';
  for (const figure of await run(meetingSet)) console.log(JSON.stringify(figure));
}

import { createBuiltinAnalyzer } from '../src/providers/analysis/builtin/index.ts';
import type { Analysis, TranscriptAnalyzer } from '../src/providers/analysis/port.ts';
import { type Half, type Meeting, readMeetings } from './meetings/meetings.ts';
import type { Figure } from './speech.ts';

/** What is compared; `values` are amounts of which number and currency are right too. */
const lists = ['todos', 'questions', 'dates', 'amounts', 'values'] as const;
type List = (typeof lists)[number];

/** How many of one list were found, were labelled, and were both. */
export interface Count {
  found: number;
  labelled: number;
  right: number;
}

/** Where words stand in their paragraph. */
interface Place {
  readonly paragraph: string;
  readonly from: number;
  readonly to: number;
  /** Number and currency, of an amount. */
  readonly value?: string;
}

/** The meetings have no date of their own. */
const RECORDED_AT = new Date('2026-03-04T10:00:00Z');

/** Precision and recall of the built-in analyzer on labelled meetings, by list and by language. */
export async function run(half: Half = 'held-out'): Promise<Figure[]> {
  const counts = await countMeetings(createBuiltinAnalyzer(), half);
  return lists.flatMap((list) =>
    (['precision', 'recall'] as const).map((measure) => ({
      name: `analysis ${measure} of ${list}, ${half}`,
      value: ratio(total(counts, list), measure),
      unit: 'ratio',
      detail: {
        ...total(counts, list),
        ...Object.fromEntries(
          [...counts].map(([language, each]) => [language, ratio(each[list], measure)]),
        ),
      },
    })),
  );
}

/** By language, what an analyzer finds in the meetings of one half. */
export async function countMeetings(
  analyzer: TranscriptAnalyzer,
  half: Half,
): Promise<Map<string, Record<List, Count>>> {
  const counts = new Map<string, Record<List, Count>>();
  for (const meeting of await readMeetings(half)) {
    const { document } = await analyzer.analyze({
      paragraphs: meeting.paragraphs,
      language: meeting.language,
      structures: [],
      recordedAt: RECORDED_AT,
    });
    counts.set(meeting.language, countMeeting(meeting, document));
  }
  return counts;
}

/** All languages together. */
export function total(counts: Awaited<ReturnType<typeof countMeetings>>, list: List): Count {
  const sum = { found: 0, labelled: 0, right: 0 };
  for (const { [list]: each } of counts.values()) {
    sum.found += each.found;
    sum.labelled += each.labelled;
    sum.right += each.right;
  }
  return sum;
}

/** Of what was found, or of what was labelled, the part that is right; 1 of nothing. */
export function ratio({ found, labelled, right }: Count, measure: 'precision' | 'recall'): number {
  const all = measure === 'precision' ? found : labelled;
  return all === 0 ? 1 : Math.round((right / all) * 1000) / 1000;
}

function countMeeting(meeting: Meeting, document: Analysis['document']): Record<List, Count> {
  const { expected } = meeting;
  const texts = new Map(meeting.paragraphs.map(({ id, text }) => [id, text]));
  /** `words` stand in the sentence `within`, or in the paragraph alone. */
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
  const labelledSums = expected.amounts.map((label) => ({
    ...place(label.paragraph, label.quote),
    value: `${label.amount} ${label.currency}`,
  }));
  return {
    todos: match(sentences(document.todos), quotes(expected.todos), contains),
    questions: match(sentences(document.questions), quotes(expected.questions), contains),
    dates: match(
      document.timeline.map(({ paragraph_id, when, text }) => place(paragraph_id, when, text)),
      quotes(expected.dates),
      overlaps,
    ),
    amounts: match(sums, labelledSums, overlaps),
    values: match(sums, labelledSums, (a, b) => overlaps(a, b) && a.value === b.value),
  };
}

/** Each found thing answers for one label at most, the same value first. */
function match(
  found: readonly Place[],
  labelled: readonly Place[],
  agree: (a: Place, b: Place) => boolean,
): Count {
  const left = [...labelled];
  const unmatched = found.filter(
    (each) => !take(left, (one) => each.value === one.value && agree(each, one)),
  );
  const right = unmatched.filter((each) => take(left, (one) => agree(each, one))).length;
  return {
    found: found.length,
    labelled: labelled.length,
    right: found.length - unmatched.length + right,
  };
}

/** Takes the first that fits out of a list; whether there was one. */
function take(from: Place[], fits: (place: Place) => boolean): boolean {
  const at = from.findIndex(fits);
  if (at < 0) return false;
  from.splice(at, 1);
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
  const half = process.argv.includes('--development') ? 'development' : 'held-out';
  for (const figure of await run(half)) console.log(JSON.stringify(figure));
}

/**
 * The fake model. Extracts items from a transcript by simple rules, so the results are predictable. They are correct
 * unless `Reader.corrupt` changes them.
 */

/** Modifies the fake model's behavior. */
export interface Reader {
  /** Falsifies the model's answer. */
  readonly corrupt?: (answer: Answer) => unknown;
  /** Merges notes instead of the fake model. */
  readonly merge?: (notes: readonly Draft[]) => unknown;
  /** Answers a question instead of the fake model. */
  readonly write?: (question: string, passages: readonly Paragraph[]) => unknown;
}

interface Paragraph {
  readonly id: string;
  readonly speaker?: string;
  readonly text: string;
}
interface CitedText {
  text: string;
  source: string;
}
export interface Draft {
  title: string;
  brief: string;
  keywords: string[];
  sections: Record<string, CitedText[]>;
}
export interface Answer extends Draft {
  todos: (CitedText & { who: string | null; when: string | null; due: string | null })[];
  knowledge_points: CitedText[];
  needs: CitedText[];
  questions: CitedText[];
  finance: (CitedText & {
    amount: number | null;
    currency: string | null;
    purpose: string | null;
    said: string;
  })[];
  timeline: (CitedText & { when: string; date: string | null })[];
  topics: (CitedText & { until: string })[];
}

/**
 * @param texts contents of the messages: instructions, data, and earlier answers with follow-ups
 * @param headings headings that the schema requires
 */
export function readTranscript(
  [, data = '']: readonly string[],
  headings: readonly string[],
  reader: Reader,
): unknown {
  const input = JSON.parse(data) as {
    paragraphs?: Paragraph[];
    notes?: Draft[];
    question?: string;
    passages?: Paragraph[];
  };
  if (input.passages) return (reader.write ?? write)(input.question ?? '', input.passages);
  if (input.notes) return (reader.merge ?? merge)(input.notes);
  const answer = takeNotes(input.paragraphs ?? [], headings);
  return reader.corrupt ? reader.corrupt(answer) : answer;
}

/** Answers with the first passage that contains a long word from the question. */
function write(question: string, passages: readonly Paragraph[]): unknown {
  const words = question.toLowerCase().match(/\p{L}{5,}/gu) ?? [];
  const passage = passages.find(({ text }) =>
    words.some((word) => text.toLowerCase().includes(word)),
  );
  return passage
    ? { answered: 'yes', sentences: [{ text: `They say: ${passage.text}`, source: passage.id }] }
    : { answered: 'no', sentences: [] };
}

const WEEKDAY = /\b(?:on |by )?(Monday|Tuesday|Wednesday|Thursday|Friday)\b/;
const EUROS = /\b(\d[\d,]*) euros\b/;

function takeNotes(paragraphs: readonly Paragraph[], headings: readonly string[]): Answer {
  const sentences = paragraphs.flatMap(({ id, text, speaker }) =>
    (text.match(/[^.?!]+[.?!]?/g) ?? []).map((part) => ({
      text: part.trim(),
      source: id,
      speaker,
    })),
  );
  const findCited = (pattern: RegExp): CitedText[] =>
    sentences
      .filter(({ text }) => pattern.test(text))
      .map(({ text, source }) => ({ text, source }));
  const points = sentences
    .filter(({ text }, index) => index % 3 === 0 && text.length > 3)
    .map(({ text, source }) => ({ text: `They say: ${text}`, source }));
  const [first] = paragraphs;
  const under: Record<string, CitedText[]> = {
    overview: points,
    decisions: findCited(/decided/i),
    reason: points.slice(0, 1),
    agreements: findCited(/agree/i),
    statements: points.slice(1),
  };
  return {
    title: `About ${first?.text.split(' ').slice(0, 6).join(' ')}`,
    brief: `A talk that begins with ${first?.text.split(' ').slice(0, 3).join(' ')}.`,
    keywords: [...new Set(first?.text.toLowerCase().match(/\p{L}{6,}/gu) ?? ['talk'])].slice(0, 5),
    sections: Object.fromEntries(headings.map((key) => [key, under[key] ?? points.slice(0, 2)])),
    todos: sentences
      .filter(({ text }) => /\bwill\b/.test(text))
      .map(({ text, source, speaker }) => ({
        text,
        source,
        who: speaker ?? /^(\w+) will/.exec(text)?.[1] ?? null,
        when: WEEKDAY.exec(text)?.[1] ?? null,
        due: WEEKDAY.test(text) ? '2026-03-06' : null,
      })),
    knowledge_points: findCited(/\bmeans\b/),
    needs: findCited(/\bneed/),
    questions: findCited(/\?$/),
    finance: sentences
      .filter(({ text }) => EUROS.test(text))
      .map(({ text, source }) => {
        const [amountText = '', digits = ''] = EUROS.exec(text) ?? [];
        const amount = Number(digits.replaceAll(',', ''));
        return { text, source, said: amountText, amount, currency: 'EUR', purpose: null };
      }),
    timeline: sentences
      .filter(({ text }) => WEEKDAY.test(text))
      .map(({ text, source }) => ({
        text,
        source,
        when: WEEKDAY.exec(text)?.[1] ?? '',
        date: '2026-03-06',
      })),
    topics: first
      ? [{ text: 'Everything', source: first.id, until: paragraphs.at(-1)?.id ?? first.id }]
      : [],
  };
}

function merge(notes: readonly Draft[]): Draft {
  const sections: Record<string, CitedText[]> = {};
  for (const note of notes) {
    for (const [key, points] of Object.entries(note.sections)) {
      // Keep only every other point, because a summary is shorter than its sources.
      sections[key] = [...(sections[key] ?? []), ...points.filter((_, index) => index % 2 === 0)];
    }
  }
  return {
    title: notes[0]?.title ?? '',
    brief: notes.map(({ brief }) => brief).join(' '),
    keywords: [...new Set(notes.flatMap(({ keywords }) => keywords))].slice(0, 10),
    sections,
  };
}

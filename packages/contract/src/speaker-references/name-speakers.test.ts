import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SpeakerReferences, SummaryDocument } from '../calls.ts';
import { languages } from '../languages.ts';
import { summaryDocument } from '../schemas/summary.ts';
import { defaultSpeakerName } from '../speaker-names.ts';
import { type CurrentSpeakers, nameSpeakers, type Summary } from './name-speakers.ts';
import { divideTexts } from './references.ts';

const emptyDocument: SummaryDocument = {
  version: 1,
  engine: 'test',
  kind: 'generative',
  language: 'en',
  structure: 'general',
  structures: {},
  todos: [],
  knowledge_points: [],
  needs: [],
  questions: [],
  finance: [],
  timeline: [],
  topics: [],
  looked_for: [],
};

type Part = SpeakerReferences['texts'][number]['parts'][number];
const join = (parts: readonly Part[]) =>
  parts.map((part) => (typeof part === 'string' ? part : part.name)).join('');

const speaker = (label: string, name: string) => ({ speaker: label, name });
const [anna, ben] = [speaker('1', 'Anna'), speaker('2', 'Ben')];

const item = (id: string, paragraph_id: string, parts: readonly Part[]) => ({
  id,
  text: join(parts),
  paragraph_id,
  start_time: 0,
});

/** Title and to-do of speaker 1 (paragraph p1), and a point and a brief about both. */
function createSummary(
  changes: Partial<SummaryDocument> = {},
  kept: Partial<Summary> = {},
): Summary {
  const title: Part[] = ['Plan of ', anna];
  const brief: Part[] = [anna, ' and ', ben, ' plan.'];
  const todo: Part[] = [anna, ' sends the report to ', ben];
  const point: Part[] = ['The budget worries ', ben];
  const texts: SpeakerReferences['texts'] = [
    { places: ['title'], parts: title },
    { places: ['brief'], parts: brief },
    { paragraph_id: 'p1', places: ['todos/0/text'], parts: todo },
    { paragraph_id: 'p1', places: ['todos/0/who'], parts: [anna] },
    {
      paragraph_id: 'p2',
      places: ['summary/0', 'structures/general/sections/0/items/0/text'],
      parts: point,
    },
  ];
  const general = { heading: 'overview', items: [item('general-1', 'p2', point)] };
  return {
    title: join(title),
    brief: join(brief),
    summary: join(point),
    keywords: ['budget'],
    document: {
      ...emptyDocument,
      structures: { general: { sections: [general] } },
      todos: [{ ...item('todos-1', 'p1', todo), who: 'Anna', when: null, due: null }],
      speaker_references: {
        texts,
        paragraphs: [
          { paragraph_id: 'p1', speaker: '1' },
          { paragraph_id: 'p2', speaker: '2' },
        ],
      },
      ...changes,
    },
    mindMap: [
      { id: 'root', parentid: '', topic: join(title) },
      { id: 'item-general-1', parentid: 'root', topic: join(point), paragraph_id: 'p2' },
    ],
    ownMindMap: null,
    ...kept,
  };
}

const current = (
  names: CurrentSpeakers['names'],
  speakers: readonly (string | null)[] = ['1', '2'],
): CurrentSpeakers => ({
  names,
  paragraphs: speakers.map((label, index) => ({ id: `p${index + 1}`, speaker: label })),
});

/** Returns the texts of {@link createSummary} after naming. */
function getTexts({ title, brief, summary, document, mindMap }: Summary) {
  const [todo] = document?.todos ?? [];
  return [
    title,
    brief,
    summary,
    todo?.text,
    todo?.who,
    ...(mindMap ?? []).map(({ topic }) => topic),
  ];
}

const named = (names: CurrentSpeakers['names'], speakers?: readonly (string | null)[]) =>
  getTexts(nameSpeakers(createSummary(), current(names, speakers)));

describe('nameSpeakers', () => {
  it('returns the same object if no name has changed', () => {
    const summary = createSummary();
    expect(nameSpeakers(summary, current({ 1: 'Anna', 2: 'Ben' }))).toBe(summary);
  });

  it('names a renamed speaker in all texts', () => {
    expect(named({ 1: 'Annabel', 2: 'Ben' })).toEqual([
      'Plan of Annabel',
      'Annabel and Ben plan.',
      'The budget worries Ben',
      'Annabel sends the report to Ben',
      'Annabel',
      'Plan of Annabel',
      'The budget worries Ben',
    ]);
  });

  it('swaps two names', () => {
    expect(named({ 1: 'Ben', 2: 'Anna' }).slice(0, 4)).toEqual([
      'Plan of Ben',
      'Ben and Anna plan.',
      'The budget worries Anna',
      'Ben sends the report to Anna',
    ]);
  });

  it('uses default names in the summary’s language for speakers without a name', () => {
    expect(named({}).slice(0, 2)).toEqual(['Plan of Speaker 1', 'Speaker 1 and Speaker 2 plan.']);
  });

  it("shows a merged speaker under the other speaker's name", () => {
    expect(named({ 1: 'Anna' }, ['1', '1']).slice(0, 4)).toEqual([
      'Plan of Anna',
      'Anna and Anna plan.',
      'The budget worries Anna',
      'Anna sends the report to Anna',
    ]);
  });

  it('follows a paragraph that is reassigned to a different speaker, in texts about that paragraph', () => {
    const speakers = ['3', '2', '1'];
    const summary = createSummary();
    const { speaker_references: references } = summary.document ?? {};
    references?.paragraphs.push({ paragraph_id: 'p3', speaker: '1' });
    const names = { 1: 'Anna', 2: 'Ben', 3: 'Carla' };
    expect(getTexts(nameSpeakers(summary, current(names, speakers))).slice(0, 4)).toEqual([
      'Plan of Anna',
      'Anna and Ben plan.',
      'The budget worries Ben',
      'Carla sends the report to Ben',
    ]);
  });

  it('doesn’t confuse a merged speaker with a new speaker who got the same label', () => {
    const names = { 1: 'Anna', 2: 'New' };
    expect(named(names, ['1', '1', '2'])[1]).toBe('Anna and Anna plan.');
  });

  it.each([
    ['renaming', current({ 1: 'Ben', 2: 'Zoë' })],
    ['a swap', current({ 1: 'Ben', 2: 'Anna' })],
    ['equal names', current({ 1: 'X', 2: 'X' })],
    ['removing the names', current({})],
    ['a merger', current({ 1: 'Anna' }, ['1', '1'])],
    ['a merger the other way', current({ 2: 'Anna' }, ['2', '2'])],
    ['removing the speakers', current({ 1: 'X' }, [null, null])],
  ])('restores all texts when %s is undone', (_, changed) => {
    const restored = nameSpeakers(createSummary(), changed);
    const back = nameSpeakers(restored, current({ 1: 'Anna', 2: 'Ben' }));
    expect(back).toEqual(createSummary());
  });

  it('produces the same texts for any order of changes', () => {
    const name = fc.constantFrom('Anna', 'Ben', 'Zoë', '小明', 'a b', '안나');
    const state = fc.record({
      names: fc.record({ 1: name, 2: name }, { requiredKeys: [] }),
      speakers: fc.array(fc.constantFrom('1', '2', '3', null), { minLength: 2, maxLength: 2 }),
    });
    type State = typeof state extends fc.Arbitrary<infer Value> ? Value : never;
    const apply = (summary: Summary, { names, speakers }: State) =>
      nameSpeakers(summary, current(names as Record<string, string>, speakers));
    fc.assert(
      fc.property(fc.array(state, { minLength: 1, maxLength: 4 }), (states) => {
        const last = states.at(-1);
        if (!last) return;
        const direct = apply(createSummary(), last);
        const stepwise = states.reduce(apply, createSummary());
        expect(getTexts(stepwise)).toEqual(getTexts(direct));
        expect(apply(stepwise, last)).toBe(stepwise);
        expect(summaryDocument.parse(stepwise.document)).toEqual(stepwise.document);
      }),
    );
  });

  it('doesn’t change texts without references, even if they contain a name', () => {
    const spokenItem = { ...item('needs-1', 'p1', ['Anna needs help']) };
    const summary = createSummary({ needs: [spokenItem] }, { keywords: ['Anna'] });
    const result = nameSpeakers(summary, current({ 1: 'Annabel', 2: 'Ben' }));
    expect(result.document?.needs).toEqual([spokenItem]);
    expect(result.keywords).toEqual(['Anna']);
  });

  it('renames speakers in unchanged nodes of the user’s map, but not in edited nodes', () => {
    const ownMindMap = [
      { id: 'root', parentid: '', topic: 'Plan of Anna' },
      { id: 'item-general-1', parentid: 'root', topic: 'The budget worries Ben!' },
      { id: 'mine', parentid: 'root', topic: 'Plan of Anna' },
    ];
    const summary = createSummary({}, { ownMindMap });
    const result = nameSpeakers(summary, current({ 1: 'Annabel', 2: 'Zoë' }));
    expect(result.ownMindMap?.map(({ topic }) => topic)).toEqual([
      'Plan of Annabel',
      'The budget worries Ben!',
      'Plan of Anna',
    ]);
  });

  it('doesn’t change mind map headings that equal the title', () => {
    const { mindMap } = createSummary();
    const heading = { id: 'section-1', parentid: 'root', topic: 'Plan of Anna' };
    const summary = createSummary({}, { mindMap: [...(mindMap ?? []), heading] });
    const result = nameSpeakers(summary, current({ 1: 'Annabel', 2: 'Ben' }));
    expect(result.mindMap?.map(({ topic }) => topic)).toEqual([
      'Plan of Annabel',
      'The budget worries Ben',
      'Plan of Anna',
    ]);
  });

  it('doesn’t treat a speaker as merged while some of its paragraphs are missing', () => {
    const summary = createSummary();
    summary.document?.speaker_references?.paragraphs.push({ paragraph_id: 'p3', speaker: '2' });
    const names = { 1: 'Anna', 2: 'Ben' };
    expect(getTexts(nameSpeakers(summary, current(names, ['1', '1'])))[1]).toBe(
      'Anna and Ben plan.',
    );
    expect(getTexts(nameSpeakers(summary, current(names, ['1', '1', '1'])))[1]).toBe(
      'Anna and Anna plan.',
    );
  });

  it('writes names on a single line', () => {
    expect(named({ 1: ' Anna\n\tMaria', 2: '\n' }).slice(0, 2)).toEqual([
      'Plan of Anna Maria',
      'Anna Maria and Speaker 2 plan.',
    ]);
  });

  it('adapts Korean particles', () => {
    const parts: Part[] = [speaker('1', '화자 1'), '은 보고서를 보낸다'];
    const references = { texts: [{ places: ['title'], parts }], paragraphs: [] };
    const summary = createSummary({ speaker_references: references }, { title: join(parts) });
    expect(nameSpeakers(summary, current({ 1: '안나' })).title).toBe('안나는 보고서를 보낸다');
  });
});

describe('texts that differ only in the names', () => {
  const labels = ['1', '2', '3'];
  const firstNames: Readonly<Record<string, string>> = { 1: 'Anna', 2: 'Ben', 3: 'Zoë' };
  /** Every text names the speakers alike, and some aren't references, because the name was spoken. */
  const agrees = (label: string) => `${firstNames[label]} agrees.`;
  const item = (id: string, label: string, paragraph_id: string) => ({
    id,
    text: agrees(label),
    paragraph_id,
    start_time: 0,
  });
  const spokenParagraph = 'p4';

  /** Returns a summary with each kind of text once per speaker, all based on the same paragraphs. */
  function createSummaryWithAlikeNames(): Summary {
    const paragraphs = ['p1', spokenParagraph];
    const items = paragraphs.flatMap((paragraph) =>
      labels.map((label) => item(`general-${paragraph}-${label}`, label, paragraph)),
    );
    const todos = paragraphs.flatMap((paragraph) =>
      labels.map((label) => ({
        ...item(`todos-${paragraph}-${label}`, label, paragraph),
        who: firstNames[label] ?? null,
        when: null,
        due: null,
      })),
    );
    const document: SummaryDocument = {
      ...emptyDocument,
      structures: { general: { sections: [{ heading: 'overview', items }] } },
      todos,
    };
    const texts = {
      title: agrees('1'),
      brief: agrees('2'),
      document,
      summary: [...items.map(({ text }) => text), agrees('1'), agrees('2')].join('\n'),
      keywords: Object.values(firstNames),
    };
    const labelsByName = new Map(labels.map((label) => [firstNames[label], label]));
    const references = divideTexts(texts, Object.values(firstNames), (name, place) =>
      place.paragraph_id === spokenParagraph ? null : (labelsByName.get(name) ?? null),
    );
    const mindMap = [
      { id: 'root', parentid: '', topic: texts.title },
      ...items.map(({ id, text, paragraph_id }) => ({
        id: `item-${id}`,
        parentid: 'root',
        topic: text,
        paragraph_id,
      })),
    ];
    return {
      ...texts,
      document: {
        ...document,
        speaker_references: {
          texts: references,
          paragraphs: labels.map((label) => ({ paragraph_id: `p${label}`, speaker: label })),
        },
      },
      mindMap,
      ownMindMap: mindMap,
    };
  }

  const name = fc.constantFrom('Anna', 'Ben', 'Zoë', 'Mia');
  const states = fc.record({
    names: fc.record({ 1: name, 2: name, 3: name }, { requiredKeys: [] }),
    speakers: fc.array(fc.constantFrom(...labels), { minLength: 3, maxLength: 3 }),
  });
  type State = typeof states extends fc.Arbitrary<infer Value> ? Value : never;
  const apply = (summary: Summary, { names, speakers }: State) =>
    nameSpeakers(summary, current(names as Record<string, string>, [...speakers, null]));
  /** Reorders keys, like the database does when it stores documents. */
  const reorder = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reorder);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, inner]) => [key, reorder(inner)] as const);
    return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? 1 : -1)));
  };
  const store = (summary: Summary): Summary => ({
    ...summary,
    document: summaryDocument.parse(reorder(summary.document)),
  });

  it('get the same names for any order of changes, and undoing restores them', () => {
    fc.assert(
      fc.property(fc.array(states, { minLength: 1, maxLength: 5 }), (sequence) => {
        const [last] = sequence.slice(-1);
        if (!last) return;
        const stepwise = sequence.reduce(
          (summary, state) => store(apply(summary, state)),
          store(createSummaryWithAlikeNames()),
        );
        expect(stepwise).toEqual(apply(createSummaryWithAlikeNames(), last));
        const first = { names: firstNames, speakers: labels } as State;
        expect(apply(stepwise, first)).toEqual(createSummaryWithAlikeNames());
      }),
    );
  });

  it('follow the speaker of their paragraph if speakers had the same name, including in the lines of the summary', () => {
    const items = ['p1', 'p2', 'p1'].map((paragraph_id, index) => {
      return { id: `general-${index}`, text: 'Anna agrees.', paragraph_id, start_time: 0 };
    });
    const document: SummaryDocument = {
      ...emptyDocument,
      structures: { general: { sections: [{ heading: 'overview', items }] } },
    };
    const lines = items.map(({ text }) => text).join('\n');
    const texts = { title: '', brief: '', summary: lines, keywords: [], document };
    const divided = divideTexts(texts, ['Anna'], (_, { paragraph_id }) =>
      paragraph_id === 'p1' ? '1' : '2',
    );
    const speaker_references = { texts: divided, paragraphs: [] };
    const withReferences = { ...texts, document: { ...document, speaker_references } };
    const summary = { ...withReferences, mindMap: null, ownMindMap: null };
    const result = nameSpeakers(summary, current({ 1: 'Mia', 2: 'Zoë' }));
    expect(result.summary).toBe('Mia agrees.\nZoë agrees.\nMia agrees.');
    const [section] = result.document?.structures.general?.sections ?? [];
    expect(section?.items.map(({ text }) => text).join('\n')).toBe(result.summary);
  });

  it('keep names that were spoken', () => {
    const merged = apply(createSummaryWithAlikeNames(), {
      names: firstNames,
      speakers: ['1', '1', '1'],
    } as State);
    const texts = merged.document?.todos.map(({ text, who }) => [text, who]);
    expect(texts).toEqual([
      ...labels.map(() => [agrees('1'), 'Anna']),
      ...labels.map((label) => [agrees(label), firstNames[label]]),
    ]);
    expect(merged.keywords).toEqual(['Anna', 'Anna', 'Anna']);
  });
});

describe('a summary from an older server', () => {
  it.each(languages.map(({ bcp47 }) => bcp47))('has default names replaced (%s)', (language) => {
    const [one, two, twelve] = ['1', '2', '12'].map((label) => defaultSpeakerName(label, language));
    const title = `${one}, ${two}, ${twelve}`;
    const { speaker_references: _, ...document } = createSummary({ language }).document ?? {};
    const summary = createSummary({}, { title, document: document as SummaryDocument });
    const speakers = ['1', '2', '12'];
    expect(nameSpeakers(summary, current({ 1: 'Anna' }, speakers)).title).toBe(
      `Anna, ${two}, ${twelve}`,
    );
    const first = nameSpeakers(summary, current({ 1: 'Anna' }, speakers));
    expect(nameSpeakers(first, current({ 2: 'Ben' }, speakers)).title).toBe(
      `${one}, Ben, ${twelve}`,
    );
  });

  it('is unchanged if it contains no default names or consists of quotes', () => {
    const { speaker_references: _, ...document } = createSummary().document ?? {};
    const generated = createSummary({}, { document: document as SummaryDocument });
    expect(nameSpeakers(generated, current({ 1: 'Zoë' }))).toBe(generated);
    const extractive = { ...document, kind: 'extractive' } as SummaryDocument;
    const quoted = createSummary({}, { title: 'Speaker 1', document: extractive });
    expect(nameSpeakers(quoted, current({ 1: 'Zoë' }))).toBe(quoted);
    const none = createSummary({}, { title: 'Speaker 1', document: null });
    expect(nameSpeakers(none, current({ 1: 'Zoë' }))).toBe(none);
  });
});

import { nameSpeakers } from '@linnet/contract/speaker-references';
import { describe, expect, it } from 'vitest';
import { emptyDocument } from '../../../test/transcripts.ts';
import { createBuiltinAnalyzer } from './builtin/index.ts';
import { analyzeLabeled, type LabeledRequest } from './named-speakers.ts';
import type { Analysis, AnalyzeRequest, TranscriptAnalyzer } from './port.ts';

/** Creates an analyzer that returns a given result, as a language model might. */
function createScripted(
  texts: Partial<Analysis>,
  points: readonly [paragraph: string, text: string][],
) {
  let received: AnalyzeRequest | undefined;
  const items = points.map(([paragraph_id, text], index) => {
    return { id: `needs-${index + 1}`, text, paragraph_id, start_time: 0 };
  });
  const analyzer: TranscriptAnalyzer = {
    id: 'scripted',
    kind: 'generative',
    structures: ['general'],
    translates: true,
    analyze: async (request) => {
      received = request;
      const document = { ...emptyDocument, kind: 'generative' as const, needs: items };
      const language = request.summaryLanguage ?? request.language;
      const emptyAnalysis = { title: '', brief: '', summary: '', keywords: [], engine: 'scripted' };
      return { ...emptyAnalysis, ...texts, document: { ...document, language } };
    },
  };
  return { analyzer, names: () => received?.paragraphs.map(({ speaker }) => speaker) };
}

const request = (
  names: Readonly<Record<string, string>>,
  spoken: readonly [speaker: string | null, text: string][],
  changes: Partial<LabeledRequest> = {},
): LabeledRequest => ({
  language: 'en',
  structures: ['general'],
  recordedAt: new Date(0),
  names,
  paragraphs: spoken.map(([speaker, text], index) => {
    return { id: `p${index + 1}`, start: index, end: index + 1, text, speaker };
  }),
  ...changes,
});

/** Returns the texts of a summary after all speakers were renamed to their labels in brackets. */
async function analyzeRenamed(
  texts: Partial<Analysis>,
  points: readonly [paragraph: string, text: string][],
  labeled: LabeledRequest,
) {
  const analysis = await analyzeLabeled(createScripted(texts, points).analyzer, labeled);
  const labels = labeled.paragraphs.flatMap(({ speaker }) => speaker ?? []);
  const { title, document } = nameSpeakers(
    { ...analysis, mindMap: null, ownMindMap: null },
    {
      names: Object.fromEntries(labels.map((label) => [label, `[${label}]`])),
      paragraphs: labeled.paragraphs,
    },
  );
  return [title, ...(document?.needs ?? []).map(({ text }) => text)];
}

describe('analyzeLabeled', () => {
  it('passes the names to the analyzer, or default names in the summary’s language', async () => {
    const paragraphs: [string | null, string][] = [
      ['1', 'a'],
      ['2', 'b'],
      [null, 'c'],
      ['me', 'd'],
    ];
    const { analyzer, names } = createScripted({}, []);
    await analyzeLabeled(analyzer, request({ 1: 'Ada' }, paragraphs, { summaryLanguage: 'ja' }));
    expect(names()).toEqual(['Ada', '話者2', undefined, '自分']);
  });

  it('finds names that only the labels of the speakers contain', async () => {
    const paragraphs: [string, string][] = [
      ['1', 'I send the report tomorrow.'],
      ['2', 'That is fine.'],
    ];
    const points: [string, string][] = [
      ['p1', 'Ada sends the report to Speaker 2.'],
      ['p2', 'Speaker 2 agrees with Ada.'],
    ];
    expect(
      await analyzeRenamed({ title: 'Report of Ada' }, points, request({ 1: 'Ada' }, paragraphs)),
    ).toEqual(['Report of [1]', '[1] sends the report to [2].', '[2] agrees with [1].']);
  });

  it('ignores names that were spoken, because they may refer to someone else', async () => {
    const paragraphs: [string, string][] = [
      ['1', 'Ben, can you call Ada, the plumber?'],
      ['2', 'Tomorrow.'],
    ];
    const points: [string, string][] = [
      ['p1', 'Ada asks Ben to call Ada.'],
      // The speaker of this paragraph doesn't say the name.
      ['p2', 'Ben calls Ada.'],
    ];
    expect(
      await analyzeRenamed(
        { title: 'Ben and Ada' },
        points,
        request({ 1: 'Ada', 2: 'Ben' }, paragraphs),
      ),
    ).toEqual(['Ben and Ada', 'Ada asks Ben to call Ada.', '[2] calls Ada.']);
  });

  it.each([
    ['Will', 'Will the budget last? I will see.'],
    ['May', 'The deadline is in May.'],
    ['Mark', 'Please mark the date.'],
  ])('leaves the word %s where it may be an ordinary one', async (name, text) => {
    const paragraphs: [string, string][] = [['1', text]];
    const labeled = request({ 1: name }, paragraphs);
    expect(await analyzeRenamed({ title: `${name}?` }, [['p1', text]], labeled)).toEqual([
      `${name}?`,
      text,
    ]);
  });

  it('distinguishes speakers with the same name by the paragraph, and ignores ambiguous names', async () => {
    const paragraphs: [string, string][] = [
      ['1', 'One.'],
      ['2', 'Two.'],
      ['3', 'Three.'],
    ];
    const points: [string, string][] = [
      ['p1', 'Ada says one.'],
      ['p2', 'Ada says two.'],
      ['p3', 'Ada is asked.'],
    ];
    const labeled = request({ 1: 'Ada', 2: 'Ada', 3: 'Ben' }, paragraphs);
    expect(await analyzeRenamed({ title: 'Ada' }, points, labeled)).toEqual([
      'Ada',
      '[1] says one.',
      '[2] says two.',
      'Ada is asked.',
    ]);
  });

  it('ignores a name from a note', async () => {
    const labeled = request(
      { 1: 'Ada' },
      [
        ['1', 'I call tomorrow.'],
        ['2', 'Good.'],
      ],
      {
        notes: [{ time: 0, text: 'Ask Ada' }],
      },
    );
    expect(await analyzeRenamed({ title: 'Call by Ada' }, [], labeled)).toEqual(['Call by Ada']);
  });

  it('finds the default names of a call only as assignees', async () => {
    const { analyzer } = createScripted({ title: 'Others' }, [['p1', 'Me and Others']]);
    const paragraphs: [string, string][] = [['me', 'I call.']];
    const { document } = await analyzeLabeled(analyzer, request({}, paragraphs));
    expect(document.speaker_references?.texts).toEqual([]);
    const who = { who: 'Me', when: null, due: null };
    const todo = { id: 'todos-1', text: 'Call', paragraph_id: 'p1', start_time: 0, ...who };
    const withTodo: TranscriptAnalyzer = {
      ...analyzer,
      analyze: async (input) => {
        const analysis = await analyzer.analyze(input);
        return { ...analysis, document: { ...analysis.document, todos: [todo] } };
      },
    };
    const { document: assigned } = await analyzeLabeled(withTodo, request({}, paragraphs));
    expect(assigned.speaker_references?.texts).toEqual([
      { paragraph_id: 'p1', places: ['todos/0/who'], parts: [{ speaker: 'me', name: 'Me' }] },
    ]);
  });

  it('has no references for an extractive summary, which only quotes', async () => {
    const labeled = request({ 1: 'Ada' }, [['1', 'Ada has to water the orchids tomorrow.']]);
    const { document } = await analyzeLabeled(createBuiltinAnalyzer(), labeled);
    expect(document.todos).toHaveLength(1);
    expect(document.speaker_references).toBeUndefined();
  });
});

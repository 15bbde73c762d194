import type { SummaryItem } from '@linnet/contract';
import { expect, it } from 'vitest';
import type { AnalysisParagraph, TranscriptAnalyzer } from './port.ts';

/** Returns all items in a document. */
export function allItems(document: Awaited<ReturnType<TranscriptAnalyzer['analyze']>>['document']) {
  return [
    ...Object.values(document.structures).flatMap(({ sections }) =>
      sections.flatMap((section) => section.items),
    ),
    ...document.todos,
    ...document.knowledge_points,
    ...document.needs,
    ...document.questions,
    ...document.finance,
    ...document.timeline,
    ...document.topics,
  ] as SummaryItem[];
}

const defaults = { structures: [], recordedAt: new Date('2026-03-02T09:00:00Z') } as const;

/** Registers the tests that every analyzer must pass. `sample` is an English transcript with a to-do and a question. */
export function analyzerContract(
  createAnalyzer: () => TranscriptAnalyzer,
  sample: readonly AnalysisParagraph[],
): void {
  it('names itself on the analysis and in the document', async () => {
    const analyzer = createAnalyzer();
    const analysis = await analyzer.analyze({ paragraphs: sample, language: 'en', ...defaults });
    expect(analysis.engine).toContain(analyzer.id);
    expect(analysis.document.engine).toBe(analysis.engine);
    expect(analysis.document.version).toBe(1);
    expect(analysis.document.language).toBe('en');
  });

  it('returns a title, brief, summary and keywords', async () => {
    const analysis = await createAnalyzer().analyze({
      paragraphs: sample,
      language: 'en',
      ...defaults,
    });
    expect(analysis.title).not.toBe('');
    expect(analysis.title.length).toBeLessThanOrEqual(60);
    expect(analysis.brief).not.toBe('');
    expect(analysis.summary).not.toBe('');
    expect(analysis.keywords.length).toBeGreaterThan(0);
    expect(new Set(analysis.keywords).size).toBe(analysis.keywords.length);
  });

  it('links every item to a paragraph and a time within it', async () => {
    const { document } = await createAnalyzer().analyze({
      paragraphs: sample,
      language: 'en',
      ...defaults,
    });
    const items = allItems(document);
    expect(items.length).toBeGreaterThan(0);
    expect(new Set(items.map((item) => item.id)).size).toBe(items.length);
    for (const item of items) {
      const source = sample.find((paragraph) => paragraph.id === item.paragraph_id);
      if (!source) throw new Error(`no paragraph ${item.paragraph_id}`);
      expect(item.start_time).toBeGreaterThanOrEqual(source.start);
      expect(item.start_time).toBeLessThanOrEqual(source.end);
    }
  });

  it('returns an empty analysis for an empty transcript', async () => {
    const analysis = await createAnalyzer().analyze({
      paragraphs: [],
      language: 'en',
      ...defaults,
    });
    expect(analysis).toMatchObject({ title: '', brief: '', summary: '', keywords: [] });
    expect(allItems(analysis.document)).toEqual([]);
  });

  it('fails with `aborted` when aborted by the caller', async () => {
    const request = {
      paragraphs: sample,
      language: 'en',
      ...defaults,
      signal: AbortSignal.abort(),
    };
    await expect(createAnalyzer().analyze(request)).rejects.toMatchObject({ code: 'aborted' });
  });
}

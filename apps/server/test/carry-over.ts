/** Paragraphs for tests that carry changes over to another transcript. */
import type { SourceParagraph, TargetParagraph } from '../src/transcript/carry-over/types.ts';

/** Returns a paragraph of the transcript with the changes. */
export const source = (part: Partial<SourceParagraph> & { before: string }): SourceParagraph => ({
  ...{ id: 'a', start: 0, end: 10, content: part.before, isHighlighted: false },
  ...{ speaker: null, isAssigned: false },
  ...part,
});

/** Returns a paragraph of the transcript that receives the changes. */
export const target = (part: Partial<TargetParagraph> & { content: string }): TargetParagraph => ({
  ...{ id: 'x', start: 0, end: 10, words: [], speaker: null },
  ...part,
});

/** What a text can be made of, in the order in which it is read: what was understood first, what was said last, as it is the longest. */
export const exportParts = [
  'summary',
  'keywords',
  'todos',
  'topics',
  'timeline',
  'knowledge_points',
  'needs',
  'questions',
  'finance',
  'markers',
  'transcript',
] as const;
export type ExportPart = (typeof exportParts)[number];

/** The parts of an exported text, in reading order. The transcript comes last because it is the longest. */
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
  'notes',
  'transcript',
] as const;
export type ExportPart = (typeof exportParts)[number];

/** Structures of a summary. The app loads this file at start: it imports nothing. */

/** `custom` is the owner's own template. */
export const structureIds = [
  'general',
  'meeting',
  'call',
  'lecture',
  'interview',
  'todo',
  'custom',
] as const;
export type StructureId = (typeof structureIds)[number];

/** The default structure, available without membership. */
export const defaultStructure = 'general' satisfies StructureId;

/** The sections of each structure, in order; the app words them. A custom structure has the user's headings. */
export const structureHeadings = {
  general: ['overview'],
  meeting: ['overview', 'topics', 'decisions', 'todos', 'questions'],
  call: ['reason', 'agreements', 'todos', 'amounts'],
  lecture: ['overview', 'knowledge', 'questions'],
  interview: ['overview', 'questions', 'statements'],
  todo: ['todos'],
} as const satisfies { readonly [Id in Exclude<StructureId, 'custom'>]: readonly string[] };

/** The lists of a summary document beside its structures. */
export const summaryLists = [
  'todos',
  'knowledge_points',
  'needs',
  'questions',
  'finance',
  'timeline',
  'topics',
] as const;
export type SummaryListName = (typeof summaryLists)[number];

/** The steps from an uploaded recording to its result, in order. The app words them. */
export const taskSteps = [
  'decode',
  'detect',
  'recognise',
  'speakers',
  'paragraphs',
  'analyse',
  'mind-map',
  'store',
] as const;
export type TaskStep = (typeof taskSteps)[number];

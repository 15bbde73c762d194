/** The structures a summary can have. This module imports nothing, because the app loads it at startup. */

/** The IDs of all structures. `custom` is a template defined by the user. */
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

/**
 * Each structure's sections, in order. The app translates their headings. A custom structure uses the user's headings.
 */
export const structureHeadings = {
  general: ['overview'],
  meeting: ['overview', 'topics', 'decisions', 'todos', 'questions'],
  call: ['reason', 'agreements', 'todos', 'amounts'],
  lecture: ['overview', 'knowledge', 'questions'],
  interview: ['overview', 'questions', 'statements'],
  todo: ['todos'],
} as const satisfies { readonly [Id in Exclude<StructureId, 'custom'>]: readonly string[] };

/** The lists that a summary document contains in addition to its structures. */
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

/**
 * The processing steps of a transcription task, in order. The app has a label for each. The names are stored, so
 * `recognise` and `analyse` keep their British spelling.
 */
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

import type { SqlValue, Statement } from './database.ts';

/** SQL for the recognized text of the server's paragraph in the row `of`; null if it was edited there. */
const unchanged = (of: string) => {
  const below = `coalesce(${of}.base, ${of}.body)`;
  return `case when json_extract(${below}, '$.edited') is null
    then json_extract(${below}, '$.content') end`;
};

/** SQL for the recognized text that an upsert keeps, as far as the phone has it. */
export const originalSql = `coalesce(${unchanged('excluded')}, paragraph.original, ${unchanged('paragraph')})`;

/** Stores the recognized text of paragraphs before an edit. */
export function keepOriginal(where: string, values: readonly SqlValue[]): Statement {
  return [
    `update paragraph set original = coalesce(original, ${unchanged('paragraph')}) ${where}`,
    [...values],
  ];
}

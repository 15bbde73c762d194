import type { SqlValue, Statement } from './database.ts';

/** SQL for the recognized text of the server's paragraph in the row `of`, or null if the server has an edited text. */
const unchanged = (of: string) => {
  const confirmed = `coalesce(${of}.base, ${of}.body)`;
  return `case when json_extract(${confirmed}, '$.edited') is null
    then json_extract(${confirmed}, '$.content') end`;
};

/** SQL for the recognized text after an upsert, as far as the phone has it. */
export const originalSql = `coalesce(${unchanged('excluded')}, paragraph.original, ${unchanged('paragraph')})`;

/** Returns the statement that stores the recognized text of paragraphs before an edit. */
export function storeOriginal(where: string, values: readonly SqlValue[]): Statement {
  return [
    `update paragraph set original = coalesce(original, ${unchanged('paragraph')}) ${where}`,
    [...values],
  ];
}

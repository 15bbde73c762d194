import type { SqlValue, Statement } from './database.ts';

/** What was heard in a paragraph as the server has it, of the row `of`; null once that was changed. */
const unchanged = (of: string) => {
  const below = `coalesce(${of}.base, ${of}.body)`;
  return `case when json_extract(${below}, '$.edited') is null
    then json_extract(${below}, '$.content') end`;
};

/** What was heard, as far as the phone knows, as a paragraph is written over by `excluded`. */
export const originalSql = `coalesce(${unchanged('excluded')}, paragraph.original, ${unchanged('paragraph')})`;

/** Keeps what was heard in paragraphs that their owner is about to change. */
export function keepOriginal(where: string, values: readonly SqlValue[]): Statement {
  return [
    `update paragraph set original = coalesce(original, ${unchanged('paragraph')}) ${where}`,
    [...values],
  ];
}

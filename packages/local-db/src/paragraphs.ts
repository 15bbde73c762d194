import type { RecordDetail } from '@linnet/sync';
import { json } from './columns.ts';
import type { SqlRow } from './database.ts';

type Paragraph = RecordDetail['content'][number];

/** Selects the paragraphs of a record in order, with the recognized text of edited ones and words in a separate column. */
export const selectParagraphs = `select id, body -> '$.words' as words, json_remove(
    case when original is not null and json_extract(body, '$.edited')
      then json_set(body, '$.original', original) else body end, '$.words') as body
  from paragraph where task_id = (select results_task from record where id = ?) order by ordinal`;

/**
 * Creates a reader of the rows of {@link selectParagraphs}. A recording is read again after every commit, and a long one
 * has a hundred thousand words. Unchanged paragraphs therefore remain the same objects, and words are parsed on first
 * access.
 */
export function paragraphReader(): (rows: readonly SqlRow[]) => Paragraph[] {
  let known = new Map<unknown, { row: SqlRow; paragraph: Paragraph }>();
  return (rows) => {
    const read = rows.map((row) => {
      const before = known.get(row.id);
      const isUnchanged = before && before.row.body === row.body && before.row.words === row.words;
      return isUnchanged ? before : { row, paragraph: paragraphOf(row) };
    });
    known = new Map(read.map((each) => [each.row.id, each]));
    return read.map(({ paragraph }) => paragraph);
  };
}

function paragraphOf({ body, words }: SqlRow): Paragraph {
  const paragraph = json<Paragraph>(body);
  if (words === null) return paragraph;
  let parsed: Paragraph['words'];
  return Object.defineProperty(paragraph, 'words', {
    enumerable: true,
    configurable: true,
    get: () => {
      parsed ??= json(words);
      return parsed;
    },
  });
}

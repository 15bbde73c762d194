import type { RecordDetail } from '@linnet/sync';
import { json } from './columns.ts';
import type { SqlRow } from './database.ts';

type Paragraph = RecordDetail['content'][number];

/**
 * Selects a record's paragraphs in order. Edited paragraphs include their transcribed text. Words are in a separate
 * column.
 */
export const selectParagraphs = `select id, body -> '$.words' as words, json_remove(
    case when original is not null and json_extract(body, '$.edited')
      then json_set(body, '$.original', original) else body end, '$.words') as body
  from paragraph where task_id = (select results_task from record where id = ?) order by ordinal`;

/**
 * Creates a reader for the rows of {@link selectParagraphs}. Returns the same objects for unchanged paragraphs and
 * parses words only on access: the app reads the displayed recording again after every commit, and a long one has a
 * hundred thousand words.
 */
export function createParagraphReader(): (rows: readonly SqlRow[]) => Paragraph[] {
  let cache = new Map<unknown, { row: SqlRow; paragraph: Paragraph }>();
  return (rows) => {
    const entries = rows.map((row) => {
      const cached = cache.get(row.id);
      const isUnchanged = cached && cached.row.body === row.body && cached.row.words === row.words;
      return isUnchanged ? cached : { row, paragraph: parseParagraph(row) };
    });
    cache = new Map(entries.map((each) => [each.row.id, each]));
    return entries.map(({ paragraph }) => paragraph);
  };
}

function parseParagraph({ body, words }: SqlRow): Paragraph {
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

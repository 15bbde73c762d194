import { fold } from '@linnet/contract/folding';
import { json, number, text } from '../columns.ts';
import type { SqlDatabase, SqlRow, SqlValue, Statement } from '../database.ts';
import { shownColumn } from '../speaker-names/naming.ts';
import { METADATA_PAGE, metadataColumns, PAGE_PARAGRAPHS } from './schema.ts';

/**
 * The line separator. Two characters long, so that even the last two characters of a line each begin a trigram and can
 * be matched.
 */
const LINE_END = '\n\n';

/** Splits a page into its folded lines. */
export const splitLines = (folded: string) => folded.split(LINE_END);

/** Pages indexed per step. A step takes a few milliseconds. */
const STEP_PAGES = 40;

type Page = { readonly record: string; readonly page: number; readonly lines: readonly string[] };

/**
 * Returns the statements that index the next stale pages. The caller must block other writes until these statements are
 * committed.
 */
export async function indexStep(database: SqlDatabase): Promise<Statement[]> {
  const stalePages = await database.query(
    `select record_id, page from search_stale order by record_id, page limit ${STEP_PAGES}`,
  );
  if (stalePages.length === 0) return [];
  const keys = JSON.stringify(stalePages.map(({ record_id, page }) => [record_id, page]));
  const pages = [
    ...(await readMetadataPages(database, keys)),
    ...(await readTranscriptPages(database, keys)),
  ];
  const existing = new Set(pages.map(({ record, page }) => `${record} ${page}`));
  return [
    ...pages.map(
      ({ record, page, lines }): Statement => [
        `insert into search_page (record_id, page, folded) values (?, ?, ?)
         on conflict (record_id, page) do update set folded = excluded.folded
         where folded is not excluded.folded`,
        [record, page, lines.map((line) => fold(line) + LINE_END).join('')],
      ],
    ),
    ...stalePages.flatMap(({ record_id, page }): Statement[] => {
      const key: SqlValue[] = [text(record_id), number(page)];
      const where = 'where record_id = ? and page = ?';
      return [
        ...(existing.has(key.join(' '))
          ? []
          : [[`delete from search_page ${where}`, key] satisfies Statement]),
        [`delete from search_stale ${where}`, key],
      ];
    }),
  ];
}

/** Reads the metadata pages in `keys`. Omits deleted records. */
async function readMetadataPages(database: SqlDatabase, keys: string): Promise<Page[]> {
  const rows = await database.query(
    `select id, ${metadataColumns.map(shownColumn).join(', ')} from record
     where id in (select value ->> 0 from json_each(?) where value ->> 1 = ${METADATA_PAGE})`,
    [keys],
  );
  return rows.map((row) => ({
    record: text(row.id),
    page: METADATA_PAGE,
    lines: metadataTexts(row).map(({ text }) => text),
  }));
}

/**
 * Returns a recording's searchable metadata, most relevant first.
 * @param row the columns {@link metadataColumns}, as shown
 */
export function metadataTexts(row: SqlRow) {
  const labels = (
    where: 'tag' | 'keyword' | 'speaker' | 'note' | 'marker',
    texts: readonly string[],
  ) => texts.map((text) => ({ where, text }));
  const notes = json<readonly { readonly text: string }[]>(row.notes);
  const markers = json<readonly { readonly label: string }[]>(row.markers);
  return [
    { where: 'name', text: text(row.title) || text(row.ai_title) },
    ...labels('tag', json(row.tags)),
    ...labels('keyword', json(row.keywords)),
    ...labels('speaker', Object.values(json<Readonly<Record<string, string>>>(row.speakers))),
    ...labels(
      'note',
      notes.map((note) => note.text),
    ),
    ...labels(
      'marker',
      markers.map((marker) => marker.label),
    ),
    { where: 'summary', text: text(row.summary) },
  ] as const;
}

/** Reads the transcript pages in `keys`. Omits deleted records. */
async function readTranscriptPages(database: SqlDatabase, keys: string): Promise<Page[]> {
  const rows = await database.query(
    `select stale.value ->> 0 as record_id, stale.value ->> 1 as page, ordinal,
       body ->> '$.content' as content
     from json_each(?) as stale
     join record on record.id = stale.value ->> 0
     join paragraph on paragraph.task_id = record.results_task
       and ordinal between (stale.value ->> 1) * ${PAGE_PARAGRAPHS}
         and (stale.value ->> 1) * ${PAGE_PARAGRAPHS} + ${PAGE_PARAGRAPHS - 1}
     where stale.value ->> 1 <> ${METADATA_PAGE}
     order by record_id, page, ordinal`,
    [keys],
  );
  const pages = new Map<string, { record: string; page: number; lines: string[] }>();
  for (const row of rows) {
    const record = text(row.record_id);
    const page = number(row.page);
    const key = `${record} ${page}`;
    const entry = pages.get(key) ?? { record, page, lines: [] };
    pages.set(key, entry);
    // A line's number is the ordinal of its paragraph, so add an empty line for a missing paragraph.
    while (entry.lines.length < number(row.ordinal) % PAGE_PARAGRAPHS) entry.lines.push('');
    entry.lines.push(text(row.content));
  }
  return [...pages.values()];
}

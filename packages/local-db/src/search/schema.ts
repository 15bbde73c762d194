/** Paragraphs per page. An edit reindexes only one page instead of the whole transcript. */
export const PAGE_PARAGRAPHS = 16;

/** The page number of a recording's metadata. Transcript pages are numbered from 0. */
export const METADATA_PAGE = -1;

const insertStale = 'insert into search_stale (record_id, page)';
const ignoreConflict = 'on conflict do nothing';
const anyChanged = (columns: readonly string[]) =>
  columns.map((column) => `old.${column} is not new.${column}`).join(' or ');

/** The columns that were indexed before migration 7. */
const initialColumns = ['title', 'ai_title', 'tags', 'keywords', 'summary'];
const withSpeakers = [...initialColumns, 'speakers'];
/** The columns of a record that are indexed. */
export const metadataColumns = [...withSpeakers, 'notes', 'markers'];
const paragraphColumns = ['body', 'task_id', 'ordinal', 'record_id'];

/** Returns a trigger that marks the page of a changed paragraph as stale. */
const paragraphTrigger = (name: string, event: string, row: 'old' | 'new') =>
  `create trigger search_paragraph_${name} after ${event} begin
    ${insertStale} values (${row}.record_id, ${row}.ordinal / ${PAGE_PARAGRAPHS}) ${ignoreConflict};
  end`;

/** Returns a trigger that marks the metadata page of a changed recording as stale. */
const metadataTrigger = (columns: readonly string[]) =>
  `create trigger search_record_changed after update of ${columns.join(', ')} on record
    when ${anyChanged(columns)}
  begin
    ${insertStale} values (new.id, ${METADATA_PAGE}) ${ignoreConflict};
  end`;

/**
 * The search index (migration 5). `search_page` contains the folded text, one line per paragraph. `search_index` maps
 * trigrams to pages. Triggers mark pages as stale in the transaction that changes a record or a paragraph. SQLite can't
 * fold text, so the app folds and indexes stale pages later, in small steps. Existing rows start out stale.
 */
export const searchSchema: readonly string[] = [
  `create table search_page (
    id integer primary key,
    record_id text not null,
    page integer not null,
    folded text not null,
    unique (record_id, page)
  ) strict`,
  `create table search_stale (
    record_id text not null,
    page integer not null,
    primary key (record_id, page)
  ) strict, without rowid`,
  `create virtual table search_index using fts5(
    folded, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1')`,
  `create virtual table search_term using fts5vocab(search_index, row)`,

  `create trigger search_page_added after insert on search_page begin
    insert into search_index (rowid, folded) values (new.id, new.folded);
  end`,
  `create trigger search_page_changed after update of folded on search_page begin
    update search_index set folded = new.folded where rowid = new.id;
  end`,
  `create trigger search_page_gone after delete on search_page begin
    delete from search_index where rowid = old.id;
  end`,

  `create trigger search_record_added after insert on record begin
    ${insertStale} values (new.id, ${METADATA_PAGE}) ${ignoreConflict};
  end`,
  metadataTrigger(initialColumns),
  // Replacing the transcript makes the pages of both transcripts stale.
  `create trigger search_results_changed after update of results_task on record
    when ${anyChanged(['results_task'])}
  begin
    ${insertStale} select distinct new.id, ordinal / ${PAGE_PARAGRAPHS} from paragraph
      where record_id = new.id ${ignoreConflict};
    ${insertStale} select new.id, page from search_page
      where record_id = new.id and page <> ${METADATA_PAGE} ${ignoreConflict};
  end`,
  `create trigger search_record_gone after delete on record begin
    delete from search_page where record_id = old.id;
    delete from search_stale where record_id = old.id;
  end`,
  paragraphTrigger('added', 'insert on paragraph', 'new'),
  paragraphTrigger(
    'changed',
    `update of ${paragraphColumns.join(', ')} on paragraph when ${anyChanged(paragraphColumns)}`,
    'new',
  ),
  paragraphTrigger('gone', 'delete on paragraph', 'old'),

  `${insertStale} select id, ${METADATA_PAGE} from record`,
  `${insertStale} select distinct record_id, ordinal / ${PAGE_PARAGRAPHS} from paragraph`,
];

/** Adds speaker names to the indexed metadata (migration 7). */
export const searchSpeakers: readonly string[] = [
  'drop trigger search_record_changed',
  metadataTrigger(withSpeakers),
  `${insertStale} select id, ${METADATA_PAGE} from record where speakers <> '{}' ${ignoreConflict}`,
];

/** Adds notes and marker labels to the indexed metadata (migration 20). */
export const searchNotes: readonly string[] = [
  'drop trigger search_record_changed',
  metadataTrigger(metadataColumns),
  `${insertStale} select id, ${METADATA_PAGE} from record
    where notes <> '[]' or markers <> '[]' ${ignoreConflict}`,
];

/** Indexes summaries with the current names of their speakers (migration 22). */
export const searchSummaryNames: readonly string[] = [
  'drop trigger search_record_changed',
  metadataTrigger([...metadataColumns, 'named']),
];

/**
 * Indexes paragraphs that arrived before their recording. Such a recording is inserted together with its results
 * (migration 26).
 */
export const searchAddedResults = `create trigger search_added_results after insert on record
  when new.results_task is not null
begin
  ${insertStale} select distinct new.id, ordinal / ${PAGE_PARAGRAPHS} from paragraph
    where record_id = new.id ${ignoreConflict};
end`;

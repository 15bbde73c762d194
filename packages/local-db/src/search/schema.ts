/** The number of paragraphs indexed together. An edit reindexes these, instead of the complete transcript. */
export const PAGE_PARAGRAPHS = 16;

/** Page number of a recording's metadata. Transcript pages are numbered from 0. */
export const WRITTEN = -1;

const intoStale = 'insert into search_stale (record_id, page)';
const unlessKnown = 'on conflict do nothing';
const changed = (columns: readonly string[]) =>
  columns.map((column) => `old.${column} is not new.${column}`).join(' or ');

const written = ['title', 'ai_title', 'tags', 'keywords', 'summary'];
const spoken = ['body', 'task_id', 'ordinal', 'record_id'];

/** Marks the page of a changed paragraph as stale. */
const paragraphTrigger = (name: string, event: string, row: 'old' | 'new') =>
  `create trigger search_paragraph_${name} after ${event} begin
    ${intoStale} values (${row}.record_id, ${row}.ordinal / ${PAGE_PARAGRAPHS}) ${unlessKnown};
  end`;

/** Marks the metadata page of a changed recording as stale. */
const writtenTrigger = (columns: readonly string[]) =>
  `create trigger search_record_changed after update of ${columns.join(', ')} on record
    when ${changed(columns)}
  begin
    ${intoStale} values (new.id, ${WRITTEN}) ${unlessKnown};
  end`;

/**
 * Search, migration 5. `search_page` holds the folded text, with one line for each paragraph; `search_index` maps trigrams
 * to pages. Triggers mark pages as stale in the transaction that changes a record or a paragraph. Stale pages are folded
 * and indexed later in steps, because SQLite cannot fold. Existing rows are stale initially.
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
    ${intoStale} values (new.id, ${WRITTEN}) ${unlessKnown};
  end`,
  writtenTrigger(written),
  // When the transcript is replaced, the pages of both transcripts are stale.
  `create trigger search_results_changed after update of results_task on record
    when ${changed(['results_task'])}
  begin
    ${intoStale} select distinct new.id, ordinal / ${PAGE_PARAGRAPHS} from paragraph
      where record_id = new.id ${unlessKnown};
    ${intoStale} select new.id, page from search_page
      where record_id = new.id and page <> ${WRITTEN} ${unlessKnown};
  end`,
  `create trigger search_record_gone after delete on record begin
    delete from search_page where record_id = old.id;
    delete from search_stale where record_id = old.id;
  end`,
  paragraphTrigger('added', 'insert on paragraph', 'new'),
  paragraphTrigger(
    'changed',
    `update of ${spoken.join(', ')} on paragraph when ${changed(spoken)}`,
    'new',
  ),
  paragraphTrigger('gone', 'delete on paragraph', 'old'),

  `${intoStale} select id, ${WRITTEN} from record`,
  `${intoStale} select distinct record_id, ordinal / ${PAGE_PARAGRAPHS} from paragraph`,
];

/** Migration 7: the names of speakers become metadata. */
export const searchSpeakers: readonly string[] = [
  'drop trigger search_record_changed',
  writtenTrigger([...written, 'speakers']),
  `${intoStale} select id, ${WRITTEN} from record where speakers <> '{}' ${unlessKnown}`,
];

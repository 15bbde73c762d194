/** The columns whose texts, as sent by the server, may name speakers, and whether each contains JSON. */
export const namingColumns = {
  ai_title: 'text',
  brief: 'text',
  summary: 'text',
  summary_json: 'json',
  keywords: 'json',
  xmind_json: 'json',
  mind_map: 'json',
} as const;
export type NamingColumn = keyof typeof namingColumns;
const sentColumns = Object.keys(namingColumns);

export const isNamingColumn = (column: string): column is NamingColumn =>
  Object.hasOwn(namingColumns, column);

const insertStale = 'insert into stale_names (record_id)';
const ignoreConflict = 'on conflict do nothing';
const anyChanged = (columns: readonly string[]) =>
  columns.map((column) => `old.${column} is not new.${column}`).join(' or ');
/**
 * An SQL condition for recordings whose summary may name speakers. {@link markQuotingSummariesCurrent} excludes
 * extractive summaries later.
 */
const hasSummary = (id: string) =>
  `exists (select 1 from record where id = ${id} and summary_json is not null)`;

/**
 * The current speaker names in summaries (migration 22). `named` holds the texts that differ from the server's, as a
 * JSON object by column. Triggers mark recordings whose texts or speakers change as stale in the same transaction, and
 * the app updates the names afterwards. Triggers also clear the texts of a replaced summary.
 */
export const speakerNamesSchema: readonly string[] = [
  'alter table record add column named text',
  `create table stale_names (
    record_id text primary key references record (id) on delete cascade
  ) strict, without rowid`,
  `create trigger names_of_record after update of speakers, results_task, ${sentColumns.join(', ')}
    on record when new.summary_json is not null
      and (${anyChanged(['speakers', 'results_task', ...sentColumns])})
  begin
    ${insertStale} values (new.id) ${ignoreConflict};
  end`,
  `create trigger names_of_other_summary after update of ${sentColumns.join(', ')} on record
    when new.named is not null and (${anyChanged(sentColumns)})
  begin
    update record set named = null where id = new.id;
  end`,
  `create trigger names_of_added_paragraph after insert on paragraph when ${hasSummary('new.record_id')}
  begin
    ${insertStale} values (new.record_id) ${ignoreConflict};
  end`,
  `create trigger names_of_changed_paragraph after update of body on paragraph
    when old.body ->> '$.speaker' is not new.body ->> '$.speaker' and ${hasSummary('new.record_id')}
  begin
    ${insertStale} values (new.record_id) ${ignoreConflict};
  end`,
  `${insertStale} select id from record where summary_json is not null and speakers <> '{}'`,
];

/** Marks recordings that are inserted with their summary as stale (migration 26). */
export const namesOfAddedRecord = `create trigger names_of_added_record after insert on record
  when new.summary_json is not null
begin
  ${insertStale} values (new.id) ${ignoreConflict};
end`;

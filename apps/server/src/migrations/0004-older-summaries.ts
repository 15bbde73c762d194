import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Adds the kind, structure and other later fields to older summaries. Older summaries were all extractive and general,
 * without assignees or due dates.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    update tasks set summary_json = summary_json || jsonb_build_object(
      'kind', 'extractive',
      'structure', 'general',
      'todos', coalesce(
        (select jsonb_agg('{"who": null, "when": null, "due": null}' || todo order by at)
          from jsonb_array_elements(summary_json -> 'todos') with ordinality as todos (todo, at)),
        '[]'))
    where jsonb_typeof(summary_json) = 'object' and not summary_json ? 'kind'`.execute(db);
}

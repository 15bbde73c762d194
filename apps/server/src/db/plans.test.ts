import type { CallName } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { prefixes, routes } from '@linnet/contract/routes';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type CallCases, callCases, type World } from '../../test/call-cases.ts';
import { startTestServer, type TestServer } from '../../test/server.ts';
import { transcribedRecording } from '../../test/transcripts.ts';

/** A statement that was executed, with its parameters. */
interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}
/** A node of a plan, as described by `explain (format json)`. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Tables with a single row. */
const fixedTables = ['retention_clock'];

let server: TestServer;
let world: World;
/** The connection that runs `explain`. */
let client: pg.Client;
let partialIndexes: ReadonlySet<string>;
beforeAll(async () => {
  server = await startTestServer();
  client = new pg.Client(server.databaseUrl);
  await client.connect();
  for (const method of ['seqscan', 'hashjoin', 'mergejoin']) {
    await client.query(`set enable_${method} = off`);
  }
  const { rows } = await client.query<{ name: string }>(
    'select indexrelid::regclass::text as name from pg_index where indpred is not null',
  );
  partialIndexes = new Set(rows.map(({ name }) => name));
  const [owner, other] = [await server.register(), await server.register()];
  await addNeighbors();
  world = {
    ...{ server, owner, other },
    mine: await transcribedRecording(server, owner),
    theirs: await transcribedRecording(server, other),
  };
  await sql`analyze`.execute(server.db);
});
afterAll(async () => {
  await client.end();
  await server.close();
});

it('uses an index for each table in every statement of every call', async () => {
  const statements = new Map<string, Statement & { readonly name: CallName }>();
  for (const name of Object.keys(callCases) as CallName[]) {
    const { success } = callCases[name] as CallCases<CallName>;
    const { body, token = world.owner.access } = await success(world);
    for (const statement of await record(() => send(name, body, token))) {
      statements.set(statement.text, { ...statement, name });
    }
  }
  const scans: string[] = [];
  for (const { name, ...statement } of statements.values()) {
    for (const table of await findFullScans(statement)) {
      scans.push(`${name} reads all rows of ${table}: ${statement.text}`);
    }
  }
  expect(statements.size).toBeGreaterThan(200);
  expect(scans).toEqual([]);
});

it('detects a statement that cannot use an index', async () => {
  const text = 'select id from recordings where ai_title = $1';
  expect(await findFullScans({ text, values: ['x'] })).toEqual(['recordings']);
  expect(await findFullScans({ text: 'select count(*) from operations', values: [] })).toEqual([
    'operations',
  ]);
});

it('has an index for every foreign key', async () => {
  const { rows } = await sql<{ key: string }>`
    select conrelid::regclass || ' ' || pg_get_constraintdef(oid) as key from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and not exists (
      select from pg_index where indrelid = conrelid and (indpred is null
        or pg_get_expr(indpred, indrelid) ~ '^\\(\\w+ IS NOT NULL\\)$')
      and (indkey::int2[])[0:cardinality(conkey) - 1] @> conkey)`.execute(server.db);
  expect(rows.map(({ key }) => key)).toEqual([]);
});

/** Adds accounts with recordings, so that the planner has statistics about tables with many rows. */
async function addNeighbors(): Promise<void> {
  const { db } = server;
  await sql`
    insert into accounts (id, email, password_hash, agreement_version, agreement_accepted_at)
    select gen_random_uuid(), n || '@example.net', '', '1', now() from generate_series(1, 200) as n`.execute(
    db,
  );
  await sql`
    insert into recordings (id, account_id, client_flag, rev, recorded_at)
    select gen_random_uuid(), accounts.id, n, n, now() - n * interval '1 day'
    from accounts, generate_series(1, 20) as n where password_hash = ''`.execute(db);
  await sql`
    insert into tasks (id, recording_id, account_id, language, status, rev)
    select gen_random_uuid(), id, account_id, 'en', 2, rev from recordings`.execute(db);
  await sql`
    insert into paragraphs (id, task_id, account_id, ordinal, start_time, end_time, content, rev)
    select gen_random_uuid(), id, account_id, n, n, n + 1, 'A paragraph.', rev
    from tasks, generate_series(1, 3) as n`.execute(db);
  await sql`
    insert into sessions (id, account_id)
    select gen_random_uuid(), accounts.id from accounts, generate_series(1, 3) where password_hash = ''`.execute(
    db,
  );
  await sql`
    insert into refresh_tokens (hash, session_id, expires_at)
    select sha256(id::text::bytea), id, now() from sessions`.execute(db);
  await sql`
    insert into push_subscriptions (session_id, account_id, endpoint, p256dh, auth, events, shows_titles, time_zone,
      created_at)
    select id, account_id, id, '', '', '[]', false, 'UTC', now() from sessions`.execute(db);
  await sql`
    insert into share_links (id, account_id, recording_id, parts)
    select gen_random_uuid(), account_id, id, '[]' from recordings`.execute(db);
  await sql`
    with runs as (
      insert into retention_runs (id, account_id, after, unit, started_at)
      select gen_random_uuid(), id, 1, 'month', now() from accounts where password_hash = ''
      returning id, account_id
    )
    insert into retention_moves (run_id, recording_id, binned_at)
    select runs.id, recordings.id, now() from runs join recordings using (account_id)`.execute(db);
}

/** Returns the statements that the server executes during an action, excluding the job queue's own. */
async function record(action: () => Promise<void>): Promise<Statement[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await action();
    return query.mock.calls.flatMap((call): Statement[] => {
      const [text, values] = call as unknown as [unknown, unknown];
      if (typeof text !== 'string' || !/^\s*(select|insert|update|delete|with|\()/i.test(text)) {
        return [];
      }
      return /\bpgboss\b/.test(text) ? [] : [{ text, values: Array.isArray(values) ? values : [] }];
    });
  } finally {
    query.mockRestore();
  }
}

/**
 * Returns the tables that a statement scans in full even though full scans are disabled. Otherwise, the planner would
 * prefer them on a test's small tables, even with a suitable index.
 */
async function findFullScans({ text, values }: Statement): Promise<string[]> {
  const { rows } = await client.query(`explain (format json) ${text}`, [...values]);
  const isFullScan = (node: PlanNode) =>
    node['Node Type'] === 'Seq Scan' ||
    (/^Index (Only )?Scan$/.test(node['Node Type']) &&
      node['Index Cond'] === undefined &&
      !partialIndexes.has(node['Index Name'] ?? ''));
  return flatten(rows[0]['QUERY PLAN'][0].Plan).flatMap((node) => {
    const table = node['Relation Name'];
    return table && isFullScan(node) && !fixedTables.includes(table) ? [table] : [];
  });
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}

async function send(name: CallName, body: unknown, token: string): Promise<void> {
  const { method, path, host } = routes[name];
  const encoded = body instanceof FormData ? new Response(body) : null;
  const response = await server.app.inject({
    method,
    url: `${prefixes[host]}${path}`,
    headers: {
      host: 'localhost:8080',
      'content-type': encoded?.headers.get('content-type') ?? 'application/json',
      authorization: `Bearer ${token}`,
    },
    ...(method === 'POST' && {
      payload: encoded ? Buffer.from(await encoded.arrayBuffer()) : (JSON.stringify(body) ?? ''),
    }),
  });
  expect(response.json(), name).toMatchObject({ code: codes.ok });
}

import { fastify } from 'fastify';
import pg from 'pg';
import { verifyPassword } from '../src/modules/user/passwords.ts';

/**
 * Runs the baseline for the server: Fastify and pg with the same queries and JSON.stringify, without tokens, schemas,
 * limits, signed URLs, headers or logs.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 });
const app = fastify();

interface Query {
  session: string;
  account: string;
  limit: number;
}

/** The session query of every call. */
const checkSession = (query: Query) =>
  pool.query(
    `select a.* from sessions s join accounts a on a.id = s.account_id
     where s.id = $1 and s.account_id = $2 and s.revoked_at is null`,
    [query.session, query.account],
  );

app.post<{ Body: Query }>('/trivial', async ({ body }) => {
  await checkSession(body);
  const { rows } = await pool.query(
    `select d.*, b.bound_at from bindings b join devices d on d.sn = b.sn
     where b.account_id = $1 order by b.bound_at desc, d.sn`,
    [body.account],
  );
  return JSON.stringify({ code: 0, msg: 'ok', data: { list: rows } });
});

app.post<{ Body: Query }>('/list', async ({ body }) => {
  await checkSession(body);
  const { rows } = await pool.query(
    `select r.id, r.name, r.ai_title, r.source, r.object_key, r.file_size, r.sha256, r.mime_type,
       r.ext, r.total_time, r.sn, r.client_flag, r.keywords, r.tags, r.brief, r.is_del,
       r.recorded_at, r.created_at, r.updated_at, r.rev,
       t.id as task_id, t.language, t.status, t.progress, t.error_code
     from recordings r left join lateral (
       select * from tasks where recording_id = r.id order by created_at desc, id desc limit 1
     ) t on true
     where r.account_id = $1 and r.is_del = 0
     order by r.recorded_at desc, r.id desc limit $2`,
    [body.account, body.limit],
  );
  // A full page may not be the last one.
  const total =
    rows.length < body.limit
      ? rows.length
      : (
          await pool.query('select count(*) from recordings where account_id = $1 and is_del = 0', [
            body.account,
          ])
        ).rows[0].count;
  return JSON.stringify({ code: 0, msg: 'ok', data: { list: rows, total } });
});

app.post<{ Body: Query }>('/changes', async ({ body }) => {
  const { rows } = await checkSession(body);
  return JSON.stringify({ code: 0, msg: 'ok', data: { changes: [], cursor: rows[0].epoch } });
});

app.post<{ Body: Query }>('/watch', async ({ body }) => {
  await checkSession(body);
  const { rows } = await pool.query(
    `select * from live_sessions l
     where l.account_id = any(array[$1]::uuid[]) and l.updated_at > now() - interval '10 minutes'
       and not exists (
         select r.id from recordings r
         where r.account_id = l.account_id and r.client_flag = l.client_flag
           and r.object_key is not null)
     order by l.created_at, l.id`,
    [body.account],
  );
  return JSON.stringify({ code: 0, msg: 'ok', data: { version: '', list: rows } });
});

app.post<{ Body: { email: string; password: string } }>('/login', async ({ body }) => {
  const { rows } = await pool.query('select password_hash from accounts where email = $1', [
    body.email,
  ]);
  return { correct: await verifyPassword(body.password, rows[0].password_hash) };
});

const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true, address });

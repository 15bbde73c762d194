import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { execute } from '@linnet/server/testing/database';

/** An account with a library and a session on one device. */
export type SeededAccount = {
  readonly id: string;
  readonly session: string;
  readonly refreshToken: string;
  /** The `client_flag` of each recording. */
  readonly recordings: readonly string[];
};

/** Default number of recordings in each library. */
const RECORDINGS = 50;
/** Lifetime of a refresh token, in days (`apps/server/src/modules/user/sessions.ts`). */
const REFRESH_DAYS = 90;

/**
 * Creates accounts directly in the database, because each registration would hash a password and send an email.
 * @param recordingsPerLibrary number of recordings in each library, all with a transcript
 */
export async function seedAccounts(
  databaseUrl: string,
  count: number,
  recordingsPerLibrary = RECORDINGS,
): Promise<SeededAccount[]> {
  const accounts = Array.from({ length: count }, () => ({
    id: randomUUID() as string,
    session: randomUUID() as string,
    refreshToken: randomBytes(32).toString('base64url'),
    recordings: Array.from({ length: recordingsPerLibrary }, () => randomUUID() as string),
  }));
  const ids = accounts.map(({ id }) => id);
  const sessions = accounts.map(({ session }) => session);
  const run = (statement: string, values: readonly unknown[] = []) =>
    execute(databaseUrl, statement, values);
  await run(
    `insert into accounts (id, email, password_hash, agreement_version, agreement_accepted_at, rev)
     select id, 'load-' || id || '@example.org', '', '1', now(), $2
     from unnest($1::uuid[]) as id`,
    [ids, recordingsPerLibrary],
  );
  await run(
    `insert into sessions (id, account_id)
     select id, account_id from unnest($1::uuid[], $2::uuid[]) as rows (id, account_id)`,
    [sessions, ids],
  );
  await run(
    `insert into refresh_tokens (hash, session_id, expires_at)
     select hash, session_id, now() + $3 * interval '1 day'
     from unnest($1::bytea[], $2::uuid[]) as rows (hash, session_id)`,
    [accounts.map(({ refreshToken }) => sha256(refreshToken)), sessions, REFRESH_DAYS],
  );
  await run(
    `insert into recordings (id, account_id, client_flag, name, ai_title, source, object_key, file_size,
       sha256, mime_type, ext, total_time, sn, brief, keywords, tags, rev, recorded_at)
     select gen_random_uuid(), account_id, client_flag, 'Rounds on ward ' || n, 'Morning rounds', n % 2,
       'voice/' || account_id || '/' || client_flag || '.ogg', 2000000 + n, repeat('ab', 32), 'audio/ogg',
       'ogg', 600 + n, 'SN-1', 'Three patients were seen and two were sent home.',
       '["rounds", "ward", "patients", "home"]', '["work"]', n, now() - n * interval '1 hour'
     from (
       select account_id, client_flag, row_number() over (partition by account_id)::int as n
       from unnest($1::uuid[], $2::text[]) as rows (account_id, client_flag)
     ) as numbered`,
    [
      accounts.flatMap(({ id, recordings }) => recordings.map(() => id)),
      accounts.flatMap(({ recordings }) => recordings),
    ],
  );
  await run(
    `insert into tasks (id, recording_id, account_id, language, status, progress, engine, rev)
     select gen_random_uuid(), id, account_id, 'en', 2, 100, 'pocketsphinx', rev from recordings`,
  );
  await run('vacuum analyze');
  return accounts;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest();

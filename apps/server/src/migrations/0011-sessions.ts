import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Adds a list of sessions that can be ended individually, protects verification codes and sign-in attempts, and limits
 * trials to one per email address.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    sql`alter table sessions
      add column device text not null default '',
      add column last_seen_at timestamptz not null default now(),
      add column password_at timestamptz`,
    sql`update sessions set last_seen_at = coalesce(
      (select max(created_at) from refresh_tokens where session_id = sessions.id), created_at)`,
    sql`alter table refresh_tokens
      add column renewals int not null default 0,
      add column voided_at timestamptz`,
    // Codes are only valid for minutes, so users with a pending code request a new one.
    sql`delete from verification_codes`,
    sql`alter table verification_codes rename column code_hash to seed`,
    sql`alter table verification_codes drop column tries`,
    sql`alter table rate_windows add column last_at timestamptz not null default now()`,
    sql`create table known_networks (
      account_id uuid not null references accounts on delete cascade,
      network bytea not null,
      seen_at timestamptz not null default now(),
      primary key (account_id, network)
    )`,
    sql`create table trials (
      address bytea primary key,
      given_at timestamptz not null default now()
    )`,
  ];
  for (const statement of statements) await statement.execute(db);
}

import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Adds the passages that questions are matched against, and the threads of questions. A passage's terms are hashes. The
 * index is built from revision 0 when the account asks its first question or a worker is idle.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    sql`create table passages (
      recording_id uuid not null references recordings on delete cascade,
      ordinal int not null,
      account_id uuid not null,
      task_id uuid references tasks on delete cascade,
      terms bigint[] not null,
      kinds smallint not null default 0,
      digest text,
      primary key (recording_id, ordinal)
    )`,
    // With `fastupdate`, every query would have to scan the list of pending entries.
    sql`create index passages_terms on passages using gin (terms) with (fastupdate = off)`,
    // Erasing a task must not scan all passages.
    sql`create index passages_task on passages (task_id)`,
    sql`create table passage_revisions (
      account_id uuid primary key references accounts on delete cascade,
      rev bigint not null default 0,
      passages int not null default 0
    )`,
    sql`create table question_threads (
      id uuid primary key,
      account_id uuid not null references accounts on delete cascade,
      recording_ids jsonb not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`,
    sql`create index question_threads_latest on question_threads (account_id, updated_at desc, id desc)`,
    sql`create table questions (
      id uuid primary key,
      thread_id uuid not null references question_threads on delete cascade,
      question text not null,
      -- Whether a language model has yet to write the answer, and the model's name once it has.
      is_writing boolean not null default false,
      engine text,
      quoted smallint not null,
      created_at timestamptz not null default now()
    )`,
    sql`create index questions_thread on questions (thread_id, created_at, id)`,
    // Quotes are copies, because a new transcript has different paragraphs. They are erased with the recording.
    sql`create table question_quotes (
      question_id uuid not null references questions on delete cascade,
      position smallint not null,
      recording_id uuid not null references recordings on delete cascade,
      paragraph_id uuid not null,
      start_time double precision not null,
      content text not null,
      speaker text,
      primary key (question_id, position)
    )`,
    sql`create index question_quotes_recording on question_quotes (recording_id)`,
    sql`create table question_sentences (
      question_id uuid not null references questions on delete cascade,
      position smallint not null,
      recording_id uuid not null references recordings on delete cascade,
      source smallint not null,
      content text not null,
      primary key (question_id, position)
    )`,
    sql`create index question_sentences_recording on question_sentences (recording_id)`,
  ];
  for (const statement of statements) await statement.execute(db);
}

import type { Paragraph, TaskStatus, UploadType, Word } from '@linnet/contract';
import type { Bcp47 } from '@linnet/contract/languages';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

/** The tables as the migrations make them. Times are Dates, bigints are numbers (below 2^53). */
type CreatedAt = ColumnType<Date, Date | undefined, Date>;
type Json<Value extends object | null> = JSONColumnType<Value, string | null | undefined, string>;

export interface Tables {
  accounts: {
    id: string;
    email: string;
    nickname: Generated<string>;
    avatar: string | null;
    password_hash: string;
    agreement_version: string;
    agreement_accepted_at: Date;
    vip_plan: 'trial' | 'monthly' | 'annual' | 'granted' | null;
    vip_started_at: Date | null;
    vip_expires_at: Date | null;
    rev: Generated<number>;
    created_at: CreatedAt;
  };
  verification_codes: {
    email: string;
    code_hash: Buffer;
    tries: Generated<number>;
    used_at: Date | null;
    sent_at: CreatedAt;
    expires_at: Date;
  };
  sessions: { id: string; account_id: string; created_at: CreatedAt; revoked_at: Date | null };
  refresh_tokens: {
    hash: Buffer;
    session_id: string;
    created_at: CreatedAt;
    expires_at: Date;
    used_at: Date | null;
  };
  rate_windows: { key: string; started_at: CreatedAt; count: number };
  devices: {
    sn: string;
    name: Generated<string>;
    project_code: Generated<string>;
    registered_at: CreatedAt;
  };
  bindings: { sn: string; account_id: string; bound_at: CreatedAt };
  upload_leaves: {
    key: string;
    account_id: string;
    type: UploadType;
    ext: string;
    max_size: number;
    created_at: CreatedAt;
    expires_at: Date;
  };
  recordings: {
    id: string;
    account_id: string;
    client_flag: string;
    name: Generated<string>;
    ai_title: Generated<string>;
    source: Generated<number>;
    object_key: string | null;
    file_size: Generated<number>;
    sha256: string | null;
    mime_type: Generated<string>;
    ext: Generated<string>;
    total_time: Generated<number>;
    sn: Generated<string>;
    brief: Generated<string>;
    keywords: Json<string[]>;
    is_del: Generated<0 | 1>;
    rev: number;
    recorded_at: Date;
    created_at: CreatedAt;
    updated_at: CreatedAt;
  };
  tasks: {
    id: string;
    recording_id: string;
    account_id: string;
    language: Bcp47;
    status: Generated<TaskStatus>;
    progress: Generated<number>;
    attempts: Generated<number>;
    error_code: number | null;
    engine: string | null;
    title: Generated<string>;
    brief: Generated<string>;
    summary: Generated<string>;
    summary_json: Json<object | null>;
    keywords: Json<string[]>;
    xmind_json: Json<{ id: string; parentid: string; topic: string }[] | null>;
    minutes: Generated<number>;
    rev: number;
    created_at: CreatedAt;
    updated_at: CreatedAt;
  };
  paragraphs: {
    id: string;
    task_id: string;
    ordinal: number;
    start_time: number;
    end_time: number;
    content: string;
    words: Json<Word[]>;
    speaker: string | null;
    is_tag: Generated<Paragraph['is_tag']>;
    rev: number;
  };
  tombstones: {
    account_id: string;
    kind: 'recording';
    id: string;
    client_flag: string | null;
    rev: number;
    deleted_at: CreatedAt;
  };
  minute_grants: {
    id: string;
    account_id: string;
    purse: 'vip' | 'free' | 'package';
    minutes: number;
    ref: string;
    expires_at: Date | null;
    created_at: CreatedAt;
  };
  minute_charges: {
    id: string;
    grant_id: string;
    account_id: string;
    task_id: string;
    minutes: number;
    state: 'reserved' | 'settled' | 'released';
    created_at: CreatedAt;
    closed_at: Date | null;
  };
}

import type { CallInput, KeyScope, ObjectType } from '@linnet/contract';
import type { SharePart } from '@linnet/contract/statuses';
import type { ColumnType, Generated } from 'kysely';
import type { LiveTables } from '../live/tables.ts';
import type { DeviceTables } from '../modules/device/tables.ts';
import type { FileOutcome } from '../modules/folder-import/outcome.ts';
import type { MinuteTables } from '../modules/minutes/tables.ts';
import type { NotificationMailTables } from '../modules/notification-mail/tables.ts';
import type { OrderTables } from '../modules/order/tables.ts';
import type { PushTables } from '../modules/push/tables.ts';
import type { RecordingTables } from '../modules/recording/tables.ts';
import type { RetentionTables } from '../modules/retention/tables.ts';
import type { SyncTables } from '../modules/sync/tables.ts';
import type { TaskTables } from '../modules/task/tables.ts';
import type { UserTables } from '../modules/user/tables.ts';
import type { VaultTables } from '../modules/vault/tables.ts';
import type { WebhookTables } from '../modules/webhook/tables.ts';
import type { RetrievalTables } from '../retrieval/tables.ts';
import type { CreatedAt, Json } from './columns.ts';

/**
 * All tables created by the migrations. The tables of larger modules are declared in their folders. Times are Dates,
 * and bigints are numbers below 2^53.
 */
export interface Tables
  extends DeviceTables,
    LiveTables,
    MinuteTables,
    NotificationMailTables,
    OrderTables,
    PushTables,
    RecordingTables,
    RetentionTables,
    RetrievalTables,
    SyncTables,
    TaskTables,
    UserTables,
    VaultTables,
    WebhookTables {
  /** API keys. Each key has a session that stores its name and times. */
  api_keys: {
    session_id: string;
    /** SHA-256 of the key. */
    hash: Buffer;
    scopes: Json<KeyScope[]>;
    last_used_at: Date | null;
    expires_at: Date | null;
  };
  /** Calendar URLs. Each has its own session. */
  calendar_addresses: { session_id: string };
  /** Share links. Their URLs are derived from the IDs. */
  share_links: {
    id: string;
    account_id: string;
    recording_id: string;
    parts: Json<SharePart[]>;
    /** Null if the page has no password. */
    password_hash: string | null;
    created_at: CreatedAt;
    expires_at: Date | null;
    view_count: Generated<number>;
    /** Times of the latest views, latest first, in ISO 8601. */
    views: Json<string[]>;
  };
  rate_windows: { key: string; started_at: CreatedAt; last_at: CreatedAt; count: number };
  /** Upload grants, by object key. */
  upload_leaves: {
    key: string;
    account_id: string;
    type: ObjectType;
    ext: string;
    max_size: number;
    created_at: CreatedAt;
    expires_at: Date;
    /** The request currently writing a resumable upload, or null. */
    lock_holder: string | null;
    /** When the lock expires. If the holder hasn't renewed it by then, it is presumed dead. */
    locked_until: Date | null;
    /** Whether another request is waiting for the lock. */
    lock_wanted: Generated<boolean>;
  };
  /** Scanned files in IMPORT_DIR, by path within the account's folder. */
  imported_files: {
    account_id: string;
    path: string;
    /** Size in bytes, as bigint. */
    size: ColumnType<string, number, number>;
    modified_at: Date;
    outcome: Json<FileOutcome>;
  };
  settings: {
    account_id: string;
    group_name: string;
    config_key: string;
    config_value: string;
    /** Revision at which this value was set, or 0 if it has always been the default. */
    since: number;
    /** When this value was set. */
    changed_at: Date;
    rev: number;
  };
  feedback: {
    id: string;
    /** Null for a signed-out user. */
    account_id: string | null;
    kind: CallInput<'site/feedback'>['kind'];
    content: string;
    contact: string;
    /** The attached log, or '' if there is none. */
    log: string;
    log_key: string | null;
    created_at: CreatedAt;
  };
}

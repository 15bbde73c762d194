import type { VaultFailureCode, VaultKind, VaultStop } from '@linnet/contract/vaults';
import type { ColumnType, Generated } from 'kysely';

/** The database tables for vaults. */
export interface VaultTables {
  vaults: {
    id: string;
    account_id: string;
    kind: VaultKind;
    /** Name of the account's folder in VAULT_DIR, or URL of the WebDAV folder with a trailing slash. */
    place: string;
    /** The VAULT_DIR that contains the files, or null for WebDAV. */
    root: string | null;
    username: Generated<string>;
    /** The password, encrypted for this row, or null for a folder on this server. */
    password: Buffer | null;
    /** The user's template, or null for the default template. */
    template: string | null;
    /** The account revision that the files reflect. */
    rev: Generated<number>;
    /** When the files were last up to date. */
    written_at: Date | null;
    /** Why the latest attempt failed, or null if it succeeded. */
    failure: VaultFailureCode | null;
    /** Number of consecutive failed attempts. */
    failures: Generated<number>;
    failed_at: Date | null;
    /** When the next attempt is due after a failure. */
    next_at: Date | null;
    /** When the pending job was queued, or null if no job is waiting to start. */
    queued_at: Date | null;
    /** When the lease of the running job expires, or null if no job is running. */
    running_until: Date | null;
    /** When the vault was stopped, or null if it is active. */
    stopped_at: Date | null;
    stopped_reason: VaultStop | null;
    created_at: ColumnType<Date, Date, never>;
  };
  /**
   * The files in a vault. Before a file is written or renamed, its new digest or name is stored in the `next_` columns,
   * so the file can be recognized if the worker dies in between.
   */
  vault_files: {
    vault_id: string;
    recording_id: string;
    name: string;
    /** The name in a normalized form, for file systems that ignore case and similar differences. */
    name_key: string;
    /** SHA-256 of the content last written, in hex, or null if the file was never written. */
    digest: string | null;
    next_name: string | null;
    next_key: string | null;
    next_digest: string | null;
    /** Why this particular file could not be written, or null. */
    failure: VaultFailureCode | null;
  };
}

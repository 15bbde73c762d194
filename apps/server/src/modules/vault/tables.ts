import type { VaultFailureCode, VaultKind, VaultStop } from '@linnet/contract/vaults';
import type { ColumnType, Generated } from 'kysely';

/** The tables of vaults. */
export interface VaultTables {
  vaults: {
    id: string;
    account_id: string;
    kind: VaultKind;
    /** Name of the account's folder in VAULT_DIR, or address of the WebDAV folder with a trailing slash. */
    place: string;
    /** The value of VAULT_DIR in which the files are; null for WebDAV. */
    root: string | null;
    username: Generated<string>;
    /** The password, encrypted for this row; null for a folder of the server. */
    password: Buffer | null;
    /** The owner's template; null for the default one. */
    template: string | null;
    /** The account's revision up to which the files are up to date. */
    rev: Generated<number>;
    /** When the files were last brought up to date. */
    written_at: Date | null;
    /** Why the latest attempt failed, how many have failed in a row, and when the next one is due. */
    failure: VaultFailureCode | null;
    failures: Generated<number>;
    failed_at: Date | null;
    next_at: Date | null;
    /** When a job was queued that has not begun yet; null if there is none. */
    queued_at: Date | null;
    /** Until when a job runs, unless it ends before or is presumed dead; null if none runs. */
    running_until: Date | null;
    /** When the vault was stopped; null while it is kept up to date. */
    stopped_at: Date | null;
    stopped_reason: VaultStop | null;
    created_at: ColumnType<Date, Date, never>;
  };
  /**
   * The files of a vault. Before a file is written or renamed, the new digest or name is stored beside the current one, so
   * that the file is recognized if the worker dies in between.
   */
  vault_files: {
    vault_id: string;
    recording_id: string;
    name: string;
    /** The name without differences that some systems ignore. */
    name_key: string;
    /** SHA-256 of the content that was last written, in hex; null until then. */
    digest: string | null;
    next_name: string | null;
    next_key: string | null;
    next_digest: string | null;
    /** Why this file could not be written, although others could. */
    failure: VaultFailureCode | null;
  };
}

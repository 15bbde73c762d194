import type { InterfaceLanguage } from '@linnet/contract/interface-languages';
import type { ColumnType, Generated } from 'kysely';
import type { CreatedAt } from '../../db/columns.ts';

/** Tables for accounts and their sessions. */
export interface UserTables {
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
    /** Whether a payment for the next period is expected. If so, VIP survives a short delay. */
    vip_renews: Generated<boolean>;
    /** The plan of deferred time: trial or granted time that resumes when the current membership ends. */
    vip_rest_plan: 'trial' | 'granted' | null;
    /** How much time is deferred. */
    vip_rest_seconds: Generated<number>;
    rev: Generated<number>;
    /** Set when the account is closed, which disables signing in. A job then deletes all data. */
    closed_at: Date | null;
    /** Identifies a sequence of revisions. Restoring a backup starts a new epoch. */
    epoch: Generated<string>;
    created_at: CreatedAt;
  };
  verification_codes: {
    email: string;
    /** The seed that the code is derived from, together with a key that isn't in the database. */
    seed: Buffer;
    used_at: Date | null;
    sent_at: CreatedAt;
    expires_at: Date;
  };
  sessions: {
    id: string;
    account_id: string;
    created_at: CreatedAt;
    revoked_at: Date | null;
    /** The device's description, shown to the user, or '' if unknown. */
    device: Generated<string>;
    last_seen_at: CreatedAt;
    /** When the password was last entered in this session, or null for sessions older than this column. */
    password_at: Date | null;
  };
  refresh_tokens: {
    hash: Buffer;
    session_id: string;
    created_at: CreatedAt;
    expires_at: Date;
    used_at: Date | null;
    /** Number of times that an unused successor was replaced. */
    renewals: Generated<number>;
    /** When this token was replaced by another successor. */
    voided_at: Date | null;
  };
  /** Networks that an account has signed in from, as keyed hashes. */
  known_networks: { account_id: string; network: Buffer; seen_at: CreatedAt };
  /** Email addresses that received a trial and free minutes, as keyed hashes. They outlive their accounts. */
  trials: { address: Buffer; given_at: CreatedAt };
  farewells: {
    account_id: string;
    email: string;
    language: ColumnType<InterfaceLanguage, InterfaceLanguage | undefined, never>;
    closed_at: Date;
  };
}

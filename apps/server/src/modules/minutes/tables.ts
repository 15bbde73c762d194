import type { CreatedAt } from '../../db/columns.ts';

/** Tables for the balance of minutes. */
export interface MinuteTables {
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
